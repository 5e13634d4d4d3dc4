import { z } from '@hono/zod-openapi'
import { ARCHIVE_STATES, archiveState } from '../../../../domain/archives.ts'
import {
  id,
  instant,
  textField,
  presentStamps,
  stamps,
  toInstantOrNull,
  integerField,
} from '../../../../http/fields.ts'
import { presentStarted, StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import { logFilter } from '../audit-log.contract.ts'
import type { ExportRow, LogExportRequest } from './exports.queries.ts'
import { FORMATS } from './exports.rules.ts'
import type { Requested } from './exports.usecases.ts'

const format = z.enum(FORMATS).openapi({
  description: 'Format of the file: one JSON object per line, or a table with a header row.',
  example: 'ndjson',
})

export const ExportAuditLogRequest = z
  .strictObject({ format: format.default('ndjson'), ...logFilter })
  .openapi('ExportAuditLogRequest')

export const AuditLogExportStarted = z
  .object({ id: id('exp', 'Id of the export.'), ...StartedJobResponse.shape })
  .openapi('AuditLogExportStarted')

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const AuditLogExport = z
  .object({
    id: id('exp', 'Id of the export.'),
    state: z.enum(ARCHIVE_STATES).openapi({
      description: 'State of the export. It can be downloaded while it is `ready`.',
      example: 'ready',
    }),
    format,
    jobId: id('tsk', 'Job that makes the export.').nullable(),
    entries: integerField('Number of entries; null until the export is ready.', 1200).nullable(),
    size: integerField('Size in bytes; null until the export is ready.', 48_211).nullable(),
    sha256: textField('SHA-256 of the file.', SHA).nullable(),
    finishedAt: instant('Time at which it was ready.').nullable(),
    expiresAt: instant('Time at which it is deleted.').nullable(),
    ...stamps,
  })
  .openapi('AuditLogExport')

export const presentExport = (row: ExportRow): z.infer<typeof AuditLogExport> => ({
  id: row.id,
  state: archiveState(row.stored, row.task),
  format: (JSON.parse(row.filter ?? '{}') as LogExportRequest).format,
  jobId: row.taskId,
  entries: row.manifest === null ? null : (JSON.parse(row.manifest) as { entries: number }).entries,
  size: row.size,
  sha256: row.sha256,
  finishedAt: toInstantOrNull(row.finishedAt),
  expiresAt: toInstantOrNull(row.expiresAt),
  ...presentStamps(row),
})

export const presentRequested = ({
  id,
  job,
}: Requested): z.infer<typeof AuditLogExportStarted> => ({ id, ...presentStarted(job) })
