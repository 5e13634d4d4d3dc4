import type { z } from '@hono/zod-openapi'
import { presentSums, type RollUp } from '../../accounts/accounts.public.ts'
import type { GroupSummaryResponse } from './summary.schemas.ts'

export const presentSummary = (summary: RollUp): z.infer<typeof GroupSummaryResponse> => ({
  ...presentSums(summary),
  accountCount: summary.accounts.length,
})
