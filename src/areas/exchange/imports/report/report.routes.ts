import { pathId } from '../../../../http/fields.ts'
import { operation } from '../../../../http/route.ts'
import { answerJsonOrTable, jsonOrTable } from '../../../../http/tables.ts'
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
    responses: { 200: jsonOrTable(ImportReportResponse, 'The report') },
  },
  (c) =>
    answerJsonOrTable(c, presentReport, { fileName: 'import-report.csv', of: reportAsCsv }, (ctx) =>
      report.getImportReport(ctx, c.req.valid('param').id),
    ),
)
