import type { Area } from '../../area.ts'
import { purgePlatform } from './service.jobs.ts'
import * as service from './service.routes.ts'

export const serviceArea: Area = {
  tag: 'Service',
  operations: [service],
  jobs: [purgePlatform],
  nightly: [purgePlatform],
}
