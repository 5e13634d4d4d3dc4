import {
  finishReconciliation,
  getReconciliation,
  listReconciliationRows,
  listReconciliations,
  startReconciliation,
  undoReconciliation,
  updateReconciliation,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'

type Json<R extends Parameters<typeof call>[0]> = NonNullable<
  NonNullable<Parameters<typeof call<R>>[1]>['json']
>

export type Starting = Omit<Json<typeof startReconciliation>, 'accountId'>

export const tryToStart = (as: Principal, { id: accountId }: { id: string }, wanted: Starting) =>
  call(startReconciliation, { as, json: { accountId, ...wanted } })

/** Starts to compare an account with a statement. */
export const start = (as: Principal, { id: accountId }: { id: string }, wanted: Starting) =>
  ok(startReconciliation, { as, json: { accountId, ...wanted } })

export const look = (as: Principal, { id }: { id: string }) => ok(getReconciliation, { as, id })

export const tick = (
  as: Principal,
  { id }: { id: string },
  json: Json<typeof updateReconciliation>,
) => call(updateReconciliation, { as, id, json })

export const finish = (
  as: Principal,
  { id }: { id: string },
  json: Json<typeof finishReconciliation> = {},
) => call(finishReconciliation, { as, id, json })

export const undo = (as: Principal, { id }: { id: string }) => call(undoReconciliation, { as, id })

/** The rows of a session, each with whether it is ticked. */
export const rowsOf = async (as: Principal, { id }: { id: string }, query = {}) =>
  (await ok(listReconciliationRows, { as, id, query })).rows

export const sessionsOf = async (as: Principal, { id: accountId }: { id: string }) =>
  (await ok(listReconciliations, { as, query: { accountId } })).reconciliations

/** The books of example 1: a session that was finished with 1,000.00, and five rows since. */
export async function newMarch(as: Principal) {
  const everyday = await newAccount(as, { openingBalance: '1000', openingDate: '2026-02-01' })
  const february = await start(as, everyday, {
    ...{ statementDate: '2026-02-28', closingBalance: '1000' },
  })
  const finished = await finish(as, february)
  if (finished.status !== 200) {
    throw new Error(`newMarch: ${finished.text}`)
  }
  const cleared = { status: 'cleared' } as const
  const rent = await book(as, everyday, { date: '2026-03-02', amount: '600', ...cleared })
  const salary = await book(as, everyday, {
    ...{ kind: 'income', date: '2026-03-25', amount: '1800', ...cleared },
  })
  const coffee = await book(as, everyday, { date: '2026-03-30', amount: '3', status: 'uncleared' })
  const shop = await book(as, everyday, { date: '2026-03-31', amount: '47.20', ...cleared })
  const later = await book(as, everyday, { date: '2026-04-01', amount: '12', ...cleared })
  return { everyday, february, rent, salary, coffee, shop, later }
}

export const MARCH = { statementDate: '2026-03-31', closingBalance: '2149.80' }
