import { answer } from '../../../http/answer.ts'
import { MessageResponse, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import type { Erased } from '../../../platform/owned-data.ts'
import * as erasing from './erasing/erasing.usecases.ts'
import {
  ListTrashQuery,
  TrashResponse,
  presentErased,
  presentRestored,
  presentTrash,
  trashPath,
} from './trash.contract.ts'
import * as trash from './trash.usecases.ts'

export const listTrash = operation(
  'trash.read',
  {
    method: 'get',
    path: '/trash',
    operationId: 'listTrash',
    summary: 'List the trash',
    tags: ['Trash'],
    request: { query: ListTrashQuery },
    responses: { 200: json(TrashResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTrash, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => trash.listTrash(ctx, query, page))
    }),
)

export const restoreFromTrash = operation(
  'trash.write',
  {
    method: 'post',
    path: '/trash/{kind}/{id}/restore',
    operationId: 'restoreFromTrash',
    summary: 'Restore something from the trash',
    tags: ['Trash'],
    request: { params: trashPath, query: ForceQuery },
    responses: { 200: json(MessageResponse, 'The item was restored') },
  },
  (c) => {
    const { kind, id } = c.req.valid('param')
    const { force } = c.req.valid('query')
    // A replay shows what the restorer of this kind has committed, which says nothing of the kind.
    const present = () => presentRestored(kind)
    return answer(c, 200, present, (ctx) => trash.restoreFromTrash(ctx, kind, id, force))
  },
)

const statusOf = ({ isDone }: Erased) => (isDone ? 200 : 202)
export const eraseFromTrash = operation(
  'trash.write',
  {
    method: 'delete',
    path: '/trash/{kind}/{id}',
    operationId: 'eraseFromTrash',
    summary: 'Erase something from the trash',
    tags: ['Trash'],
    versioned: true,
    request: { params: trashPath },
    responses: {
      200: json(MessageResponse, 'The item was erased'),
      202: json(MessageResponse, 'The item is being erased'),
    },
  },
  (c) =>
    answer(c, statusOf, presentErased, (ctx) =>
      trash.eraseFromTrash(ctx, c.req.valid('param').kind, c.req.valid('param').id),
    ),
)

export const emptyTrash = operation(
  'trash.write',
  {
    method: 'delete',
    path: '/trash',
    operationId: 'emptyTrash',
    summary: 'Erase everything in the trash',
    tags: ['Trash'],
    responses: {
      200: json(MessageResponse, 'The trash is empty'),
      202: json(MessageResponse, 'The trash is empty; its items are being erased'),
    },
  },
  (c) => answer(c, statusOf, presentErased, erasing.emptyTrash),
)
