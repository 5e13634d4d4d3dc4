import type { z } from '@hono/zod-openapi'
import type { SignedIn } from '../../platform/context.ts'
import { presentTransaction } from '../transaction-views/transaction-views.public.ts'
import { type Listed, presentListed } from './listing/listing.presenters.ts'
import type { ListTransactionsResponse } from './transactions.schemas.ts'

export const presentTransactions = (
  { rows, ...listed }: Listed,
  ctx: SignedIn,
): z.infer<typeof ListTransactionsResponse> => ({
  transactions: rows.map((row) => presentTransaction(row, ctx)),
  ...presentListed(listed),
})
