import { z } from '@hono/zod-openapi'
import { count, date, id, integerField, presentStamps, stamps } from '../../../../http/fields.ts'
import { exportFormat, exportOptions, exportScope } from '../exports.contract.ts'
import type { ExportOptions, ExportScope } from '../exports.queries.ts'
import { CADENCES, type ExportScheduleRow } from './schedules.rules.ts'

export const exportScheduleParams = z.object({ format: exportFormat })

const every = z
  .enum(CADENCES)
  .openapi({ description: 'Whether it is due each week or each month.', example: 'month' })

const day = integerField(
  'Day of the week, from 1 (Monday) to 7, or of the month; a month without that day is due on its last one.',
  1,
)

const keep = integerField('Number of its exports that are kept for longer than seven days.', 3)

export const SetExportScheduleRequest = z
  .strictObject({
    options: z
      .strictObject(exportOptions)
      .optional()
      .openapi({ description: 'Options of the format.', example: {} }),
    scope: z
      .strictObject(exportScope)
      .optional()
      .openapi({
        description: 'Data to select, as in `POST /export`.',
        example: { what: ['transactions'] },
      }),
    every,
    day: day.min(1).max(31),
    keep: keep.min(1).max(12),
  })
  .openapi('SetExportScheduleRequest', {
    description: 'If `options` or `scope` is not sent, it stays as it is.',
  })

export const ExportScheduleResponse = z
  .object({
    id: id('exs', 'Id of the schedule.'),
    format: exportFormat,
    options: z.object(exportOptions).openapi({ description: 'Options, as set.', example: {} }),
    scope: z.object(exportScope).openapi({
      description: 'Selected data, as set.',
      example: { shared: false, what: ['transactions'] },
    }),
    every,
    day,
    keep,
    nextDate: date('Night on which the next export is made, in UTC.'),
    ...stamps,
  })
  .openapi('ExportScheduleResponse')

export const ExportSchedulesResponse = z
  .object({
    schedules: z
      .array(ExportScheduleResponse)
      .openapi({ description: 'All schedules, by format.' }),
    count,
  })
  .openapi('ExportSchedulesResponse')

export const presentSchedule = (
  row: ExportScheduleRow,
): z.infer<typeof ExportScheduleResponse> => ({
  id: row.id,
  format: row.format,
  options: JSON.parse(row.options) as ExportOptions,
  scope: JSON.parse(row.scope) as ExportScope,
  every: row.every,
  day: row.day,
  keep: row.keep,
  nextDate: row.nextOn,
  ...presentStamps(row),
})

export const presentSchedules = (
  rows: ExportScheduleRow[],
): z.infer<typeof ExportSchedulesResponse> => ({
  schedules: rows.map(presentSchedule),
  count: rows.length,
})
