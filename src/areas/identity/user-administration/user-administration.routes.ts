import { pathId, MessageResponse } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { CreateUserRequest } from './creation.contract.ts'
import * as creation from './creation.usecases.ts'
import {
  AdminUserResponse,
  ListUsersQuery,
  presentAdminUser,
  presentUsers,
  UpdateUserRequest,
  UsersResponse,
  ListRoleUsersQuery,
  presentHolders,
  RoleUsersResponse,
  SetUserRolesRequest,
  presentCredentialReset,
  ResetUserPasswordRequest,
  PasswordResetResponse,
} from './user-administration.contract.ts'
import * as users from './user-administration.usecases.ts'
import * as credentials from './credentials.usecases.ts'

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

export const createUser = operation({
  access: 'users.write',
  on: 'POST /admin/users',
  summary: 'Create a user',
  request: jsonRequest(CreateUserRequest),
  responses: { 201: json(AdminUserResponse, 'The new user') },
  run: (ctx, { body }) => creation.createUser(ctx, body),
  present: presentAdminUser,
})

export const deleteUser = operation({
  access: 'users.write',
  on: 'DELETE /admin/users/{id}',
  summary: 'Delete a user',
  versioned: true,
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => users.deleteUser(ctx, params.id),
  present: presentAdminUser,
})

export const restoreUser = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/restore',
  summary: 'Restore a deleted user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => users.restoreUser(ctx, params.id),
  present: presentAdminUser,
})

export const setUserRoles = operation({
  access: 'users.write',
  on: 'PUT /admin/users/{id}/roles',
  summary: 'Set the roles of a user',
  versioned: true,
  request: { params: pathId('usr', 'user'), ...jsonRequest(SetUserRolesRequest) },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params, body }) => users.setUserRoles(ctx, params.id, body.roleIds),
  present: presentAdminUser,
})

export const listRoleUsers = operation({
  access: 'roles.read',
  on: 'GET /admin/roles/{id}/users',
  summary: 'List the users of a role',
  tag: 'Roles',
  request: { params: pathId('rol', 'role'), query: ListRoleUsersQuery },
  responses: { 200: json(RoleUsersResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, { ...query, ...params }, (page) => users.listRoleUsers(ctx, params.id, page)),
  present: presentHolders,
})

export const resetUserPassword = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/reset-password',
  summary: 'Reset the password of a user',
  request: { params: pathId('usr', 'user'), ...jsonRequest(ResetUserPasswordRequest) },
  responses: { 200: json(PasswordResetResponse, 'The password is unusable') },
  run: (ctx, { params, body }) => credentials.resetUserPassword(ctx, params.id, body.delivery),
  present: presentCredentialReset,
})

export const resetUserMfa = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/reset-mfa',
  summary: 'Reset the second factor of a user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => credentials.resetUserMfa(ctx, params.id),
  present: presentAdminUser,
})

export const revokeUserSessions = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/revoke-sessions',
  summary: 'Revoke the sessions of a user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(MessageResponse, 'The user is signed out everywhere') },
  run: (ctx, { params }) => credentials.revokeUserSessions(ctx, params.id),
  present: () => ({ message: 'All sessions and personal access tokens of the user have ended.' }),
})
