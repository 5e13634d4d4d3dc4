import { z } from '@hono/zod-openapi'
import { booleanField } from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import {
  hasEnded,
  presentFields,
  taskFields,
  type TaskRow,
  taskState,
} from '../queue-tasks/queue-tasks.public.ts'

export const ListJobsQuery = z.strictObject({
  state: taskState.optional().openapi({ description: 'Only jobs in this state.' }),
  ...pageQuery(),
})

export const JobResponse = z
  .object({
    ...taskFields,
    cancellable: booleanField('Whether the job can be cancelled now.', true),
  })
  .openapi('JobResponse')

/** The answer if the work has only begun. */
export const StartedJobResponse = z
  .object({ job: JobResponse.openapi({ description: 'Job that does the work.' }) })
  .openapi('StartedJobResponse')

export const JobsResponse = pageResponse(
  'jobs',
  JobResponse,
  'One page of the list, newest first.',
).openapi('JobsResponse')

export const presentJob = (task: TaskRow): z.infer<typeof JobResponse> => ({
  ...presentFields(task),
  cancellable: task.cancellable && task.cancelRequestedAt === null && !hasEnded(task.state),
})

export const presentStartedJob = (task: TaskRow): z.infer<typeof StartedJobResponse> => ({
  job: presentJob(task),
})

export const presentJobs = presentPage('jobs', presentJob)
