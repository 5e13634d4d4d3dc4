import { answerNothing, versionTag } from '../../../http/answer.ts'
import { pathId, idInPath } from '../../../http/fields.ts'
import {
  answerFile,
  fileRequest,
  fileResponses,
  uploadOf,
  answerTable,
  csv,
} from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import { StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import type { Begun } from './booking/commit.usecases.ts'
import * as booking from './booking/commit.usecases.ts'
import {
  DetectedImportFileResponse,
  ImportFormatsResponse,
  presentDetected,
  presentImportFormats,
} from './formats/formats.contract.ts'
import {
  CreateImportQuery,
  ImportResponse,
  ImportsResponse,
  ListImportsQuery,
  presentImport,
  presentImports,
  ReplaceImportFileQuery,
} from './imports.contract.ts'
import * as imports from './imports.usecases.ts'
import { mappingInput } from './formats/mapping.contract.ts'
import * as mapping from './formats/formats.usecases.ts'
import { ImportPreviewResponse, presentImportPreview } from './preview.contract.ts'
import * as preview from './preview.usecases.ts'
import {
  ImportReportResponse,
  presentReport,
  reportAsCsv,
  CommitImportRequest,
  presentBegun,
} from './report.contract.ts'
import {
  presentRevert,
  RevertedImportResponse,
  RevertImportRequest,
} from './reverting/reverting.contract.ts'
import type { RevertResult } from './reverting/reverting.usecases.ts'
import * as reverting from './reverting/reverting.usecases.ts'
import * as upload from './upload/upload.usecases.ts'
import * as decisions from './rows/decisions.usecases.ts'
import {
  ImportRowResponse,
  ListImportRowsQuery,
  ImportRowsResponse,
  presentRow,
  presentImportRows,
  presentRowsDecided,
  UpdateImportRowRequest,
  UpdateImportRowsRequest,
  UpdatedImportRowsResponse,
} from './rows/rows.contract.ts'
import * as rows from './rows/rows.usecases.ts'

const importId = pathId('imp', 'import')

const startOfDay = (date: string | undefined) => (date === undefined ? undefined : Date.parse(date))

const DAY_MS = 24 * 60 * 60 * 1000

export const listImports = operation({
  access: 'imports.read',
  on: 'GET /import',
  summary: 'List imports',
  request: { query: ListImportsQuery },
  responses: { 200: json(ImportsResponse, 'One page of the list') },
  run: (ctx, { query }) => {
    const to = startOfDay(query.to)
    const filter = {
      ...{ state: query.state, accountId: query.accountId, from: startOfDay(query.from) },
      to: to === undefined ? undefined : to + DAY_MS,
    }
    return paged(ctx, query, (page) => imports.listImports(ctx, filter, page))
  },
  present: presentImports,
})

export const createImport = operation({
  access: 'imports.write',
  on: 'POST /import',
  summary: 'Upload a bank file',
  request: { query: CreateImportQuery, ...fileRequest() },
  responses: { 201: json(ImportResponse, 'The new import') },
  run: (ctx, { query, c }) => upload.createImport(ctx, uploadOf(c), query),
  present: presentImport,
})

export const getImport = operation({
  access: 'imports.read',
  on: 'GET /import/{id}',
  summary: 'Get an import',
  request: { params: importId },
  responses: { 200: json(ImportResponse, 'The import') },
  run: (ctx, { params }) => imports.getImport(ctx, params.id),
  present: presentImport,
})

export const deleteImport = operation(
  {
    access: 'imports.write',
    on: 'DELETE /import/{id}',
    summary: 'Delete an import',
    versioned: true,
    request: { params: importId },
    responses: { 204: { description: 'File and rows were deleted; what was booked stays' } },
  },
  (c) => answerNothing(c, (ctx) => imports.deleteImport(ctx, c.req.valid('param').id)),
)

export const replaceImportFile = operation({
  access: 'imports.write',
  on: 'PUT /import/{id}/file',
  summary: 'Replace the file of an import',
  versioned: true,
  request: { params: importId, query: ReplaceImportFileQuery, ...fileRequest() },
  responses: { 200: json(ImportResponse, 'The import with the new file') },
  run: (ctx, { params, query, c }) => upload.replaceImportFile(ctx, params.id, uploadOf(c), query),
  present: presentImport,
})

export const downloadImportFile = operation(
  {
    access: 'imports.read',
    on: 'GET /import/{id}/file',
    summary: 'Download the file of an import',
    writes: true,
    request: { params: importId },
    responses: fileResponses,
    errors: [409, 416],
  },
  (c) =>
    answerFile(
      c,
      (ctx) => imports.findImportFile(ctx, c.req.valid('param').id),
      imports.openImportFile,
      ({ version, sha256 }) => versionTag(version, sha256),
    ),
)

export const setImportMapping = operation({
  access: 'imports.write',
  on: 'PUT /import/{id}/mapping',
  summary: 'Answer questions about a file',
  versioned: true,
  request: { params: importId, ...jsonRequest(mappingInput) },
  responses: { 200: json(ImportResponse, 'The import, as it is read now') },
  run: (ctx, { params, body }) => mapping.setImportMapping(ctx, params.id, body),
  present: presentImport,
})

export const previewImport = operation({
  access: 'imports.read',
  on: 'GET /import/{id}/preview',
  summary: 'Preview an import',
  request: { params: importId },
  responses: { 200: json(ImportPreviewResponse, 'What a commit would do') },
  errors: [409],
  run: (ctx, { params }) => preview.previewImport(ctx, params.id),
  present: presentImportPreview,
})

export const cancelImport = operation({
  access: 'imports.write',
  on: 'POST /import/{id}/cancel',
  summary: 'Cancel an import',
  request: { params: importId },
  responses: { 200: json(ImportResponse, 'The import, which books nothing more') },
  run: (ctx, { params }) => booking.cancelImport(ctx, params.id),
  present: presentImport,
})

export const commitImport = operation({
  access: 'imports.write',
  on: 'POST /import/{id}/commit',
  summary: 'Book the rows of an import',
  request: { params: importId, ...jsonRequest(CommitImportRequest) },
  responses: {
    200: json(StartedJobResponse, 'The job that books the rows already, or has booked them'),
    202: json(StartedJobResponse, 'The job that books the rows'),
  },
  run: (ctx, { params, body }) => booking.commitImport(ctx, params.id, body),
  present: presentBegun,
  status: ({ isNew }: Begun) => (isNew ? 202 : 200),
})

export const listImportFormats = operation({
  access: 'imports.read',
  on: 'GET /import/format',
  summary: 'List formats that can be imported',
  responses: { 200: json(ImportFormatsResponse, 'Formats and built-in profiles') },
  run: (ctx) => checkAccess(ctx),
  present: presentImportFormats,
})

export const detectImportFile = operation({
  access: 'imports.write',
  on: 'POST /import/detect',
  summary: 'Detect the format of a file',
  request: fileRequest(),
  responses: { 200: json(DetectedImportFileResponse, 'What the file is; nothing is stored') },
  run: (ctx, { c }) => mapping.detectImportFile(ctx, uploadOf(c)),
  present: presentDetected,
})

export const getImportReport = operation({
  access: 'imports.read',
  on: 'GET /import/{id}/report',
  summary: 'Get the report of an import',
  request: { params: pathId('imp', 'import') },
  responses: { 200: json(ImportReportResponse, 'The report') },
  run: (ctx, { params }) => imports.getImportReport(ctx, params.id),
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
      imports.getImportReport(ctx, c.req.valid('param').id),
    ),
)

export const revertImport = operation({
  access: 'imports.write',
  on: 'POST /import/{id}/revert',
  summary: 'Revert an import',
  request: { params: pathId('imp', 'import'), ...jsonRequest(RevertImportRequest) },
  responses: {
    200: json(RevertedImportResponse, 'What would be taken back, in a dry run'),
    202: json(RevertedImportResponse, 'The job that takes the import back'),
  },
  run: (ctx, { params, body }) => reverting.revertImport(ctx, params.id, body),
  present: presentRevert,
  status: ({ job }: RevertResult) => (job === null ? 200 : 202),
})

const rowPath = importId.extend({
  rowId: idInPath('irw', 'Id of the row.', 'irw_01k9v3q8m5t0w2x4y6z8a1b3c5_1'),
})

export const listImportRows = operation({
  access: 'imports.read',
  on: 'GET /import/{id}/row',
  summary: 'List the rows of an import',
  request: { params: importId, query: ListImportRowsQuery },
  responses: { 200: json(ImportRowsResponse, 'One page of the rows') },
  errors: [409],
  run: (ctx, { params, query }) =>
    paged(ctx, { ...query, ...params }, (page) => rows.listImportRows(ctx, params.id, query, page)),
  present: presentImportRows,
})

export const updateImportRow = operation({
  access: 'imports.write',
  on: 'PATCH /import/{id}/row/{rowId}',
  summary: 'Decide on a row',
  versioned: true,
  request: { params: rowPath, ...jsonRequest(UpdateImportRowRequest) },
  responses: { 200: json(ImportRowResponse, 'The row') },
  run: (ctx, { params, body }) => {
    const { id, rowId } = params
    return decisions.updateImportRow(ctx, id, rowId, body)
  },
  present: presentRow,
})

export const updateImportRows = operation({
  access: 'imports.write',
  on: 'PATCH /import/{id}/row',
  summary: 'Decide on many rows',
  versioned: true,
  request: { params: importId, ...jsonRequest(UpdateImportRowsRequest) },
  responses: { 200: json(UpdatedImportRowsResponse, 'How many rows were decided') },
  run: (ctx, { params, body }) => decisions.updateImportRows(ctx, params.id, body),
  present: presentRowsDecided,
})
