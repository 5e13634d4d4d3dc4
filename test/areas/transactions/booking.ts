import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'

type Input = Parameters<typeof ok<typeof createTransaction>>[1] & object
export type TransactionInput = NonNullable<Input['json']>

export type Changes = NonNullable<
  NonNullable<Parameters<typeof call<typeof updateTransaction>>[1]>['json']
>

let serial = 0

export const newCategory = (as: Principal, kind: 'expense' | 'income' = 'expense') =>
  ok(createCategory, { as, json: { name: `Category ${++serial}`, kind } })

/** Books an expense of 12.30 on a day in November unless told otherwise. */
export const book = (
  as: Principal,
  account: { id: string },
  wanted: Partial<TransactionInput> = {},
) => ok(createTransaction, { as, json: expenseOn(account, wanted) })

export const expenseOn = (
  { id }: { id: string },
  wanted: Partial<TransactionInput> = {},
): TransactionInput => ({
  kind: 'expense',
  accountId: id,
  date: '2026-11-20',
  amount: '12.30',
  ...wanted,
})

export const change = (as: Principal, { id }: { id: string }, json: Changes, headers = {}) =>
  call(updateTransaction, { as, id, json, headers })

export const balanceOf = async (as: Principal, { id }: { id: string }): Promise<string> =>
  (await ok(getAccountByID, { as, id })).balance

export const close = ({ id }: { id: string }) =>
  rows("UPDATE accounts SET status = 'closed' WHERE id = ?", id)

export const archive = ({ id }: { id: string }) =>
  rows('UPDATE categories SET archived = 1 WHERE id = ?', id)

export const tripsOf = ({ headers }: { headers: Headers }): number =>
  Number(/(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1])

/** What an answer refused and why, short enough for a table. */
export const refusal = ({
  status,
  error,
}: {
  status: number
  error: { code: string; field?: string }
}): (string | number | undefined)[] =>
  error.field === undefined ? [status, error.code] : [status, error.code, error.field]

/** Amounts that are none, whatever the currency. */
export const REFUSED_AMOUNTS: unknown[] = [
  ...'1e2 1E-2 1e309 -1e309 NaN Infinity -Infinity 0x10 0b1 1_000 1,000.00 1.000,00'.split(' '),
  ...['', ' 1', '1 ', '-', '+1', '--1', '1-', '.5', '5.', '00.1', '١٢٣', '１２', '1\u200b'],
  ...['$1', '1 USD', '1/2', '½', '∞', '0e5', '1\n', true, null, [], {}, [1], 1, 12.3, 0],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', `1${'0'.repeat(30)}`],
  ...['9'.repeat(309), '9'.repeat(100_000), `0.${'1'.repeat(400)}`, '1.0000000000000000001'],
  ...['0', '-0', '0.00', '-0.00', '0.001', '1.005', '90071992547409.92'],
]
