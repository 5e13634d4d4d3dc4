import { pathId } from '../../../../http/fields.ts'
import { announceNext, paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AccountHistoryList,
  AccountHistoryQuery,
  AccountHistoryRecordResponse,
  presentAccountHistory,
  presentRecord,
  SuccessResponse,
  UpdateAccountHistoryCommentDTO,
} from './history.contract.ts'
import type { HistoryRow } from './history.queries.ts'
import * as history from './history.usecases.ts'

const recordId = pathId('log', 'record')
const done = () => ({ success: true })

export const getAccountHistory = operation({
  access: 'accountHistory.read',
  on: 'GET /account-history',
  summary: 'List account history records',
  tag: 'Account history',
  request: { query: AccountHistoryQuery },
  responses: { 200: json(AccountHistoryList, 'The records') },
  run: async (ctx, { query, c }) => {
    const found = await paged(ctx, query, (page) => history.getAccountHistory(ctx, query, page))
    announceNext(c, found.nextCursor)
    return found.rows
  },
  present: (rows: HistoryRow[]) => rows.map(presentAccountHistory),
})

export const getAccountHistoryRecord = operation({
  access: 'accountHistory.read',
  on: 'GET /account-history/{id}',
  summary: 'Get an account history record',
  tag: 'Account history',
  request: { params: recordId },
  responses: { 200: json(AccountHistoryRecordResponse, 'The record') },
  run: (ctx, { params }) => history.getAccountHistoryRecord(ctx, params.id),
  present: presentRecord,
})

export const deleteAccountHistory = operation({
  access: 'accountHistory.write',
  on: 'DELETE /account-history/{id}',
  summary: 'Hide an account history record',
  tag: 'Account history',
  versioned: true,
  request: { params: recordId },
  responses: { 200: json(SuccessResponse, 'The record is hidden') },
  run: (ctx, { params }) => history.deleteAccountHistory(ctx, params.id),
  present: done,
})

export const updateAccountHistoryComment = operation({
  access: 'accountHistory.write',
  on: 'PATCH /account-history/{id}',
  summary: 'Comment on an account history record',
  tag: 'Account history',
  versioned: true,
  request: { params: recordId, ...jsonRequest(UpdateAccountHistoryCommentDTO) },
  responses: { 200: json(SuccessResponse, 'The comment was saved') },
  run: (ctx, { params, body }) => history.updateAccountHistoryComment(ctx, params.id, body.comment),
  present: done,
})
