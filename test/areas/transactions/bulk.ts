import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import type { TransactionInput } from './booking.ts'

type JsonOf<Route extends Parameters<typeof call>[0]> = NonNullable<
  NonNullable<Parameters<typeof call<Route>>[1]>['json']
>

export const createAll = (as: Principal, transactions: TransactionInput[], dryRun = false) =>
  call(createTransactions, { as, json: { transactions, dryRun } })

export const changeAll = (
  as: Principal,
  json: JsonOf<typeof updateTransactions>,
  headers: Record<string, string> = {},
) => call(updateTransactions, { as, json, headers })

export const removeAll = (
  as: Principal,
  json: JsonOf<typeof deleteTransactions>,
  headers: Record<string, string> = {},
) => call(deleteTransactions, { as, json, headers })

/** What became of each, in short. */
export const verdicts = ({
  body,
}: {
  body: { results: { status: string; code?: string | undefined; field?: string | undefined }[] }
}): string[] =>
  body.results.map(({ status, code, field }) => [status, code, field].filter(Boolean).join(' '))

/** Each of them, in this order. */
export const times = <Result>(count: number, make: (at: number) => Result): Result[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Each adjustment in the history of an account, as `[transaction, date, change, balance after it]`; the last one first. */
export const adjustedOn = async (as: Principal, { id }: { id: string }) =>
  (await ok(getAccountHistory, { as, query: { accountId: id } }))
    .filter(({ type }) => type === 'balanceAdjusted')
    .map(({ transactionId, date, change, balanceAfter }) => [
      transactionId,
      date,
      change,
      balanceAfter,
    ])
