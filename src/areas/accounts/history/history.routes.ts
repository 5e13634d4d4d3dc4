import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { announceNext, paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentHistory, presentRecord } from './history.presenters.ts'
import type { HistoryRow } from './history.queries.ts'
import {
  AccountHistoryList,
  AccountHistoryQuery,
  AccountHistoryRecordDTO,
  SuccessResponse,
  UpdateAccountHistoryCommentDTO,
} from './history.schemas.ts'
import { commentOnHistory, findHistory, hideHistory, listHistory } from './history.usecases.ts'

export const accountHistoryRoutes = newArea()

const recordId = pathId('log', 'record')
const done = () => ({ success: true })

export const getAccountHistory = defineRoute('accountHistory.read', {
  method: 'get',
  path: '/account-history',
  operationId: 'getAccountHistory',
  summary: 'What happened to the own accounts, newest first; a Link header announces more',
  tags: ['Account history'],
  request: { query: AccountHistoryQuery },
  responses: { 200: json(AccountHistoryList, 'The records') },
})
accountHistoryRoutes.openapi(getAccountHistory, (c) =>
  answer(
    c,
    200,
    (rows: HistoryRow[]) => rows.map(presentHistory),
    async (ctx) => {
      const query = c.req.valid('query')
      const found = await paged(ctx, query, (page) => listHistory(ctx, query, page))
      announceNext(c, found.nextCursor)
      return found.rows
    },
  ),
)

export const getAccountHistoryRecord = defineRoute('accountHistory.read', {
  method: 'get',
  path: '/account-history/{id}',
  operationId: 'getAccountHistoryRecord',
  summary: 'One record of an account’s history',
  tags: ['Account history'],
  request: { params: recordId },
  responses: { 200: json(AccountHistoryRecordDTO, 'The record') },
  errors: [404],
})
accountHistoryRoutes.openapi(getAccountHistoryRecord, (c) =>
  answer(c, 200, presentRecord, (ctx) => findHistory(ctx, c.req.valid('param').id)),
)

export const deleteAccountHistory = defineRoute('accountHistory.write', {
  method: 'delete',
  path: '/account-history/{id}',
  operationId: 'deleteAccountHistory',
  summary: 'Hide a record; balances stay as they are',
  tags: ['Account history'],
  versioned: true,
  request: { params: recordId },
  responses: { 200: json(SuccessResponse, 'It is hidden') },
  errors: [404],
})
accountHistoryRoutes.openapi(deleteAccountHistory, (c) =>
  answer(c, 200, done, (ctx) => hideHistory(ctx, c.req.valid('param').id)),
)

export const updateAccountHistoryComment = defineRoute('accountHistory.write', {
  method: 'patch',
  path: '/account-history/{id}',
  operationId: 'updateAccountHistoryComment',
  summary: 'Comment on a record; an empty comment clears it',
  tags: ['Account history'],
  versioned: true,
  request: { params: recordId, ...jsonRequest(UpdateAccountHistoryCommentDTO) },
  responses: { 200: json(SuccessResponse, 'It is kept') },
  errors: [404],
})
accountHistoryRoutes.openapi(updateAccountHistoryComment, (c) =>
  answer(c, 200, done, (ctx) =>
    commentOnHistory(ctx, c.req.valid('param').id, c.req.valid('json').comment),
  ),
)
