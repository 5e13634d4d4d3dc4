import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { answerTable, csv } from '../../../../http/tables.ts'
import { ImportReportResponse, presentReport, reportAsCsv } from './report.contract.ts'
import * as report from './report.usecases.ts'

export const getImportReport = operation({
  access: 'imports.read',
  on: 'GET /import/{id}/report',
  summary: 'Get the report of an import',
  request: { params: pathId('imp', 'import') },
  responses: { 200: json(ImportReportResponse, 'The report') },
  run: (ctx, { params }) => report.getImportReport(ctx, params.id),
  present: presentReport,
})

export const getImportReportAsCsv = operation(
  {
    access: 'imports.read',
    on: 'GET /import/{id}/report.csv',
    summary: 'Get the report of an import as CSV',
    request: { params: pathId('imp', 'import') },
    responses: { 200: csv('A line for each account, reason and statement') },
  },
  (c) =>
    answerTable(c, { fileName: 'import-report.csv', of: reportAsCsv }, (ctx) =>
      report.getImportReport(ctx, c.req.valid('param').id),
    ),
)
