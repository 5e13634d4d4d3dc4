import type { Area } from '../../area.ts'
import { makeDataExportJob } from './exports.jobs.ts'
import * as exports from './exports.routes.ts'

import { startScheduledJob } from './schedules/schedules.jobs.ts'
import * as schedules from './schedules/schedules.routes.ts'

export const exportsArea: Area = {
  tag: 'Exports',
  operations: [exports, schedules],
  jobs: [makeDataExportJob, startScheduledJob],
  nightly: [startScheduledJob],
}
