import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { BudgetForecastResponse, presentForecast } from './forecast.contract.ts'
import * as forecast from './forecast.usecases.ts'

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })

export const getBudgetForecast = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/period/{period}/forecast',
    operationId: 'getBudgetForecast',
    summary: 'Get the forecast of a period',
    tags: ['Budgets'],
    request: { params: periodPath },
    responses: { 200: json(BudgetForecastResponse, 'The forecast of each line') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentForecast, (ctx) => {
      const { id, period } = c.req.valid('param')
      return forecast.getBudgetForecast(ctx, id, period)
    }),
)
