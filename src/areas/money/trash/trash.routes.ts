import { MessageResponse, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import type { Erased } from '../../../platform/owned-data/owned-data.ts'
import {
  ListTrashQuery,
  TrashResponse,
  presentErased,
  presentRestored,
  presentTrash,
  trashPath,
} from './trash.contract.ts'
import * as trash from './trash.usecases.ts'

export const listTrash = operation({
  access: 'trash.read',
  on: 'GET /trash',
  summary: 'List the trash',
  request: { query: ListTrashQuery },
  responses: { 200: json(TrashResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => trash.listTrash(ctx, query, page)),
  present: presentTrash,
})

export const restoreFromTrash = operation({
  access: 'trash.write',
  on: 'POST /trash/{kind}/{id}/restore',
  summary: 'Restore something from the trash',
  request: { params: trashPath, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'The item was restored') },
  run: (ctx, { params, query }) => trash.restoreFromTrash(ctx, params.kind, params.id, query.force),
  // A replay shows what the restorer of this kind has committed, which says nothing of the kind.
  present: (_, _ctx, { params }) => presentRestored(params.kind),
})

const statusOf = ({ isDone }: Erased) => (isDone ? 200 : 202)
export const eraseFromTrash = operation({
  access: 'trash.write',
  on: 'DELETE /trash/{kind}/{id}',
  summary: 'Erase something from the trash',
  versioned: true,
  request: { params: trashPath },
  responses: {
    200: json(MessageResponse, 'The item was erased'),
    202: json(MessageResponse, 'The item is being erased'),
  },
  run: (ctx, { params }) => trash.eraseFromTrash(ctx, params.kind, params.id),
  present: presentErased,
  status: statusOf,
})

export const emptyTrash = operation({
  access: 'trash.write',
  on: 'DELETE /trash',
  summary: 'Erase everything in the trash',
  responses: {
    200: json(MessageResponse, 'The trash is empty'),
    202: json(MessageResponse, 'The trash is empty; its items are being erased'),
  },
  run: (ctx) => trash.emptyTrash(ctx),
  present: presentErased,
  status: statusOf,
})
