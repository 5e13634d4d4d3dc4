import { z } from '@hono/zod-openapi'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { BudgetForecastResponse, presentForecast } from './forecast.contract.ts'
import * as forecast from './forecast.usecases.ts'

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })

export const getBudgetForecast = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period/{period}/forecast',
  summary: 'Get the forecast of a period',
  request: { params: periodPath },
  responses: { 200: json(BudgetForecastResponse, 'The forecast of each line') },
  errors: [409],
  run: (ctx, { params }) => {
    const { id, period } = params
    return forecast.getBudgetForecast(ctx, id, period)
  },
  present: presentForecast,
})
