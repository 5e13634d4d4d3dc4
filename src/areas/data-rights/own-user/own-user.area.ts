import type { Area } from '../../area.ts'
import { eraseUserJob, scheduleErasuresJob } from './erasure/erasure.jobs.ts'
import * as user from './own-user.routes.ts'
import { wipeDataJob } from './wipe/wipe.jobs.ts'
import * as wipe from './wipe/wipe.routes.ts'

export const ownUserArea: Area = {
  tag: 'User',
  operations: [user, wipe],
  jobs: [eraseUserJob, scheduleErasuresJob, wipeDataJob],
  nightly: [scheduleErasuresJob],
}
