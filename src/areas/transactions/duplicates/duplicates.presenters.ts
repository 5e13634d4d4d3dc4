import type { z } from '@hono/zod-openapi'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type { Candidate } from './duplicates.rules.ts'
import type { ListDuplicatesResponse } from './duplicates.schemas.ts'

export const presentDuplicates = (
  candidates: Candidate[],
): z.infer<typeof ListDuplicatesResponse> => ({
  duplicates: candidates.map(({ rows: [first, second], score, reasons }) => ({
    first: presentTransaction(first),
    second: presentTransaction(second),
    score,
    reasons,
  })),
  count: candidates.length,
})
