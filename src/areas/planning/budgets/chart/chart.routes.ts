import { pathId } from '../../../../http/fields.ts'
import { answerSvg, svgResponses } from '../../../../http/images.ts'
import { operation } from '../../../../http/route.ts'
import * as periods from '../periods/periods.usecases.ts'
import { GetBudgetChartQuery, presentChart } from './chart.contract.ts'

export const getBudgetChart = operation(
  {
    access: 'budgets.read',
    on: 'GET /budget/{id}/chart.svg',
    summary: 'Get a chart of a budget',
    request: { params: pathId('bud', 'budget'), query: GetBudgetChartQuery },
    responses: svgResponses,
    errors: [409],
  },
  (c) =>
    answerSvg(c, async (ctx) => {
      const { period = 'current', theme = 'auto' } = c.req.valid('query')
      const found = await periods.getBudgetPeriod(ctx, c.req.valid('param').id, period)
      return presentChart(found, theme)
    }),
)
