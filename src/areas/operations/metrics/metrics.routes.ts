import { json, operation } from '../../../http/route.ts'
import { presentHealth, SystemHealthResponse } from './health.contract.ts'
import {
  ActiveUsersResponse,
  MetricsResponse,
  presentActiveUsers,
  presentMetrics,
  presentStorage,
  StorageMetricsQuery,
  StorageMetricsResponse,
  GrowthTrendsQuery,
  GrowthTrendsResponse,
  presentGrowth,
  DownloadMetricsQuery,
  DownloadMetricsResponse,
  presentDownloadMetrics,
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

export const getDownloadMetrics = operation({
  access: 'metrics.read',
  on: 'GET /admin/download-metrics',
  summary: 'Get download metrics',
  // The interface declares none; it is asked for all the same.
  documentedSecurity: [],
  request: { query: DownloadMetricsQuery },
  responses: { 200: json(DownloadMetricsResponse, 'The totals and the newest downloads') },
  run: (ctx, { query }) => metrics.getDownloadMetrics(ctx, query.limit),
  present: presentDownloadMetrics,
})

export const getGrowthTrends = operation({
  access: 'metrics.read',
  on: 'GET /admin/growth-trends',
  summary: 'Get growth trends',
  request: { query: GrowthTrendsQuery },
  responses: { 200: json(GrowthTrendsResponse, 'All days, also those without events') },
  run: (ctx, { query }) => metrics.getGrowthTrends(ctx, query.days),
  present: presentGrowth,
})

export const getSystemHealth = operation({
  access: 'metrics.read',
  on: 'GET /admin/system-health',
  summary: 'Check the health of the system',
  responses: { 200: json(SystemHealthResponse, 'The state of the system') },
  run: (ctx) => metrics.getSystemHealth(ctx),
  present: presentHealth,
})
