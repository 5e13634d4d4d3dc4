import { versionTag } from '../../../http/conditional.ts'
import { answer, answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, uploadOf } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateImportQuery,
  ImportResponse,
  ListImportsQuery,
  ImportsResponse,
  presentImport,
  presentImports,
  ReplaceImportFileQuery,
} from './imports.contract.ts'
import * as imports from './imports.usecases.ts'
import { mappingInput } from './mapping/mapping.contract.ts'
import * as mapping from './mapping/mapping.usecases.ts'
import { ImportPreviewResponse, presentPreview } from './preview/preview.contract.ts'
import * as preview from './preview/preview.usecases.ts'
import * as upload from './upload/upload.usecases.ts'
import * as booking from './booking/commit.usecases.ts'

const importId = pathId('imp', 'import')

const startOfDay = (date: string | undefined) => (date === undefined ? undefined : Date.parse(date))
const DAY_MS = 24 * 60 * 60 * 1000

export const listImports = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import',
    operationId: 'listImports',
    summary: 'List imports',
    tags: ['Imports'],
    request: { query: ListImportsQuery },
    responses: { 200: json(ImportsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentImports, (ctx) => {
      const query = c.req.valid('query')
      const to = startOfDay(query.to)
      const filter = {
        ...{ state: query.state, accountId: query.accountId, from: startOfDay(query.from) },
        to: to === undefined ? undefined : to + DAY_MS,
      }
      return paged(ctx, query, (page) => imports.listImports(ctx, filter, page))
    }),
)

export const createImport = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import',
    operationId: 'createImport',
    summary: 'Upload a bank file',
    tags: ['Imports'],
    request: { query: CreateImportQuery, ...fileRequest() },
    responses: { 201: json(ImportResponse, 'The new import') },
  },
  (c) =>
    answer(c, 201, presentImport, (ctx) =>
      upload.createImport(ctx, uploadOf(c), c.req.valid('query')),
    ),
)

export const getImport = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}',
    operationId: 'getImport',
    summary: 'Get an import',
    tags: ['Imports'],
    request: { params: importId },
    responses: { 200: json(ImportResponse, 'The import') },
  },
  (c) => answer(c, 200, presentImport, (ctx) => imports.getImport(ctx, c.req.valid('param').id)),
)

export const deleteImport = operation(
  'imports.write',
  {
    method: 'delete',
    path: '/import/{id}',
    operationId: 'deleteImport',
    summary: 'Delete an import',
    tags: ['Imports'],
    versioned: true,
    request: { params: importId },
    responses: { 204: { description: 'File and rows were deleted; what was booked stays' } },
  },
  (c) => answerNothing(c, (ctx) => imports.deleteImport(ctx, c.req.valid('param').id)),
)

export const replaceImportFile = operation(
  'imports.write',
  {
    method: 'put',
    path: '/import/{id}/file',
    operationId: 'replaceImportFile',
    summary: 'Replace the file of an import',
    tags: ['Imports'],
    versioned: true,
    request: { params: importId, query: ReplaceImportFileQuery, ...fileRequest() },
    responses: { 200: json(ImportResponse, 'The import with the new file') },
  },
  (c) =>
    answer(c, 200, presentImport, (ctx) =>
      upload.replaceImportFile(ctx, c.req.valid('param').id, uploadOf(c), c.req.valid('query')),
    ),
)

export const downloadImportFile = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}/file',
    operationId: 'downloadImportFile',
    summary: 'Download the file of an import',
    tags: ['Imports'],
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

export const setImportMapping = operation(
  'imports.write',
  {
    method: 'put',
    path: '/import/{id}/mapping',
    operationId: 'setImportMapping',
    summary: 'Answer questions about a file',
    tags: ['Imports'],
    versioned: true,
    request: { params: importId, ...jsonRequest(mappingInput) },
    responses: { 200: json(ImportResponse, 'The import, as it is read now') },
  },
  (c) =>
    answer(c, 200, presentImport, (ctx) =>
      mapping.setImportMapping(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const previewImport = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}/preview',
    operationId: 'previewImport',
    summary: 'Preview an import',
    tags: ['Imports'],
    request: { params: importId },
    responses: { 200: json(ImportPreviewResponse, 'What a commit would do') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentPreview, (ctx) => preview.previewImport(ctx, c.req.valid('param').id)),
)

export const cancelImport = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import/{id}/cancel',
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    tags: ['Imports'],
    request: { params: importId },
    responses: { 200: json(ImportResponse, 'The import, which books nothing more') },
  },
  (c) => answer(c, 200, presentImport, (ctx) => booking.cancelImport(ctx, c.req.valid('param').id)),
)
