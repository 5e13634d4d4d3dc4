import { answer } from '../../../../http/answer.ts'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import * as decisions from './decisions.usecases.ts'
import {
  ImportRowResponse,
  ListImportRowsQuery,
  ImportRowsResponse,
  presentRow,
  presentRows,
  presentRowsDecided,
  UpdateImportRowRequest,
  UpdateImportRowsRequest,
  UpdatedImportRowsResponse,
} from './rows.contract.ts'
import * as rows from './rows.usecases.ts'

const importId = pathId('imp', 'import')

const rowPath = importId.extend({
  rowId: idInPath('irw', 'Id of the row.', 'irw_01k9v3q8m5t0w2x4y6z8a1b3c5_1'),
})

export const listImportRows = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/{id}/row',
    operationId: 'listImportRows',
    summary: 'List the rows of an import',
    tags: ['Imports'],
    request: { params: importId, query: ListImportRowsQuery },
    responses: { 200: json(ImportRowsResponse, 'One page of the rows') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentRows, (ctx) => {
      const { id } = c.req.valid('param')
      const query = { ...c.req.valid('query'), id }
      return paged(ctx, query, (page) => rows.listImportRows(ctx, id, query, page))
    }),
)

export const updateImportRow = operation(
  'imports.write',
  {
    method: 'patch',
    path: '/import/{id}/row/{rowId}',
    operationId: 'updateImportRow',
    summary: 'Decide on a row',
    tags: ['Imports'],
    versioned: true,
    request: { params: rowPath, ...jsonRequest(UpdateImportRowRequest) },
    responses: { 200: json(ImportRowResponse, 'The row') },
  },
  (c) =>
    answer(c, 200, presentRow, (ctx) => {
      const { id, rowId } = c.req.valid('param')
      return decisions.updateImportRow(ctx, id, rowId, c.req.valid('json'))
    }),
)

export const updateImportRows = operation(
  'imports.write',
  {
    method: 'patch',
    path: '/import/{id}/row',
    operationId: 'updateImportRows',
    summary: 'Decide on many rows',
    tags: ['Imports'],
    versioned: true,
    request: { params: importId, ...jsonRequest(UpdateImportRowsRequest) },
    responses: { 200: json(UpdatedImportRowsResponse, 'How many rows were decided') },
  },
  (c) =>
    answer(c, 200, presentRowsDecided, (ctx) =>
      decisions.updateImportRows(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
