import type { z } from '@hono/zod-openapi'
import type { Listed } from '../../http/pagination.ts'
import { type LedgerRow, presentTransaction } from '../ledger/ledger.public.ts'
import type { ListTransactionsResponse } from './transactions.schemas.ts'

export const presentTransactions = ({
  rows,
  count,
  nextCursor,
}: Listed<LedgerRow>): z.infer<typeof ListTransactionsResponse> => ({
  transactions: rows.map(presentTransaction),
  count,
  nextCursor,
})
