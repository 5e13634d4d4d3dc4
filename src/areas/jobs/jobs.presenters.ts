import type { z } from '@hono/zod-openapi'
import type { Listed } from '../../http/pagination.ts'
import { hasEnded, presentFields, type TaskRow } from '../queue-tasks/queue-tasks.public.ts'
import type { JobResponse, ListJobsResponse, StartedJobResponse } from './jobs.schemas.ts'

export const presentJob = (task: TaskRow): z.infer<typeof JobResponse> => ({
  ...presentFields(task),
  cancellable: task.cancellable && task.cancelRequestedAt === null && !hasEnded(task.state),
})

export const presentStarted = (task: TaskRow): z.infer<typeof StartedJobResponse> => ({
  job: presentJob(task),
})

export const presentJobs = ({
  rows,
  count,
  nextCursor,
}: Listed<TaskRow>): z.infer<typeof ListJobsResponse> => ({
  jobs: rows.map(presentJob),
  count,
  nextCursor,
})
