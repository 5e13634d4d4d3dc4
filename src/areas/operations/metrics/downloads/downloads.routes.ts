import { json, operation } from '../../../../http/route.ts'
import {
  DownloadMetricsQuery,
  DownloadMetricsResponse,
  presentDownloads,
} from './downloads.contract.ts'
import * as downloads from './downloads.usecases.ts'

export const getDownloadMetrics = operation({
  access: 'metrics.read',
  on: 'GET /admin/download-metrics',
  summary: 'Get download metrics',
  // The interface declares none; it is asked for all the same.
  documentedSecurity: [],
  request: { query: DownloadMetricsQuery },
  responses: { 200: json(DownloadMetricsResponse, 'The totals and the newest downloads') },
  run: (ctx, { query }) => downloads.getDownloadMetrics(ctx, query.limit),
  present: presentDownloads,
})
