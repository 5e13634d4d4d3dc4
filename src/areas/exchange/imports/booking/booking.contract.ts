import { z } from '@hono/zod-openapi'
import { forceField } from '../../../money/transaction-views/transaction-views.public.ts'
import { presentStarted, type StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import type { Begun } from './commit.usecases.ts'

export const CommitImportRequest = z
  .strictObject({ force: forceField })
  .openapi('CommitImportRequest')

export const presentBegun = ({ job }: Begun): z.infer<typeof StartedJobResponse> =>
  presentStarted(job)
