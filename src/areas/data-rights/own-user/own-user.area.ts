import type { Area } from '../../area.ts'
import { eraseUserJob, scheduleErasuresJob, wipeDataJob } from './erasure/erasure.jobs.ts'
import * as user from './own-user.routes.ts'
import * as wipe from './erasure/wipe.routes.ts'

export const ownUserArea: Area = {
  tag: 'User',
  operations: [user, wipe],
  jobs: [eraseUserJob, scheduleErasuresJob, wipeDataJob],
  nightly: [scheduleErasuresJob],
}
