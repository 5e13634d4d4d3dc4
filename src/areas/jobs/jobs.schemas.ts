import { z } from '@hono/zod-openapi'
import { count, nextCursor, yes } from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'
import { taskFields, taskState } from '../queue-tasks/queue-tasks.public.ts'

export const ListJobsQuery = z.strictObject({
  state: taskState.optional().openapi({ description: 'Only jobs in this state' }),
  ...pageQuery(),
})

export const JobResponse = z
  .object({
    ...taskFields,
    cancellable: yes('Whether it can be called off now.', true),
  })
  .openapi('JobResponse')

/** What is answered where the work is only begun. */
export const StartedJobResponse = z
  .object({ job: JobResponse.openapi({ description: 'The job that does it.' }) })
  .openapi('StartedJobResponse')

export const ListJobsResponse = z
  .object({
    jobs: z.array(JobResponse).openapi({ description: 'One page of them, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListJobsResponse')
