import { answer } from '../../http/answer.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentActiveUsers, presentMetrics, presentStorage } from './metrics.presenters.ts'
import {
  ActiveUsersResponse,
  MetricsResponse,
  StorageMetricsQuery,
  StorageMetricsResponse,
} from './metrics.schemas.ts'
import { findActiveUsers, findMetrics, findStorage } from './metrics.usecases.ts'

export const metricRoutes = newArea()

export const getMetrics = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/metrics',
  operationId: 'getMetrics',
  summary: 'How many users, rows, files and tasks there are, what went on and what went wrong',
  tags: ['Metrics'],
  responses: { 200: json(MetricsResponse, 'The counts') },
})
metricRoutes.openapi(getMetrics, (c) => answer(c, 200, presentMetrics, findMetrics))

export const getStorageMetrics = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/metrics/storage',
  operationId: 'getStorageMetrics',
  summary: 'What groups and people keep, by storage class',
  tags: ['Metrics'],
  request: { query: StorageMetricsQuery },
  responses: { 200: json(StorageMetricsResponse, 'The sums') },
})
metricRoutes.openapi(getStorageMetrics, (c) =>
  answer(c, 200, presentStorage, (ctx) => findStorage(ctx, c.req.valid('query').limit)),
)

export const getActiveUsers = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/metrics/active-users',
  operationId: 'getActiveUsers',
  summary: 'How many people changed something in the last day, week and month',
  tags: ['Metrics'],
  responses: { 200: json(ActiveUsersResponse, 'The counts, taken from the audit log') },
})
metricRoutes.openapi(getActiveUsers, (c) => answer(c, 200, presentActiveUsers, findActiveUsers))
