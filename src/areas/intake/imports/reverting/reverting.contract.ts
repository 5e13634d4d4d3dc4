import { z } from '@hono/zod-openapi'
import { booleanField, id, integerField, textField } from '../../../../http/fields.ts'
import { presentStartedJob, StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import type { RevertResult } from './reverting.usecases.ts'
import { messageFor, type Reverted } from './reverting.rules.ts'

export const RevertImportRequest = z
  .strictObject({
    dryRun: booleanField(
      'true to see what would be taken back, and change nothing.',
      true,
    ).optional(),
    edited: z.enum(['keep', 'remove']).optional().openapi({
      description:
        'Transactions that were changed since: `keep` leaves them, `remove` moves them to the trash.',
      example: 'keep',
    }),
    force: booleanField(
      'true to take back what is reconciled, linked or locked, too.',
      false,
    ).optional(),
  })
  .openapi('RevertImportRequest')

export const keptField = z.object({
  id: id(
    'txn',
    'Id of the transaction that stays, or of the account or category that the import created.',
  ),
  fields: z
    .array(textField('Name of a field.', 'amount'))
    .optional()
    .openapi({
      description:
        'Of a transaction that the import matched: fields that stay as they are, because they were changed since. All others are as they were before the import.',
      example: ['amount', 'date'],
    }),
  reason: textField('Why it stays, as a code.', 'edited: description'),
  message: textField(
    'The reason as a sentence, and what to send to take it back.',
    'It was changed since. Send `edited: remove` to move it to the trash.',
  ),
})

export const revertedField = z
  .object({
    removed: integerField('Number of transactions that are erased.', 5),
    restored: integerField('Number of transactions that lose what was added.', 2),
    kept: z.array(keptField).openapi({
      description: 'Transactions, accounts and categories that stay; at most 1,000 are listed.',
    }),
  })
  .openapi('ImportReverted')

export const presentReverted = ({
  removed,
  restored,
  kept,
}: Reverted): z.infer<typeof revertedField> => ({
  removed,
  restored,
  kept: kept.map((one) => ({ ...one, message: messageFor(one) })),
})

export const RevertedImportResponse = z
  .object({
    job: StartedJobResponse.shape.job.optional().openapi({
      description: 'Job that takes the import back; left out in a dry run.',
    }),
    report: revertedField.nullable().openapi({
      description: 'Result that a revert would have; null unless this is a dry run.',
    }),
  })
  .openapi('RevertedImportResponse')

export const presentRevert = ({
  job,
  report,
}: RevertResult): z.infer<typeof RevertedImportResponse> => ({
  ...(job === null ? {} : { job: presentStartedJob(job).job }),
  report: report === null ? null : presentReverted(report),
})
