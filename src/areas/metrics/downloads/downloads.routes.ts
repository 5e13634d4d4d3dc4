import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentDownloads } from './downloads.presenters.ts'
import { DownloadMetricsQuery, DownloadMetricsResponse } from './downloads.schemas.ts'
import { findDownloads } from './downloads.usecases.ts'

export const downloadMetricRoutes = newArea()

export const getDownloadMetrics = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/download-metrics',
  operationId: 'getDownloadMetrics',
  summary: 'Who downloaded what and how much, taken from the audit log',
  tags: ['Metrics'],
  // The interface declares none; it is asked for all the same.
  documentedSecurity: [],
  request: { query: DownloadMetricsQuery },
  responses: { 200: json(DownloadMetricsResponse, 'The sums, and the newest downloads') },
})
downloadMetricRoutes.openapi(getDownloadMetrics, (c) =>
  answer(c, 200, presentDownloads, (ctx) => findDownloads(ctx, c.req.valid('query').limit)),
)
