import type { Area } from '../../area.ts'
import { relabelledRecurring } from './recurring.hooks.ts'
import { dueSweep, settleJob } from './recurring.jobs.ts'
import * as recurring from './recurring.routes.ts'

export const recurringArea: Area = {
  tag: 'Recurring transactions',
  operations: [recurring],
  hooks: [relabelledRecurring],
  jobs: [settleJob],
  sweeps: [dueSweep],
}
