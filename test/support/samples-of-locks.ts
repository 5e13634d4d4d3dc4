import type { Sample } from './sample-parts.ts'
import { samplesOfReconciliations } from './samples-of-reconciliations.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of period locks, on an account of their own. */
export async function samplesOfLocks(make: Make): Promise<Record<string, Sample>> {
  const account = await make('/account', { name: 'Locked', type: 'cash', currency: 'EUR' })
  const closed = { accountId: account.id, kind: 'soft', reason: 'Month closed' }
  const lockThrough = (through: string) => make('/period-lock', { ...closed, through })
  const [periodLock, ended] = [await lockThrough('2025-12-31'), await lockThrough('2026-01-31')]
  const of = (id: string, query: string): Sample => ({ path: { id }, query })
  return {
    listPeriodLocks: { query: `?accountId=${account.id}` },
    createPeriodLock: { json: { ...closed, through: '2026-02-01' } },
    getPeriodLock: of(periodLock.id, '?verify=true'),
    deletePeriodLock: of(ended.id, '?reason=A+receipt+was+late'),
    ...(await samplesOfAssertions(make)),
    ...(await samplesOfReconciliations(make)),
  }
}

/** The same of balance assertions: one holds, and one does not. */
async function samplesOfAssertions(make: Make): Promise<Record<string, Sample>> {
  const account = await make('/account', { name: 'Asserted', type: 'cash', currency: 'EUR' })
  const { id: accountId } = account
  const state = (date: string, amount: string) =>
    make('/balance-assertion', { accountId, date, amount })
  const [assertion, ended] = [await state('2026-01-31', '0'), await state('2026-03-31', '0')]
  await state('2026-02-28', '7')
  return {
    listBalanceAssertions: { query: `?accountId=${accountId}&ok=true` },
    createBalanceAssertion: { json: { accountId, date: '2026-04-30', amount: '0' } },
    getBalanceAssertion: { path: { id: assertion.id } },
    deleteBalanceAssertion: { path: { id: ended.id } },
    checkBalanceAssertions: { json: { accountId } },
  }
}
