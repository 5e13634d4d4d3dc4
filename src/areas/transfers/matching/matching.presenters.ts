import type { z } from '@hono/zod-openapi'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type { UnmatchTransferResponse } from './matching.schemas.ts'
import type { Sides } from './matching.rules.ts'

export const presentParts = ({ from, to }: Sides): z.infer<typeof UnmatchTransferResponse> => ({
  from: presentTransaction(from),
  to: presentTransaction(to),
})
