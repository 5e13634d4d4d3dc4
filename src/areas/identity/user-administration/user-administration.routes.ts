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

export const listUsers = operation({
  access: 'users.read',
  on: 'GET /admin/users',
  summary: 'List users',
  request: { query: ListUsersQuery },
  responses: { 200: json(UsersResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => users.listUsers(ctx, query, page)),
  present: presentUsers,
})

export const getUser = operation({
  access: 'users.read',
  on: 'GET /admin/users/{id}',
  summary: 'Get a user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The user') },
  run: (ctx, { params }) => users.getUser(ctx, params.id),
  present: presentAdminUser,
})

export const updateUser = operation({
  access: 'users.write',
  on: 'PATCH /admin/users/{id}',
  summary: 'Update a user',
  versioned: true,
  request: { params: pathId('usr', 'user'), ...jsonRequest(UpdateUserRequest) },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params, body }) => users.updateUser(ctx, params.id, body),
  present: presentAdminUser,
})
