import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { answerTable, csv } from '../../../../http/tables.ts'
import { ImportReportResponse, presentReport, reportAsCsv } from './report.contract.ts'
import * as report from './report.usecases.ts'

export const getImportReport = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}/report',
    operationId: 'getImportReport',
    summary: 'Get the report of an import',
    tags: ['Imports'],
    request: { params: pathId('imp', 'import') },
    responses: { 200: json(ImportReportResponse, 'The report') },
  },
  (c) =>
    answer(c, 200, presentReport, (ctx) => report.getImportReport(ctx, c.req.valid('param').id)),
)

export const getImportReportAsCsv = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}/report.csv',
    operationId: 'getImportReportAsCsv',
    summary: 'Get the report of an import as CSV',
    tags: ['Imports'],
    request: { params: pathId('imp', 'import') },
    responses: { 200: csv('A line for each account, reason and statement') },
  },
  (c) =>
    answerTable(c, { fileName: 'import-report.csv', of: reportAsCsv }, (ctx) =>
      report.getImportReport(ctx, c.req.valid('param').id),
    ),
)
