import type { z } from '@hono/zod-openapi'
import { archiveState } from '../../../domain/archives.ts'
import { presentStamps, toInstantOrNull } from '../../../http/fields.ts'
import { presentStarted } from '../../jobs/jobs.public.ts'
import type { ExportRow, Wanted } from './exports.queries.ts'
import type { AuditLogExport, AuditLogExportStarted } from './exports.schemas.ts'
import type { Requested } from './exports.usecases.ts'

export const presentExport = (row: ExportRow): z.infer<typeof AuditLogExport> => ({
  id: row.id,
  state: archiveState(row.stored, row.task),
  format: (JSON.parse(row.filter ?? '{}') as Wanted).format,
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
