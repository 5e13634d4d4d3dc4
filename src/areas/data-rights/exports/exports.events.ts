import { type Created, carries, defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { StoredExport } from './exports.queries.ts'
import type { ExportManifest } from './exports.rules.ts'
import type { ExportScheduleRow } from './schedules/schedules.rules.ts'

export const userExportEvents = defineEvents('export', {
  requested: carries<Created<StoredExport>>(),
  begun: carries(),
  made: carries<Pick<ExportManifest, 'counts'>>(),
  deleted: carries(),
})

export const exportScheduleEvents = defineEvents('exportSchedule', lifecycleOf<ExportScheduleRow>())
