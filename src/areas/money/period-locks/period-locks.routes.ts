import { answer } from '../../../http/answer.ts'
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

export const listPeriodLocks = operation(
  'periodLocks.read',
  {
    method: 'get',
    path: '/period-lock',
    operationId: 'listPeriodLocks',
    summary: 'List period locks',
    tags: ['Period locks'],
    request: { query: ListPeriodLocksQuery },
    responses: { 200: json(PeriodLocksResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentPeriodLocks, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => periodLocks.listPeriodLocks(ctx, query, page))
    }),
)

export const createPeriodLock = operation(
  'periodLocks.write',
  {
    method: 'post',
    path: '/period-lock',
    operationId: 'createPeriodLock',
    summary: 'Create a period lock',
    tags: ['Period locks'],
    request: jsonRequest(CreatePeriodLockRequest),
    responses: {
      200: json(PeriodLockCheckResponse, 'What a dry run found'),
      201: json(PeriodLockResponse, 'The new lock'),
    },
    errors: [409],
  },
  (c) => {
    const { dryRun, ...wanted } = c.req.valid('json')
    return dryRun
      ? answer(c, 200, presentCheck, (ctx) => periodLocks.checkPeriodLock(ctx, wanted))
      : answer(c, 201, presentPeriodLock, (ctx) => periodLocks.createPeriodLock(ctx, wanted))
  },
)

export const getPeriodLock = operation(
  'periodLocks.read',
  {
    method: 'get',
    path: '/period-lock/{id}',
    operationId: 'getPeriodLock',
    summary: 'Get a period lock',
    tags: ['Period locks'],
    request: { params: lockId, query: GetPeriodLockQuery },
    responses: { 200: json(PeriodLockResponse, 'The lock') },
  },
  (c) =>
    answer(c, 200, presentPeriodLock, (ctx) =>
      periodLocks.getPeriodLock(ctx, c.req.valid('param').id, c.req.valid('query').verify),
    ),
)

export const deletePeriodLock = operation(
  'periodLocks.write',
  {
    method: 'delete',
    path: '/period-lock/{id}',
    operationId: 'deletePeriodLock',
    summary: 'End a period lock',
    tags: ['Period locks'],
    versioned: true,
    request: { params: lockId, query: DeletePeriodLockQuery },
    responses: { 200: json(MessageResponse, 'The lock has ended') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The lock has ended.' }),
      (ctx) =>
        periodLocks.deletePeriodLock(ctx, c.req.valid('param').id, c.req.valid('query').reason),
    ),
)
