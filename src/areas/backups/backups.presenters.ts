import type { z } from '@hono/zod-openapi'
import { archiveState } from '../../domain/archives.ts'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import { presentStarted } from '../jobs/jobs.public.ts'
import type { BackupRow } from './backups.queries.ts'
import type { Manifest } from './backups.rules.ts'
import type {
  BackupRequestedResponse,
  BackupResponse,
  BackupSummary,
  ListBackupsResponse,
} from './backups.schemas.ts'
import type { Requested } from './backups.usecases.ts'

const presentSummary = (row: BackupRow): z.infer<typeof BackupSummary> => ({
  id: row.id,
  state: archiveState(row.stored, row.task),
  jobId: row.taskId,
  size: row.size,
  sha256: row.sha256,
  finishedAt: toInstantOrNull(row.finishedAt),
  expiresAt: toInstantOrNull(row.expiresAt),
  ...presentStamps(row),
})

export const presentBackup = (
  row: BackupRow & { manifest: string | null },
): z.infer<typeof BackupResponse> => ({
  ...presentSummary(row),
  manifest: row.manifest === null ? null : (JSON.parse(row.manifest) as Manifest),
})

export const presentBackups = ({
  rows,
  count,
  nextCursor,
}: Listed<BackupRow>): z.infer<typeof ListBackupsResponse> => ({
  backups: rows.map(presentSummary),
  count,
  nextCursor,
})

export const presentRequested = ({
  id,
  job,
}: Requested): z.infer<typeof BackupRequestedResponse> => ({ id, ...presentStarted(job) })
