import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  DownloadMetricsQuery,
  DownloadMetricsResponse,
  presentDownloads,
} from './downloads.contract.ts'
import * as downloads from './downloads.usecases.ts'

export const getDownloadMetrics = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/download-metrics',
    operationId: 'getDownloadMetrics',
    summary: 'Get download metrics',
    tags: ['Metrics'],
    // The interface declares none; it is asked for all the same.
    documentedSecurity: [],
    request: { query: DownloadMetricsQuery },
    responses: { 200: json(DownloadMetricsResponse, 'The totals and the newest downloads') },
  },
  (c) =>
    answer(c, 200, presentDownloads, (ctx) =>
      downloads.getDownloadMetrics(ctx, c.req.valid('query').limit),
    ),
)
