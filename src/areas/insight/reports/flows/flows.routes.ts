import { answerTable, csv } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  CashFlowQuery,
  CashFlowResponse,
  IncomeStatementQuery,
  IncomeStatementResponse,
  SpendingQuery,
  SpendingResponse,
} from './flows.contract.ts'
import * as flows from './flows.usecases.ts'
import { presentCashFlow, presentIncomeStatement, presentSpending } from './presented.contract.ts'
import { cashFlowAsCsv, incomeStatementAsCsv, spendingAsCsv } from './tables.contract.ts'

export const getIncomeStatement = operation({
  access: 'reports.read',
  on: 'GET /report/income-statement',
  summary: 'Get the income statement',
  tagged: true,
  request: { query: IncomeStatementQuery },
  responses: { 200: json(IncomeStatementResponse, 'What was earned and spent by category') },
  run: (ctx, { query }) => flows.getIncomeStatement(ctx, query),
  present: presentIncomeStatement,
})

export const getSpending = operation({
  access: 'reports.read',
  on: 'GET /report/spending',
  summary: 'Get the spending',
  tagged: true,
  request: { query: SpendingQuery },
  responses: { 200: json(SpendingResponse, 'What was spent, or earned, by one breakdown') },
  run: (ctx, { query }) => flows.getSpending(ctx, query),
  present: presentSpending,
})

export const getCashFlow = operation({
  access: 'reports.read',
  on: 'GET /report/cash-flow',
  summary: 'Get the cash flow',
  tagged: true,
  request: { query: CashFlowQuery },
  responses: { 200: json(CashFlowResponse, 'What went into and out of accounts') },
  run: (ctx, { query }) => flows.getCashFlow(ctx, query),
  present: presentCashFlow,
})

export const getIncomeStatementCsv = operation(
  {
    access: 'reports.read',
    on: 'GET /report/income-statement.csv',
    summary: 'Get the income statement as CSV',
    tagged: true,
    request: { query: IncomeStatementQuery },
    responses: { 200: csv('A line for each row and interval') },
  },
  (c) =>
    answerTable(
      c,
      { fileName: 'income-statement.csv', of: incomeStatementAsCsv, tagged: true },
      (ctx) => flows.getIncomeStatement(ctx, c.req.valid('query')),
    ),
)

export const getSpendingCsv = operation(
  {
    access: 'reports.read',
    on: 'GET /report/spending.csv',
    summary: 'Get the spending as CSV',
    tagged: true,
    request: { query: SpendingQuery },
    responses: { 200: csv('A line for each row and interval') },
  },
  (c) =>
    answerTable(c, { fileName: 'spending.csv', of: spendingAsCsv, tagged: true }, (ctx) =>
      flows.getSpending(ctx, c.req.valid('query')),
    ),
)

export const getCashFlowCsv = operation(
  {
    access: 'reports.read',
    on: 'GET /report/cash-flow.csv',
    summary: 'Get the cash flow as CSV',
    tagged: true,
    request: { query: CashFlowQuery },
    responses: { 200: csv('A line for each row and interval') },
  },
  (c) =>
    answerTable(c, { fileName: 'cash-flow.csv', of: cashFlowAsCsv, tagged: true }, (ctx) =>
      flows.getCashFlow(ctx, c.req.valid('query')),
    ),
)
