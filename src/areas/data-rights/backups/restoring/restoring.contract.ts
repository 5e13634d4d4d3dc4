import { z } from '@hono/zod-openapi'
import {
  booleanField,
  currency,
  id,
  idInput,
  instant,
  integerField,
  money,
  presentStamps,
  stamps,
  textField,
  toInstantOrNull,
} from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { fileNameInput } from '../../../files/attachments/attachments.public.ts'
import { presentStartedJob, StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import { FORMAT_VERSION } from '../backups.rules.ts'
import type { RestoreRow } from './restoring.queries.ts'
import {
  NOT_RESTORED,
  RESTORE_STATES,
  type RestoreReport,
  restoreState,
} from './restoring.rules.ts'
import type { RequestedRestore } from './restoring.usecases.ts'

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const PAIR = /^acc_[0-9a-z]{26}:acc_[0-9a-z]{26}$/
const MOST_PAIRS = 50

/** Pairs of ids, as an object; no account stands twice on either side. */
const accountMapInput = z
  .string()
  .max(MOST_PAIRS * 62)
  .refine((text) => text.split(',').every((pair) => PAIR.test(pair)), {
    error: 'Write pairs of account ids, such as acc_…:acc_…, separated by commas.',
  })
  .transform((text) => text.split(',').map((pair) => pair.split(':')))
  .refine(
    (pairs) => [0, 1].every((at) => new Set(pairs.map((pair) => pair[at])).size === pairs.length),
    {
      error: 'Name each account once.',
    },
  )
  .transform((pairs): Record<string, string> => Object.fromEntries(pairs) as Record<string, string>)
  .optional()
  .openapi({
    ...{ type: 'string', maxLength: MOST_PAIRS * 62 },
    description:
      'With `merge`: pairs of an account of the archive and an own account that stands for it, as `archived:own`, separated by commas. The transactions of the first are added to the second.',
    example: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5:acc_01k9v3q8m5t0w2x4y6z8a1b3d7',
  })

export const RestoreBackupQuery = z.strictObject({
  fileName: fileNameInput.optional(),
  uploadId: idInput('upl', 'Upload that is restored in place of a body.').optional(),
  backupId: idInput('bak', 'Own backup that is restored in place of a body.').optional(),
  mode: z.enum(['empty', 'merge']).default('empty').openapi({
    description:
      '`empty` restores for a user without data. `merge` adds missing data, and does not change existing data.',
    example: 'empty',
  }),
  accountMap: accountMapInput,
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .openapi({
      ...{ type: 'boolean', default: false },
      ...{ description: 'Whether the archive is only checked.', example: true },
    }),
})

export const ListRestoresQuery = z.strictObject(pageQuery())

const fields = {
  id: id('rst', 'Id of the restore.'),
  state: z.enum(RESTORE_STATES).openapi({
    description:
      'State of the restore. `takingBack` removes what was stored before it failed. It has ended when it is `done` or `failed`.',
    example: 'done',
  }),
  mode: z
    .enum(['empty', 'merge'])
    .openapi({ description: 'Mode of the restore.', example: 'empty' }),
  dryRun: booleanField('Whether the archive is only checked.', false),
  jobId: id('tsk', 'Job that restores the backup, or the next part of it.').nullable(),
  fileName: textField(
    'Name of the file, as it was sent.',
    'coffer-backup-2026-03-20.zip',
  ).nullable(),
  size: integerField('Size of the archive in bytes.', 48_211),
  sha256: textField('SHA-256 of the archive.', SHA),
  contentHash: textField(
    'SHA-256 of all data, which the next backup also has if nothing changes before. Null until everything is restored.',
    SHA,
  ).nullable(),
  finishedAt: instant('Time at which it ended.').nullable(),
  ...stamps,
}

export const RestoreSummary = z.object(fields).openapi('RestoreSummary')

export const RestoreResponse = z
  .object({
    ...fields,
    formatVersion: integerField('Version of the format of the archive.', FORMAT_VERSION).nullable(),
    archiveCreatedAt: instant('Time of the data in the archive.').nullable(),
    archiveHash: textField(
      'The `contentHash` of the archive. It differs from `contentHash` only if ids had to be replaced.',
      SHA,
    ).nullable(),
    counts: z.record(z.string(), z.number().int()).openapi({
      description: 'Number of rows in the archive by table.',
      example: { accounts: 2 },
    }),
    balances: z
      .array(
        z.object({
          accountId: id('acc', 'Id of the account in the archive.'),
          name: textField('Name of the account.', 'Everyday'),
          currency: currency(),
          balance: money('Balance of the account.'),
        }),
      )
      .openapi({ description: 'The accounts in the archive, 1,000 at most.' }),
    idMap: z
      .array(
        z.object({
          from: textField('Id in the archive.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          to: textField('Id after restoring.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3d7'),
        }),
      )
      .openapi({
        description:
          'New ids of accounts, categories, payees, tags and others, 1,000 at most. All ids of the archive are replaced unless this service made it for this user and nobody changed it. Merging also replaces the ids of rows that an existing row stands for.',
        example: [],
      }),
    merged: z
      .record(
        z.string(),
        z.object({
          added: integerField('Number of rows that are added.', 2),
          mapped: integerField('Number of rows for which an existing row stands.', 1),
          skipped: integerField('Number of rows that exist already or are left out.', 12),
        }),
      )
      .nullable()
      .openapi({
        description:
          'With `merge`: numbers of rows of the archive that are added, mapped and skipped, by table.',
        example: { tags: { added: 2, mapped: 1, skipped: 12 } },
      }),
    notRestored: z.array(z.enum(NOT_RESTORED)).openapi({
      description: 'Kinds of data that are not restored.',
      example: ['auditLog', 'shares'],
    }),
    error: z
      .object({
        code: textField('Code of the error.', 'backups.hashMismatch'),
        message: textField('The error in words.', 'Its SHA-256 is not that of the manifest.'),
        member: textField('File in the archive.', 'data/tags.ndjson').nullable(),
        line: integerField('Line of the file, from 1 on.', 12).nullable(),
      })
      .nullable()
      .openapi({ description: 'Why it failed.' }),
    left: integerField(
      'Number of rows that a failed restore left because later data needs them, such as later bookings.',
      0,
    ),
  })
  .openapi('RestoreResponse')

export const RestoreRequestedResponse = z
  .object({ id: id('rst', 'Id of the restore.'), ...StartedJobResponse.shape })
  .openapi('RestoreRequestedResponse')

export const RestoresResponse = pageResponse(
  'restores',
  RestoreSummary,
  'One page of the list, newest first.',
).openapi('RestoresResponse')

const reportOf = ({ report }: RestoreRow) => JSON.parse(report) as RestoreReport

const presentSummary = (row: RestoreRow): z.infer<typeof RestoreSummary> => ({
  id: row.id,
  state: restoreState(row.stored, row.task),
  mode: row.mode,
  dryRun: row.dryRun,
  jobId: row.taskId,
  fileName: row.fileName,
  size: row.size,
  sha256: row.sha256,
  contentHash: reportOf(row).contentHash ?? null,
  finishedAt: toInstantOrNull(row.finishedAt),
  ...presentStamps(row),
})

export function presentRestore(row: RestoreRow): z.infer<typeof RestoreResponse> {
  const report = reportOf(row)
  return {
    ...presentSummary(row),
    formatVersion: report.formatVersion ?? null,
    archiveCreatedAt: report.archiveCreatedAt ?? null,
    archiveHash: report.archiveHash ?? null,
    counts: report.counts ?? {},
    balances: report.balances ?? [],
    idMap: report.idMap ?? [],
    merged: report.merged ?? null,
    notRestored: [...NOT_RESTORED],
    error: report.error ?? null,
    left: report.left ?? 0,
  }
}

export const presentRestores = presentPage('restores', presentSummary)

export const presentRequestedRestore = ({
  id: restoreId,
  job,
}: RequestedRestore): z.infer<typeof RestoreRequestedResponse> => ({
  id: restoreId,
  ...presentStartedJob(job),
})
