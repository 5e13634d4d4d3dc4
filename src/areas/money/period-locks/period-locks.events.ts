import { carries, type Created, defineEvents, type Deleted } from '../../../platform/log/events.ts'
import type { PeriodLockRow } from './period-locks.rules.ts'

type Logged = Pick<PeriodLockRow, 'accountId' | 'through' | 'kind'> & { reason?: string }

export const periodEvents = defineEvents('period', {
  locked: carries<Created<Logged>>(),
  /** `reason` is why the lock ended. */
  unlocked: carries<Deleted<Logged> & { reason: string }>(),
})
