import type { z } from '@hono/zod-openapi'
import type { CategoryUsageResponse } from './removal.schemas.ts'
import type { Usage } from './removal.usecases.ts'

export const presentUsage = ({
  transactionCount,
  lineCount,
  childCount,
  payeeCount,
  lastDate,
}: Usage): z.infer<typeof CategoryUsageResponse> => ({
  transactionCount,
  lineCount,
  childCount,
  payeeCount,
  lastDate,
})
