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

export const listJobs = operation({
  access: 'jobs.read',
  on: 'GET /job',
  summary: 'List own jobs',
  request: { query: ListJobsQuery },
  responses: { 200: json(JobsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => jobs.listJobs(ctx, query, page)),
  present: presentJobs,
})

export const getJob = operation({
  access: 'jobs.read',
  on: 'GET /job/{id}',
  summary: 'Get a job',
  request: { params },
  responses: { 200: json(JobResponse, 'The job') },
  run: (ctx, { params }) => jobs.getJob(ctx, params.id),
  present: presentJob,
})

export const cancelJob = operation({
  access: 'jobs.write',
  on: 'POST /job/{id}/cancel',
  summary: 'Cancel a job',
  request: { params },
  responses: { 200: json(JobResponse, 'The job: cancelled, or still running') },
  run: (ctx, { params }) => jobs.cancelJob(ctx, params.id),
  present: presentJob,
})
