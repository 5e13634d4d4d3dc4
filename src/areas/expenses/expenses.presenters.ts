import type { z } from '@hono/zod-openapi'
import { type LedgerRow } from '../../ledger/ledger.public.ts'
import { presentTransaction } from '../transaction-views/transaction-views.public.ts'
import { type Listed, presentListed } from '../transactions/transactions.public.ts'
import type { ExpenseResponse, ListExpensesResponse } from './expenses.schemas.ts'

export const presentExpense = (row: LedgerRow): z.infer<typeof ExpenseResponse> => ({
  ...presentTransaction(row),
  kind: 'expense',
})

export const presentExpenses = ({
  rows,
  ...listed
}: Listed): z.infer<typeof ListExpensesResponse> => ({
  expenses: rows.map(presentExpense),
  ...presentListed(listed),
})
