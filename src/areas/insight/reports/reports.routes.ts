import { answer } from '../../../http/answer.ts'
import { json, operation } from '../../../http/route.ts'
import {
  NetWorthHistoryQuery,
  NetWorthHistoryResponse,
  NetWorthQuery,
  NetWorthResponse,
  presentNetWorth,
  presentNetWorthHistory,
} from './reports.contract.ts'
import * as reports from './reports.usecases.ts'

export const getNetWorth = operation(
  'reports.read',
  {
    method: 'get',
    path: '/report/net-worth',
    operationId: 'getNetWorth',
    summary: 'Get the net worth',
    tags: ['Reports'],
    request: { query: NetWorthQuery },
    responses: { 200: json(NetWorthResponse, 'The net worth') },
  },
  (c) => answer(c, 200, presentNetWorth, (ctx) => reports.getNetWorth(ctx, c.req.valid('query'))),
)

export const getNetWorthHistory = operation(
  'reports.read',
  {
    method: 'get',
    path: '/report/net-worth/history',
    operationId: 'getNetWorthHistory',
    summary: 'Get the net worth history',
    tags: ['Reports'],
    request: { query: NetWorthHistoryQuery },
    responses: { 200: json(NetWorthHistoryResponse, 'The series, oldest first') },
  },
  (c) =>
    answer(c, 200, presentNetWorthHistory, (ctx) =>
      reports.getNetWorthHistory(ctx, c.req.valid('query')),
    ),
)
