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

export const getNetWorth = operation({
  access: 'reports.read',
  on: 'GET /report/net-worth',
  summary: 'Get the net worth',
  request: { query: NetWorthQuery },
  responses: { 200: json(NetWorthResponse, 'The net worth') },
  run: (ctx, { query }) => reports.getNetWorth(ctx, query),
  present: presentNetWorth,
})

export const getNetWorthHistory = operation({
  access: 'reports.read',
  on: 'GET /report/net-worth/history',
  summary: 'Get the net worth history',
  request: { query: NetWorthHistoryQuery },
  responses: { 200: json(NetWorthHistoryResponse, 'The series, oldest first') },
  run: (ctx, { query }) => reports.getNetWorthHistory(ctx, query),
  present: presentNetWorthHistory,
})
