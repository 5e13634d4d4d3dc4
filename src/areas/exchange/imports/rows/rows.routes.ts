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

export const listImportRows = operation({
  access: 'imports.read',
  on: 'GET /import/{id}/row',
  summary: 'List the rows of an import',
  request: { params: importId, query: ListImportRowsQuery },
  responses: { 200: json(ImportRowsResponse, 'One page of the rows') },
  errors: [409],
  run: (ctx, { params, query }) =>
    paged(ctx, { ...query, ...params }, (page) => rows.listImportRows(ctx, params.id, query, page)),
  present: presentRows,
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
