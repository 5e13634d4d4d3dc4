import type { z } from '@hono/zod-openapi'
import type { Page } from '../../platform/paging.ts'
import { type LedgerRow, presentTransaction } from '../ledger/ledger.public.ts'
import type { ListTransactionsResponse } from './transactions.schemas.ts'

export const presentTransactions = ({
  rows,
  count,
  nextCursor,
}: Page<LedgerRow> & { nextCursor: string | null }): z.infer<typeof ListTransactionsResponse> => ({
  transactions: rows.map(presentTransaction),
  count,
  nextCursor,
})
