import { answer, answerNothing } from '../../../http/answer.ts'
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
  presentFormats,
  presentRequestedExport,
} from './exports.contract.ts'
import { checkAccess } from '../../../platform/database.ts'
import * as exports from './exports.usecases.ts'

const params = pathId('exp', 'export')

export const listExportFormats = operation(
  'exports.read',
  {
    method: 'get',
    path: '/export/format',
    operationId: 'listExportFormats',
    summary: 'List export formats',
    tags: ['Exports'],
    responses: { 200: json(ExportFormatsResponse, 'All formats') },
  },
  (c) => answer(c, 200, presentFormats, checkAccess),
)

export const listExports = operation(
  'exports.read',
  {
    method: 'get',
    path: '/export',
    operationId: 'listExports',
    summary: 'List own exports',
    tags: ['Exports'],
    request: { query: ListExportsQuery },
    responses: { 200: json(ExportsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentExports, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => exports.listExports(ctx, page)),
    ),
)

export const createExport = operation(
  'exports.write',
  {
    method: 'post',
    path: '/export',
    operationId: 'createExport',
    summary: 'Create an export',
    tags: ['Exports'],
    request: jsonRequest(CreateExportRequest),
    responses: { 202: json(ExportRequestedResponse, 'The job that makes the file') },
  },
  (c) =>
    answer(c, 202, presentRequestedExport, (ctx) => exports.createExport(ctx, c.req.valid('json'))),
)

export const getExport = operation(
  'exports.read',
  {
    method: 'get',
    path: '/export/{id}',
    operationId: 'getExport',
    summary: 'Get an export',
    tags: ['Exports'],
    request: { params },
    responses: { 200: json(ExportResponse, 'The export') },
  },
  (c) => answer(c, 200, presentExport, (ctx) => exports.getExport(ctx, c.req.valid('param').id)),
)

export const downloadExport = operation(
  'exports.read',
  {
    method: 'get',
    path: '/export/{id}/download',
    operationId: 'downloadExport',
    summary: 'Download an export',
    tags: ['Exports'],
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
  'exports.write',
  {
    method: 'delete',
    path: '/export/{id}',
    operationId: 'deleteExport',
    summary: 'Delete an export',
    tags: ['Exports'],
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The export was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => exports.deleteExport(ctx, c.req.valid('param').id)),
)
