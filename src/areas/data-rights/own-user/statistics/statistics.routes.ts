import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentOwnStatistics, StatisticsResponse } from './statistics.contract.ts'
import * as statistics from './statistics.usecases.ts'

export const getStatistics = operation(
  'profile.read',
  {
    method: 'get',
    path: '/user/statistic',
    operationId: 'getStatistics',
    summary: 'Count the caller’s data',
    tags: ['User'],
    responses: { 200: json(StatisticsResponse, 'The counts') },
  },
  (c) => answer(c, 200, presentOwnStatistics, statistics.getStatistics),
)
