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
  idInPath,
  toInstant,
  currency,
  idInput,
  money,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { isWithin, must } from '../../../http/issues.ts'
import { presentStartedJob, StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import type { BackupRow } from './backups.queries.ts'
import { FORMAT, FORMAT_VERSION, type Manifest, MOST_PARTS, UPLOAD_BYTES } from './backups.rules.ts'
import type { RequestedBackup } from './backups.usecases.ts'
import type { UploadView } from './uploads.usecases.ts'
import type { Inspection } from './verifying/inspection.usecases.ts'
import { FAULTS, MOST_BALANCES } from './verifying/verifying.rules.ts'

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

export const presentRequestedBackup = ({
  id,
  job,
}: RequestedBackup): z.infer<typeof BackupRequestedResponse> => ({ id, ...presentStartedJob(job) })

export const CreateBackupUploadRequest = z
  .strictObject({
    size: z
      .number()
      .int()
      .min(1)
      .max(UPLOAD_BYTES)
      .openapi({ description: 'Size of the whole archive in bytes.', example: 73_400_320 }),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .toLowerCase()
      .openapi({ description: 'SHA-256 of the whole archive.', example: SHA }),
  })
  .openapi('CreateBackupUploadRequest')

export const BackupUploadPartParams = z.object({
  id: idInPath('upl', 'Id of the upload.'),
  n: z
    .string()
    .refine(isWithin(1, MOST_PARTS), must(`must be between 1 and ${MOST_PARTS}`, 'range'))
    .transform(Number)
    .openapi({
      ...{ type: 'integer', minimum: 1, maximum: MOST_PARTS },
      ...{ description: 'Number of the part, from 1.', example: 1 },
    }),
})

export const BackupUploadResponse = z
  .object({
    id: id('upl', 'Id of the upload.'),
    size: integerField('Size of the whole archive, as declared.', 73_400_320),
    sha256: textField('SHA-256 of the whole archive, as declared.', SHA),
    received: integerField('Number of bytes in the parts that were stored.', 52_428_800),
    parts: z
      .array(
        z.object({
          number: integerField('Number of the part, from 1.', 1),
          size: integerField('Size of the part in bytes.', 52_428_800),
          sha256: textField('SHA-256 of the part.', SHA),
        }),
      )
      .openapi({ description: 'The parts that were stored, in order.' }),
    expiresAt: instant('Time at which it is deleted, unless it is used before.'),
    createdAt: instant('Time at which it began.'),
  })
  .openapi('BackupUploadResponse')

export const presentUpload = ({
  upload,
  parts,
}: UploadView): z.infer<typeof BackupUploadResponse> => ({
  id: upload.id,
  size: upload.size,
  sha256: upload.sha256,
  received: parts.reduce((bytes, { size }) => bytes + size, 0),
  parts: parts.map(({ number, size, sha256 }) => ({ number, size, sha256 })),
  expiresAt: toInstant(upload.expiresAt),
  createdAt: toInstant(upload.createdAt),
})

export const VerifyBackupQuery = z.strictObject({
  uploadId: idInput('upl', 'Upload that is verified in place of a body.').optional(),
  backupId: idInput('bak', 'Own backup that is verified in place of a body.').optional(),
})

export const BackupVerificationResponse = z
  .object({
    intact: booleanField('Whether the archive has no faults.', true),
    formatVersion: integerField('Version of the format.', FORMAT_VERSION),
    createdAt: instant('Time of the data in the archive.'),
    contentHash: textField('SHA-256 of all data, calculated from the files.', SHA),
    counts: z
      .record(z.string(), z.number().int())
      .openapi({ description: 'Number of rows of each kind.', example: { accounts: 2 } }),
    balances: z
      .array(
        z.object({
          accountId: id('acc', 'Id of the account.'),
          name: textField('Name of the account.', 'Everyday'),
          currency: currency(),
          balance: money('Balance of the account.'),
        }),
      )
      .openapi({ description: 'The first 1,000 accounts in the archive.' }),
    faultCount: integerField('Number of faults.', 0),
    faults: z
      .array(
        z.object({
          code: z
            .enum(FAULTS)
            .openapi({ description: 'Kind of the fault.', example: 'hashMismatch' }),
          member: textField('File in the archive.', 'transactions.ndjson'),
          line: integerField('Line of the file, from 1 on.', 12).nullable(),
          message: textField('The fault in words.', 'Its SHA-256 is not that of the manifest.'),
        }),
      )
      .openapi({ description: 'The first 100 faults.', example: [] }),
  })
  .openapi('BackupVerificationResponse')

export const presentInspection = ({
  manifest,
  contentHash,
  known,
  faultCount,
  faults,
}: Inspection): z.infer<typeof BackupVerificationResponse> => ({
  intact: faultCount === 0,
  formatVersion: manifest.formatVersion,
  createdAt: manifest.createdAt,
  contentHash,
  counts: manifest.counts,
  balances: known.accounts
    .values()
    .take(MOST_BALANCES)
    .map(({ id: accountId, name, currency: of, balance }) => ({
      accountId,
      name,
      currency: of,
      balance,
    }))
    .toArray(),
  faultCount,
  faults,
})
