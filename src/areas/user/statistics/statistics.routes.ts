import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentStatistics } from './statistics.presenters.ts'
import { StatisticsResponse } from './statistics.schemas.ts'
import { countOwnData } from './statistics.usecases.ts'

export const statisticRoutes = newArea()

export const getStatistics = defineRoute('profile.read', {
  method: 'get',
  path: '/user/statistic',
  operationId: 'getStatistics',
  summary: 'How much of what the user has, and since when',
  tags: ['User'],
  responses: { 200: json(StatisticsResponse, 'The counts') },
})
statisticRoutes.openapi(getStatistics, (c) => answer(c, 200, presentStatistics, countOwnData))
