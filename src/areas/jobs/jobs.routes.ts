import { answer } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentJob, presentJobs } from './jobs.presenters.ts'
import { JobResponse, ListJobsQuery, ListJobsResponse } from './jobs.schemas.ts'
import { cancelJob, findJob, findJobs } from './jobs.usecases.ts'

export const jobRoutes = newArea()

const params = pathId('tsk', 'job')

export const listJobs = defineRoute('jobs.read', {
  method: 'get',
  path: '/job',
  operationId: 'listJobs',
  summary: 'Work in the background that the caller asked for, newest first',
  tags: ['Jobs'],
  request: { query: ListJobsQuery },
  responses: { 200: json(ListJobsResponse, 'One page of it') },
})
jobRoutes.openapi(listJobs, (c) =>
  answer(c, 200, presentJobs, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findJobs(ctx, query, page))
  }),
)

export const getJob = defineRoute('jobs.read', {
  method: 'get',
  path: '/job/{id}',
  operationId: 'getJob',
  summary: 'State, progress and last error of one own job',
  tags: ['Jobs'],
  request: { params },
  responses: { 200: json(JobResponse, 'The job') },
  errors: [404],
})
jobRoutes.openapi(getJob, (c) =>
  answer(c, 200, presentJob, (ctx) => findJob(ctx, c.req.valid('param').id)),
)

export const postJobCancel = defineRoute('jobs.write', {
  method: 'post',
  path: '/job/{id}/cancel',
  operationId: 'cancelJob',
  summary: 'Call off an own job that waits, or ask one that runs to stop after its present step',
  tags: ['Jobs'],
  request: { params },
  responses: { 200: json(JobResponse, 'The job: cancelled, or still running') },
  errors: [404],
})
jobRoutes.openapi(postJobCancel, (c) =>
  answer(c, 200, presentJob, (ctx) => cancelJob(ctx, c.req.valid('param').id)),
)
