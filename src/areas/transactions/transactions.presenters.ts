import type { z } from '@hono/zod-openapi'
import { presentTransaction } from '../ledger/ledger.public.ts'
import { type Listed, presentListed } from './listing/listing.presenters.ts'
import type { ListTransactionsResponse } from './transactions.schemas.ts'

export const presentTransactions = ({
  rows,
  ...listed
}: Listed): z.infer<typeof ListTransactionsResponse> => ({
  transactions: rows.map(presentTransaction),
  ...presentListed(listed),
})
