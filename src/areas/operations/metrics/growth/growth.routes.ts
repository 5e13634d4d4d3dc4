import { json, operation } from '../../../../http/route.ts'
import { GrowthTrendsQuery, GrowthTrendsResponse, presentGrowth } from './growth.contract.ts'
import * as growth from './growth.usecases.ts'

export const getGrowthTrends = operation({
  access: 'metrics.read',
  on: 'GET /admin/growth-trends',
  summary: 'Get growth trends',
  request: { query: GrowthTrendsQuery },
  responses: { 200: json(GrowthTrendsResponse, 'All days, also those without events') },
  run: (ctx, { query }) => growth.getGrowthTrends(ctx, query.days),
  present: presentGrowth,
})
