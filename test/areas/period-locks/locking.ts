import {
  createPeriodLock,
  deletePeriodLock,
} from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'

type Wanted = NonNullable<NonNullable<Parameters<typeof call<typeof createPeriodLock>>[1]>['json']>

const lockOf = (wanted: Partial<Wanted>): Wanted => ({
  ...{ through: '2025-12-31', kind: 'soft', reason: 'Year closed' },
  ...wanted,
})

/** Asks for a soft lock for all own accounts through 2025 unless told otherwise. */
export const askLock = (as: Principal, wanted: Partial<Wanted> = {}) =>
  call(createPeriodLock, { as, json: lockOf(wanted) })

export async function lock(as: Principal, wanted: Partial<Wanted> = {}) {
  const made = await ok(createPeriodLock, { as, json: lockOf(wanted) })
  if (!('id' in made)) {
    throw new Error('lock: this was a dry run')
  }
  return made
}

export const unlock = (as: Principal, { id }: { id: string }, reason = 'A receipt was late') =>
  call(deletePeriodLock, { as, id, query: { reason } })
