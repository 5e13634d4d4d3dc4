import { MOST_CHART_INTERVALS } from '../../../../domain/charts/columns.ts'
import { answerSvg, svgResponses } from '../../../../http/files.ts'
import { operation } from '../../../../http/route.ts'
import {
  IncomeStatementChartQuery,
  NetWorthChartQuery,
  presentIncomeStatementChart,
  presentNetWorthChart,
  presentSpendingChart,
  SpendingChartQuery,
} from './charts.contract.ts'
import * as flows from '../flows/flows.usecases.ts'
import * as reports from '../reports.usecases.ts'

/** The rows of a chart, beside one for all others. */
const MOST_BARS = 20

export const getNetWorthChart = operation(
  {
    access: 'reports.read',
    on: 'GET /report/net-worth/history/chart.svg',
    summary: 'Get a chart of the net worth',
    request: { query: NetWorthChartQuery },
    responses: svgResponses,
  },
  (c) =>
    answerSvg(c, async (ctx) => {
      const query = c.req.valid('query')
      const found = await reports.getNetWorthHistory(ctx, query, MOST_CHART_INTERVALS)
      return presentNetWorthChart(found, query)
    }),
)

export const getIncomeStatementChart = operation(
  {
    access: 'reports.read',
    on: 'GET /report/income-statement/chart.svg',
    summary: 'Get a chart of the income statement',
    request: { query: IncomeStatementChartQuery },
    responses: svgResponses,
  },
  (c) =>
    answerSvg(c, async (ctx) => {
      const query = c.req.valid('query')
      const found = await flows.getIncomeStatement(ctx, query, MOST_CHART_INTERVALS)
      return presentIncomeStatementChart(found, query)
    }),
)

export const getSpendingChart = operation(
  {
    access: 'reports.read',
    on: 'GET /report/spending/chart.svg',
    summary: 'Get a chart of the spending',
    request: { query: SpendingChartQuery },
    responses: svgResponses,
  },
  (c) =>
    answerSvg(c, async (ctx) => {
      const query = c.req.valid('query')
      const found = await flows.getSpending(ctx, { ...query, limit: MOST_BARS })
      return presentSpendingChart(found, query)
    }),
)
