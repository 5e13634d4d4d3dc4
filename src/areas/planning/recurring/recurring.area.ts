import type { Area } from '../../area.ts'
import { relabelledRecurring } from './recurring.hooks.ts'
import { dueSweep, linkJob, settleJob } from './recurring.jobs.ts'
import { recurringLinksReader, recurringPricesReader } from './recurring.readers.ts'
import * as recurring from './recurring.routes.ts'

export const recurringArea: Area = {
  tag: 'Recurring transactions',
  operations: [recurring],
  hooks: [relabelledRecurring],
  jobs: [settleJob, linkJob],
  sweeps: [dueSweep],
  readers: [recurringLinksReader, recurringPricesReader],
}
