import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { announceNext, paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AccountHistoryList,
  AccountHistoryQuery,
  AccountHistoryRecordResponse,
  presentHistory,
  presentRecord,
  SuccessResponse,
  UpdateAccountHistoryCommentDTO,
} from './history.contract.ts'
import type { HistoryRow } from './history.queries.ts'
import * as history from './history.usecases.ts'

const recordId = pathId('log', 'record')
const done = () => ({ success: true })

export const getAccountHistory = operation(
  'accountHistory.read',
  {
    method: 'get',
    path: '/account-history',
    operationId: 'getAccountHistory',
    summary: 'List account history records',
    tags: ['Account history'],
    request: { query: AccountHistoryQuery },
    responses: { 200: json(AccountHistoryList, 'The records') },
  },
  (c) =>
    answer(
      c,
      200,
      (rows: HistoryRow[]) => rows.map(presentHistory),
      async (ctx) => {
        const query = c.req.valid('query')
        const found = await paged(ctx, query, (page) => history.getAccountHistory(ctx, query, page))
        announceNext(c, found.nextCursor)
        return found.rows
      },
    ),
)

export const getAccountHistoryRecord = operation(
  'accountHistory.read',
  {
    method: 'get',
    path: '/account-history/{id}',
    operationId: 'getAccountHistoryRecord',
    summary: 'Get an account history record',
    tags: ['Account history'],
    request: { params: recordId },
    responses: { 200: json(AccountHistoryRecordResponse, 'The record') },
  },
  (c) =>
    answer(c, 200, presentRecord, (ctx) =>
      history.getAccountHistoryRecord(ctx, c.req.valid('param').id),
    ),
)

export const deleteAccountHistory = operation(
  'accountHistory.write',
  {
    method: 'delete',
    path: '/account-history/{id}',
    operationId: 'deleteAccountHistory',
    summary: 'Hide an account history record',
    tags: ['Account history'],
    versioned: true,
    request: { params: recordId },
    responses: { 200: json(SuccessResponse, 'The record is hidden') },
  },
  (c) => answer(c, 200, done, (ctx) => history.deleteAccountHistory(ctx, c.req.valid('param').id)),
)

export const updateAccountHistoryComment = operation(
  'accountHistory.write',
  {
    method: 'patch',
    path: '/account-history/{id}',
    operationId: 'updateAccountHistoryComment',
    summary: 'Comment on an account history record',
    tags: ['Account history'],
    versioned: true,
    request: { params: recordId, ...jsonRequest(UpdateAccountHistoryCommentDTO) },
    responses: { 200: json(SuccessResponse, 'The comment was saved') },
  },
  (c) =>
    answer(c, 200, done, (ctx) =>
      history.updateAccountHistoryComment(
        ctx,
        c.req.valid('param').id,
        c.req.valid('json').comment,
      ),
    ),
)
