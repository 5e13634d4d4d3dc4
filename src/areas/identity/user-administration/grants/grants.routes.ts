import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import {
  ListRoleUsersQuery,
  RoleUsersResponse,
  presentHolders,
  SetUserRolesRequest,
} from './grants.contract.ts'
import * as grants from './grants.usecases.ts'

export const setUserRoles = operation(
  'users.write',
  {
    method: 'put',
    path: '/admin/users/{id}/roles',
    operationId: 'setUserRoles',
    summary: 'Set the roles of a user',
    tags: ['Users'],
    versioned: true,
    request: { params: pathId('usr', 'user'), ...jsonRequest(SetUserRolesRequest) },
    responses: { 200: json(AdminUserResponse, 'The changed user') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) =>
      grants.setUserRoles(ctx, c.req.valid('param').id, c.req.valid('json').roleIds),
    ),
)

export const listRoleUsers = operation(
  'roles.read',
  {
    method: 'get',
    path: '/admin/roles/{id}/users',
    operationId: 'listRoleUsers',
    summary: 'List the users of a role',
    tags: ['Roles'],
    request: { params: pathId('rol', 'role'), query: ListRoleUsersQuery },
    responses: { 200: json(RoleUsersResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentHolders, (ctx) =>
      paged(ctx, { ...c.req.valid('query'), ...c.req.valid('param') }, (page) =>
        grants.listRoleUsers(ctx, c.req.valid('param').id, page),
      ),
    ),
)
