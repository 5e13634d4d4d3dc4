import { z } from '@hono/zod-openapi'
import { presentStarted, type StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import type { Begun } from './commit.usecases.ts'

export const CommitImportRequest = z.strictObject({}).openapi('CommitImportRequest')

export const presentBegun = ({ job }: Begun): z.infer<typeof StartedJobResponse> =>
  presentStarted(job)
