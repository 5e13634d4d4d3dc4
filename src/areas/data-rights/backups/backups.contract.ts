import { z } from '@hono/zod-openapi'
import { ARCHIVE_STATES, archiveState } from '../../../domain/archives.ts'
import {
  id,
  instant,
  textField,
  presentStamps,
  stamps,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { presentStarted, StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import type { BackupRow } from './backups.queries.ts'
import { FORMAT, FORMAT_VERSION, type Manifest } from './backups.rules.ts'
import type { Requested } from './backups.usecases.ts'

export const ListBackupsQuery = z.strictObject(pageQuery())

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const fields = {
  id: id('bak', 'Id of the backup.'),
  state: z.enum(ARCHIVE_STATES).openapi({
    description: 'State of the backup. It can be downloaded while it is `ready`.',
    example: 'ready',
  }),
  jobId: id('tsk', 'Job that makes the backup.').nullable(),
  size: integerField('Size of the archive in bytes; null until it is ready.', 48_211).nullable(),
  sha256: textField('SHA-256 of the archive.', SHA).nullable(),
  finishedAt: instant('Time at which it was ready.').nullable(),
  expiresAt: instant('Time at which it is deleted.').nullable(),
  ...stamps,
}

export const BackupSummary = z.object(fields).openapi('BackupSummary')

const manifest = z
  .object({
    format: textField('Format of the archive.', FORMAT),
    formatVersion: integerField('Version of the format.', FORMAT_VERSION),
    createdAt: instant('Time of the data in the archive.'),
    userId: id('usr', 'User whose data it is.'),
    changedMeanwhile: booleanField('Whether data was changed while it was read.', false),
    counts: z
      .record(z.string(), z.number().int())
      .openapi({ description: 'Number of rows of each kind.', example: { accounts: 2 } }),
    files: z
      .array(
        z.object({
          path: textField('Path in the archive.', 'accounts.ndjson'),
          size: integerField('Size in bytes.', 1200),
          sha256: textField('SHA-256 of the file.', SHA),
        }),
      )
      .openapi({ description: 'All files in the archive except the manifest.' }),
    missing: z
      .array(z.string())
      .openapi({ description: 'Files whose content was missing.', example: [] }),
    contentHash: textField(
      'SHA-256 of all data. Backups of equal data have the same, whenever they are made.',
      SHA,
    ),
    seal: textField(
      'Proof that this service made the archive for this user. Restored by both, its ids stay.',
      '5v9TzV1F1hD3sJ0bqg1nR0c7kq2X9m4yE8uWb6aLZ2o',
    ),
  })
  .openapi({
    description: 'Contents, as in the `manifest.json` of the archive; null unless it is ready.',
  })

export const BackupResponse = z
  .object({ ...fields, manifest: manifest.nullable() })
  .openapi('BackupResponse')

export const BackupRequestedResponse = z
  .object({
    id: id('bak', 'Id of the backup.'),
    ...StartedJobResponse.shape,
  })
  .openapi('BackupRequestedResponse')

export const BackupsResponse = pageResponse(
  'backups',
  BackupSummary,
  'One page of the list, newest first.',
).openapi('BackupsResponse')

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

export const presentBackups = presentPage('backups', presentSummary)

export const presentRequested = ({
  id,
  job,
}: Requested): z.infer<typeof BackupRequestedResponse> => ({ id, ...presentStarted(job) })
