import { z } from '@hono/zod-openapi'
import { booleanField } from '../../../../http/fields.ts'
import { presentStarted, StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import { presentReverted, revertedField } from './reverted.contract.ts'
import type { RevertResult } from './reverting.usecases.ts'

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
  ...(job === null ? {} : { job: presentStarted(job).job }),
  report: report === null ? null : presentReverted(report),
})
