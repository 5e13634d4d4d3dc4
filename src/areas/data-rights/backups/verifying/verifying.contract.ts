import { z } from '@hono/zod-openapi'
import {
  booleanField,
  currency,
  id,
  idInput,
  instant,
  integerField,
  money,
  textField,
} from '../../../../http/fields.ts'
import { FORMAT_VERSION } from '../backups.rules.ts'
import type { Inspection } from './inspection.usecases.ts'
import { FAULTS, MOST_BALANCES } from './verifying.rules.ts'

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

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
