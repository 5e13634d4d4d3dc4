import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import * as deletion from './deletion.usecases.ts'

export const deleteUser = operation(
  'users.write',
  {
    method: 'delete',
    path: '/admin/users/{id}',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    tags: ['Users'],
    versioned: true,
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The changed user') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) => deletion.deleteUser(ctx, c.req.valid('param').id)),
)

export const restoreUser = operation(
  'users.write',
  {
    method: 'post',
    path: '/admin/users/{id}/restore',
    operationId: 'restoreUser',
    summary: 'Restore a deleted user',
    tags: ['Users'],
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The changed user') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) => deletion.restoreUser(ctx, c.req.valid('param').id)),
)
