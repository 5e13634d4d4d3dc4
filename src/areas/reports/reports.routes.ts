import { answer } from '../../http/answer.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentNetWorth, presentNetWorthHistory } from './reports.presenters.ts'
import {
  NetWorthHistoryQuery,
  NetWorthHistoryResponse,
  NetWorthQuery,
  NetWorthResponse,
} from './reports.schemas.ts'
import { findNetWorth, findNetWorthHistory } from './reports.usecases.ts'

export const reportRoutes = newArea()

export const getNetWorth = defineRoute('reports.read', {
  method: 'get',
  path: '/report/net-worth',
  operationId: 'getNetWorth',
  summary: 'What is owned and owed at the end of a day, by account and by currency',
  tags: ['Reports'],
  request: { query: NetWorthQuery },
  responses: { 200: json(NetWorthResponse, 'The net worth') },
})
reportRoutes.openapi(getNetWorth, (c) =>
  answer(c, 200, presentNetWorth, (ctx) => findNetWorth(ctx, c.req.valid('query'))),
)

export const getNetWorthHistory = defineRoute('reports.read', {
  method: 'get',
  path: '/report/net-worth/history',
  operationId: 'getNetWorthHistory',
  summary: 'Net worth at the end of each day, week or month, at the rates of each day',
  tags: ['Reports'],
  request: { query: NetWorthHistoryQuery },
  responses: { 200: json(NetWorthHistoryResponse, 'The series, oldest first') },
})
reportRoutes.openapi(getNetWorthHistory, (c) =>
  answer(c, 200, presentNetWorthHistory, (ctx) => findNetWorthHistory(ctx, c.req.valid('query'))),
)
