import type { Area } from '../../area.ts'
import * as periodLocks from './period-locks.routes.ts'
import { sealPeriodLockJob } from './seals/seals.jobs.ts'

export const periodLocksArea: Area = {
  tag: 'Period locks',
  operations: [periodLocks],
  jobs: [sealPeriodLockJob],
}
