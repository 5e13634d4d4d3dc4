import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  AdminUserResponse,
  ListUsersQuery,
  UsersResponse,
  presentAdminUser,
  presentUsers,
  UpdateUserRequest,
} from './user-administration.contract.ts'
import * as users from './user-administration.usecases.ts'

export const listUsers = operation(
  'users.read',
  {
    method: 'get',
    path: '/admin/users',
    operationId: 'listUsers',
    summary: 'List users',
    tags: ['Users'],
    request: { query: ListUsersQuery },
    responses: { 200: json(UsersResponse, 'One page of the list') },
  },
  (c) => {
    const query = c.req.valid('query')
    return answer(c, 200, presentUsers, (ctx) =>
      paged(ctx, query, (page) => users.listUsers(ctx, query, page)),
    )
  },
)

export const getUser = operation(
  'users.read',
  {
    method: 'get',
    path: '/admin/users/{id}',
    operationId: 'getUser',
    summary: 'Get a user',
    tags: ['Users'],
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The user') },
  },
  (c) => answer(c, 200, presentAdminUser, (ctx) => users.getUser(ctx, c.req.valid('param').id)),
)

export const updateUser = operation(
  'users.write',
  {
    method: 'patch',
    path: '/admin/users/{id}',
    operationId: 'updateUser',
    summary: 'Update a user',
    tags: ['Users'],
    versioned: true,
    request: { params: pathId('usr', 'user'), ...jsonRequest(UpdateUserRequest) },
    responses: { 200: json(AdminUserResponse, 'The changed user') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) =>
      users.updateUser(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
