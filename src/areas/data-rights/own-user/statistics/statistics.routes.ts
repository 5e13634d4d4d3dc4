import { json, operation } from '../../../../http/route.ts'
import { presentOwnStatistics, StatisticsResponse } from './statistics.contract.ts'
import * as statistics from './statistics.usecases.ts'

export const getStatistics = operation({
  access: 'profile.read',
  on: 'GET /user/statistic',
  summary: 'Count the caller’s data',
  responses: { 200: json(StatisticsResponse, 'The counts') },
  run: (ctx) => statistics.getStatistics(ctx),
  present: presentOwnStatistics,
})
