import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentGrowth } from './growth.presenters.ts'
import { GrowthTrendsQuery, GrowthTrendsResponse } from './growth.schemas.ts'
import { findGrowth } from './growth.usecases.ts'

export const growthRoutes = newArea()

export const getGrowthTrends = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/growth-trends',
  operationId: 'getGrowthTrends',
  summary: 'Registrations and downloads by day, taken from the audit log',
  tags: ['Metrics'],
  request: { query: GrowthTrendsQuery },
  responses: { 200: json(GrowthTrendsResponse, 'Every day, those without any included') },
})
growthRoutes.openapi(getGrowthTrends, (c) =>
  answer(c, 200, presentGrowth, (ctx) => findGrowth(ctx, c.req.valid('query').days)),
)
