import { forceField } from '../../../http/fields.ts'
import { z } from '@hono/zod-openapi'
import type { LedgerRow } from '../../../ledger/ledger.public.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  applyRules,
  listedTransactions,
  type ListedTransactions,
  listQuery,
  NAMES_OF_TRANSACTION,
  newFields,
  presentListed,
  UpdateTransactionRequest,
  withNames,
} from '../transactions/transactions.public.ts'

export const CreateExpenseRequest = withNames(
  z.strictObject({ ...newFields, force: forceField, applyRules }),
).openapi('CreateExpenseRequest', { description: NAMES_OF_TRANSACTION })

export const UpdateExpenseRequest = UpdateTransactionRequest.omit({ kind: true }).openapi(
  'UpdateExpenseRequest',
)

export const ExpenseResponse = z
  .object({
    ...TransactionResponse.shape,
    kind: z.literal('expense').openapi({ description: 'Always expense.', example: 'expense' }),
  })
  .openapi('ExpenseResponse')

const { kind: _kind, ...query } = listQuery

export const ListExpensesQuery = z.strictObject(query)

export const ExpensesResponse = z
  .object({
    expenses: z.array(ExpenseResponse).openapi({
      description: 'One page of expenses, newest first unless another order is requested.',
    }),
    ...listedTransactions,
  })
  .openapi('ExpensesResponse')

export const presentExpense = (row: LedgerRow): z.infer<typeof ExpenseResponse> => ({
  ...presentTransaction(row),
  kind: 'expense',
})

export const presentExpenses = ({
  rows,
  ...listed
}: ListedTransactions): z.infer<typeof ExpensesResponse> => ({
  expenses: rows.map(presentExpense),
  ...presentListed(listed),
})
