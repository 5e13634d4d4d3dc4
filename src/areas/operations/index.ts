import type { Area } from '../area.ts'
import { jobsArea } from './jobs/jobs.area.ts'
import { maintenanceArea } from './maintenance/maintenance.area.ts'
import { metricsArea } from './metrics/metrics.area.ts'
import { queueTasksArea } from './queue-tasks/queue-tasks.area.ts'
import { referenceArea } from './reference/reference.area.ts'
import { replaysArea } from './replays/replays.area.ts'
import { serviceArea } from './service/service.area.ts'
import { serviceInfoArea } from './service-info/service-info.area.ts'

/**
 * The areas that keep the service running, and those for administrators. Ranked: an area may import the public files
 * of those before it.
 */
export const operations: Area[] = [
  serviceArea,
  serviceInfoArea,
  queueTasksArea,
  jobsArea,
  metricsArea,
  maintenanceArea,
  replaysArea,
  // Written out, so that the bundler drops the area from a release.
  ...(__DEV_BUILD__ ? [referenceArea] : []),
]
