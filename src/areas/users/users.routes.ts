import { answer } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentAdminUser, presentUsers } from './users.presenters.ts'
import {
  AdminUserResponse,
  ListUsersQuery,
  ListUsersResponse,
  UpdateUserRequest,
} from './users.schemas.ts'
import { changeUser, findUser, listUsers } from './users.usecases.ts'

export const adminUserRoutes = newArea()

export const getUsers = defineRoute('users.read', {
  method: 'get',
  path: '/admin/users',
  operationId: 'listUsers',
  summary: 'All users, newest first; to be searched by address or name',
  tags: ['Users'],
  request: { query: ListUsersQuery },
  responses: { 200: json(ListUsersResponse, 'One page of them') },
})
adminUserRoutes.openapi(getUsers, (c) => {
  const query = c.req.valid('query')
  return answer(c, 200, presentUsers, (ctx) =>
    paged(ctx, query, (page) => listUsers(ctx, query, page)),
  )
})

export const getUser = defineRoute('users.read', {
  method: 'get',
  path: '/admin/users/{id}',
  operationId: 'getUser',
  summary: 'One user',
  tags: ['Users'],
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The user') },
  errors: [404],
})
adminUserRoutes.openapi(getUser, (c) =>
  answer(c, 200, presentAdminUser, (ctx) => findUser(ctx, c.req.valid('param').id)),
)

export const patchUser = defineRoute('users.write', {
  method: 'patch',
  path: '/admin/users/{id}',
  operationId: 'updateUser',
  summary: 'Change name, address or state of a user: what is sent',
  description:
    'Another address is unconfirmed unless `emailVerified` says otherwise, and codes that were mailed to the old one are void. Refused for a user who may do what the caller may not. The last administrator, and oneself, cannot be disabled; for another address of one’s own see POST /auth/email/change.',
  tags: ['Users'],
  versioned: true,
  request: { params: pathId('usr', 'user'), ...jsonRequest(UpdateUserRequest) },
  responses: { 200: json(AdminUserResponse, 'The user as it is now') },
  errors: [404],
})
adminUserRoutes.openapi(patchUser, (c) =>
  answer(c, 200, presentAdminUser, (ctx) =>
    changeUser(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)
