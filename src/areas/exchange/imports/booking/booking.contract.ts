import { z } from '@hono/zod-openapi'
import { booleanField } from '../../../../http/fields.ts'
import { presentStarted, type StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import type { Begun } from './commit.usecases.ts'

export const CommitImportRequest = z
  .strictObject({
    transfers: z.enum(['suggest', 'match']).optional().openapi({
      description:
        'Likely transfers: `suggest` only suggests them, `match` joins pairs that score 0.85 or more.',
      example: 'match',
    }),
    vanished: z.enum(['keep', 'trash']).optional().openapi({
      description:
        'Pending transactions that the preview lists as `vanished`: `keep` leaves them, `trash` moves them to the trash.',
      example: 'keep',
    }),
    assertBalances: booleanField(
      'true to state the closing balance of each statement as a balance assertion.',
      true,
    ).optional(),
    reconcile: booleanField(
      'true to open a reconciliation of the newest statement of each account, with the rows of the import ticked.',
      true,
    ).optional(),
    force: booleanField(
      'Required for statements whose balances do not fit their rows, for rows under a soft period lock, and to change what is reconciled.',
      true,
    ).optional(),
  })
  .openapi('CommitImportRequest')

export const presentBegun = ({ job }: Begun): z.infer<typeof StartedJobResponse> =>
  presentStarted(job)
