import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import * as deletion from './deletion.usecases.ts'

export const deleteUser = operation({
  access: 'users.write',
  on: 'DELETE /admin/users/{id}',
  summary: 'Delete a user',
  versioned: true,
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => deletion.deleteUser(ctx, params.id),
  present: presentAdminUser,
})

export const restoreUser = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/restore',
  summary: 'Restore a deleted user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => deletion.restoreUser(ctx, params.id),
  present: presentAdminUser,
})
