import { answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileResponses } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateExportRequest,
  ExportRequestedResponse,
  ExportResponse,
  ExportFormatsResponse,
  ListExportsQuery,
  ExportsResponse,
  presentExport,
  presentExports,
  presentExportFormats,
  presentRequestedExport,
} from './exports.contract.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import * as exports from './exports.usecases.ts'

const params = pathId('exp', 'export')

export const listExportFormats = operation({
  access: 'exports.read',
  on: 'GET /export/format',
  summary: 'List export formats',
  responses: { 200: json(ExportFormatsResponse, 'All formats') },
  run: (ctx) => checkAccess(ctx),
  present: presentExportFormats,
})

export const listExports = operation({
  access: 'exports.read',
  on: 'GET /export',
  summary: 'List own exports',
  request: { query: ListExportsQuery },
  responses: { 200: json(ExportsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => exports.listExports(ctx, page)),
  present: presentExports,
})

export const createExport = operation({
  access: 'exports.write',
  on: 'POST /export',
  summary: 'Create an export',
  request: jsonRequest(CreateExportRequest),
  responses: { 202: json(ExportRequestedResponse, 'The job that makes the file') },
  run: (ctx, { body }) => exports.createExport(ctx, body),
  present: presentRequestedExport,
})

export const getExport = operation({
  access: 'exports.read',
  on: 'GET /export/{id}',
  summary: 'Get an export',
  request: { params },
  responses: { 200: json(ExportResponse, 'The export') },
  run: (ctx, { params }) => exports.getExport(ctx, params.id),
  present: presentExport,
})

export const downloadExport = operation(
  {
    access: 'exports.read',
    on: 'GET /export/{id}/download',
    summary: 'Download an export',
    writes: true,
    request: { params },
    responses: fileResponses,
    errors: [409, 416],
  },
  (c) =>
    answerFile(
      c,
      (ctx) => exports.findExportFile(ctx, c.req.valid('param').id),
      exports.openExportFile,
    ),
)

export const deleteExport = operation(
  {
    access: 'exports.write',
    on: 'DELETE /export/{id}',
    summary: 'Delete an export',
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The export was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => exports.deleteExport(ctx, c.req.valid('param').id)),
)
