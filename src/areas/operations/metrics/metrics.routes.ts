import { answer } from '../../../http/answer.ts'
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

export const getMetrics = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/metrics',
    operationId: 'getMetrics',
    summary: 'Get metrics of the service',
    tags: ['Metrics'],
    responses: { 200: json(MetricsResponse, 'The counts') },
  },
  (c) => answer(c, 200, presentMetrics, metrics.getMetrics),
)

export const getStorageMetrics = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/metrics/storage',
    operationId: 'getStorageMetrics',
    summary: 'Get storage metrics',
    tags: ['Metrics'],
    request: { query: StorageMetricsQuery },
    responses: { 200: json(StorageMetricsResponse, 'The totals') },
  },
  (c) =>
    answer(c, 200, presentStorage, (ctx) =>
      metrics.getStorageMetrics(ctx, c.req.valid('query').limit),
    ),
)

export const getActiveUsers = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/metrics/active-users',
    operationId: 'getActiveUsers',
    summary: 'Count active users',
    tags: ['Metrics'],
    responses: { 200: json(ActiveUsersResponse, 'The counts, taken from the audit log') },
  },
  (c) => answer(c, 200, presentActiveUsers, metrics.getActiveUsers),
)
