import type { Area } from '../../area.ts'
import { downloadsReader } from './downloads/downloads.readers.ts'
import * as metrics from './metrics.routes.ts'

export const metricsArea: Area = {
  tag: 'Metrics',
  operations: [metrics],
  readers: [downloadsReader],
}
