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
    description:
      'Ends all sessions. The user is erased after that: until `deletionDueAt`, by default for 30 days, it can be taken back, and the address stays taken. Refused for the last administrator, and for oneself.',
    tags: ['Users'],
    versioned: true,
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The user as it is now') },
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
    description:
      'Takes back the deletion, whoever asked for it: the user is active again, and signs in as before.',
    tags: ['Users'],
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The user as it is now') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) => deletion.restoreUser(ctx, c.req.valid('param').id)),
)
