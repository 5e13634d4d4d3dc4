import type { Area } from '../../area.ts'
import { downloadsReader } from './metrics.readers.ts'
import * as metrics from './metrics.routes.ts'

export const metricsArea: Area = {
  tag: 'Metrics',
  operations: [metrics],
  readers: [downloadsReader],
}
