import { answer } from '../../http/answer.ts'
import { MessageResponse } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import type { Erased } from '../../platform/owned-data.ts'
import { emptyTrash } from './erasing/erasing.usecases.ts'
import { presentErased, presentRestored, presentTrash } from './trash.presenters.ts'
import { ListTrashQuery, ListTrashResponse, trashPath } from './trash.schemas.ts'
import { erase, findTrash, restore } from './trash.usecases.ts'

export const trashRoutes = newArea()

export const listTrash = defineRoute('trash.read', {
  method: 'get',
  path: '/trash',
  operationId: 'listTrash',
  summary: 'What was deleted and can be restored for 30 days, the last first',
  tags: ['Trash'],
  request: { query: ListTrashQuery },
  responses: { 200: json(ListTrashResponse, 'One page of it') },
})
trashRoutes.openapi(listTrash, (c) =>
  answer(c, 200, presentTrash, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findTrash(ctx, query, page))
  }),
)

export const restoreFromTrash = defineRoute('trash.write', {
  method: 'post',
  path: '/trash/{kind}/{id}/restore',
  operationId: 'restoreFromTrash',
  summary: 'Bring back what was deleted, with all that hung on it',
  tags: ['Trash'],
  request: { params: trashPath },
  responses: { 200: json(MessageResponse, 'It is where it was') },
  errors: [404],
})
trashRoutes.openapi(restoreFromTrash, (c) =>
  answer(c, 200, presentRestored, (ctx) =>
    restore(ctx, c.req.valid('param').kind, c.req.valid('param').id),
  ),
)

const statusOf = ({ isDone }: Erased) => (isDone ? 200 : 202)
export const eraseFromTrash = defineRoute('trash.write', {
  method: 'delete',
  path: '/trash/{kind}/{id}',
  operationId: 'eraseFromTrash',
  summary: 'Erase what is in the trash for good; an account with all that is booked on it',
  tags: ['Trash'],
  versioned: true,
  request: { params: trashPath },
  responses: {
    200: json(MessageResponse, 'It is gone'),
    202: json(MessageResponse, 'It cannot be restored any more, and is being erased'),
  },
  errors: [404],
})
trashRoutes.openapi(eraseFromTrash, (c) =>
  answer(c, statusOf, presentErased, (ctx) =>
    erase(ctx, c.req.valid('param').kind, c.req.valid('param').id),
  ),
)

export const deleteTrash = defineRoute('trash.write', {
  method: 'delete',
  path: '/trash',
  operationId: 'emptyTrash',
  summary: 'Erase everything that is in the trash for good',
  tags: ['Trash'],
  responses: {
    200: json(MessageResponse, 'It is empty'),
    202: json(MessageResponse, 'It is empty, and what was in it is being erased'),
  },
})
trashRoutes.openapi(deleteTrash, (c) => answer(c, statusOf, presentErased, emptyTrash))
