import type { Area } from '../../area.ts'
import { purgeDeliveriesJob, sendJob, sendSweep } from './webhooks.jobs.ts'
import { dispatchReader } from './webhooks.readers.ts'
import * as webhooks from './webhooks.routes.ts'

export const webhooksArea: Area = {
  tag: 'Webhooks',
  operations: [webhooks],
  jobs: [sendJob, purgeDeliveriesJob],
  nightly: [purgeDeliveriesJob],
  sweeps: [sendSweep],
  readers: [dispatchReader],
}
