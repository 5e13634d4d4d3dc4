import { json, operation } from '../../../http/route.ts'
import {
  ActiveUsersResponse,
  MetricsResponse,
  presentActiveUsers,
  presentMetrics,
  presentStorage,
  StorageMetricsQuery,
  StorageMetricsResponse,
} from './metrics.contract.ts'
import * as metrics from './metrics.usecases.ts'

export const getMetrics = operation({
  access: 'metrics.read',
  on: 'GET /admin/metrics',
  summary: 'Get metrics of the service',
  responses: { 200: json(MetricsResponse, 'The counts') },
  run: (ctx) => metrics.getMetrics(ctx),
  present: presentMetrics,
})

export const getStorageMetrics = operation({
  access: 'metrics.read',
  on: 'GET /admin/metrics/storage',
  summary: 'Get storage metrics',
  request: { query: StorageMetricsQuery },
  responses: { 200: json(StorageMetricsResponse, 'The totals') },
  run: (ctx, { query }) => metrics.getStorageMetrics(ctx, query.limit),
  present: presentStorage,
})

export const getActiveUsers = operation({
  access: 'metrics.read',
  on: 'GET /admin/metrics/active-users',
  summary: 'Count active users',
  responses: { 200: json(ActiveUsersResponse, 'The counts, taken from the audit log') },
  run: (ctx) => metrics.getActiveUsers(ctx),
  present: presentActiveUsers,
})
