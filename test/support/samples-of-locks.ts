import type { Sample } from './sample-parts.ts'

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
  }
}
