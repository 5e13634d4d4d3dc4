import { downloadDays, downloaders } from '../../../../drizzle/schema/log.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { forgetDownloader } from './downloads.queries.ts'

export const metricData: OwnedData = {
  area: 'metrics',
  tables: [downloadDays, downloaders],
  forget: (_, userId) => [forgetDownloader(userId)],
}
