import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreatePeriodLockRequest,
  DeletePeriodLockQuery,
  GetPeriodLockQuery,
  ListPeriodLocksQuery,
  PeriodLocksResponse,
  PeriodLockCheckResponse,
  PeriodLockResponse,
  presentCheck,
  presentPeriodLock,
  presentPeriodLocks,
} from './period-locks.contract.ts'
import * as periodLocks from './period-locks.usecases.ts'

const lockId = pathId('plk', 'period lock')

export const listPeriodLocks = operation({
  access: 'periodLocks.read',
  on: 'GET /period-lock',
  summary: 'List period locks',
  request: { query: ListPeriodLocksQuery },
  responses: { 200: json(PeriodLocksResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => periodLocks.listPeriodLocks(ctx, query, page)),
  present: presentPeriodLocks,
})

export const createPeriodLock = operation({
  access: 'periodLocks.write',
  on: 'POST /period-lock',
  summary: 'Create a period lock',
  request: jsonRequest(CreatePeriodLockRequest),
  responses: {
    200: json(PeriodLockCheckResponse, 'What a dry run found'),
    201: json(PeriodLockResponse, 'The new lock'),
  },
  errors: [409],
  run: async (ctx, { body: { dryRun, ...wanted } }) =>
    dryRun ? periodLocks.checkPeriodLock(ctx, wanted) : periodLocks.createPeriodLock(ctx, wanted),
  present: (found) => ('lock' in found ? presentPeriodLock(found) : presentCheck(found)),
  status: (found) => ('lock' in found ? 201 : 200),
})

export const getPeriodLock = operation({
  access: 'periodLocks.read',
  on: 'GET /period-lock/{id}',
  summary: 'Get a period lock',
  request: { params: lockId, query: GetPeriodLockQuery },
  responses: { 200: json(PeriodLockResponse, 'The lock') },
  run: (ctx, { params, query }) => periodLocks.getPeriodLock(ctx, params.id, query.verify),
  present: presentPeriodLock,
})

export const deletePeriodLock = operation({
  access: 'periodLocks.write',
  on: 'DELETE /period-lock/{id}',
  summary: 'End a period lock',
  versioned: true,
  request: { params: lockId, query: DeletePeriodLockQuery },
  responses: { 200: json(MessageResponse, 'The lock has ended') },
  run: (ctx, { params, query }) => periodLocks.deletePeriodLock(ctx, params.id, query.reason),
  present: () => ({ message: 'The lock has ended.' }),
})
