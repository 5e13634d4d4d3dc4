import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  ChangesResponse,
  ListChangesQuery,
  presentChanges,
  presentUndoing,
  UndoChangeRequest,
  UndoneChangeResponse,
} from './changes.contract.ts'
import * as changes from './changes.usecases.ts'

export const listChanges = operation({
  access: 'auditLog.read',
  on: 'GET /change',
  summary: 'List own changes',
  request: { query: ListChangesQuery },
  responses: { 200: json(ChangesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => changes.listChanges(ctx, page)),
  present: presentChanges,
})

export const undoChange = operation({
  access: 'transactions.write',
  on: 'POST /change/{id}/undo',
  summary: 'Undo a change',
  request: { params: pathId('log', 'change'), ...jsonRequest(UndoChangeRequest) },
  responses: { 200: json(UndoneChangeResponse, 'The outcome of each, also in a dry run') },
  errors: [409],
  run: (ctx, { params, body }) => changes.undoChange(ctx, params.id, body),
  present: presentUndoing,
})
