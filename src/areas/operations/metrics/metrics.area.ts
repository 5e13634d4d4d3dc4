import type { Area } from '../../area.ts'
import { downloadsReader } from './downloads/downloads.readers.ts'
import * as downloads from './downloads/downloads.routes.ts'
import * as growth from './growth/growth.routes.ts'
import * as health from './health/health.routes.ts'
import * as metrics from './metrics.routes.ts'

export const metricsArea: Area = {
  tag: 'Metrics',
  operations: [metrics, downloads, growth, health],
  readers: [downloadsReader],
}
