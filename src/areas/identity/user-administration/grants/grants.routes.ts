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

export const setUserRoles = operation({
  access: 'users.write',
  on: 'PUT /admin/users/{id}/roles',
  summary: 'Set the roles of a user',
  versioned: true,
  request: { params: pathId('usr', 'user'), ...jsonRequest(SetUserRolesRequest) },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params, body }) => grants.setUserRoles(ctx, params.id, body.roleIds),
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
    paged(ctx, { ...query, ...params }, (page) => grants.listRoleUsers(ctx, params.id, page)),
  present: presentHolders,
})
