import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import {
  JobResponse,
  ListJobsQuery,
  JobsResponse,
  presentJob,
  presentJobs,
} from './jobs.contract.ts'
import * as jobs from './jobs.usecases.ts'

const params = pathId('tsk', 'job')

export const listJobs = operation(
  'jobs.read',
  {
    method: 'get',
    path: '/job',
    operationId: 'listJobs',
    summary: 'List own jobs',
    tags: ['Jobs'],
    request: { query: ListJobsQuery },
    responses: { 200: json(JobsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentJobs, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => jobs.listJobs(ctx, query, page))
    }),
)

export const getJob = operation(
  'jobs.read',
  {
    method: 'get',
    path: '/job/{id}',
    operationId: 'getJob',
    summary: 'Get a job',
    tags: ['Jobs'],
    request: { params },
    responses: { 200: json(JobResponse, 'The job') },
  },
  (c) => answer(c, 200, presentJob, (ctx) => jobs.getJob(ctx, c.req.valid('param').id)),
)

export const cancelJob = operation(
  'jobs.write',
  {
    method: 'post',
    path: '/job/{id}/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    tags: ['Jobs'],
    request: { params },
    responses: { 200: json(JobResponse, 'The job: cancelled, or still running') },
  },
  (c) => answer(c, 200, presentJob, (ctx) => jobs.cancelJob(ctx, c.req.valid('param').id)),
)
