import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { GrowthTrendsQuery, GrowthTrendsResponse, presentGrowth } from './growth.contract.ts'
import * as growth from './growth.usecases.ts'

export const getGrowthTrends = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/growth-trends',
    operationId: 'getGrowthTrends',
    summary: 'Get growth trends',
    tags: ['Metrics'],
    request: { query: GrowthTrendsQuery },
    responses: { 200: json(GrowthTrendsResponse, 'All days, also those without events') },
  },
  (c) =>
    answer(c, 200, presentGrowth, (ctx) => growth.getGrowthTrends(ctx, c.req.valid('query').days)),
)
