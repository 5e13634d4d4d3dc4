import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { checkAccess } from '../../platform/database.ts'
import { presentPermissions, presentRole, presentRoles } from './roles.presenters.ts'
import {
  CreateRoleRequest,
  ListPermissionsResponse,
  ListRolesResponse,
  RoleResponse,
  UpdateRoleRequest,
} from './roles.schemas.ts'
import { addRole, changeRole, findRole, findRoles, removeRole } from './roles.usecases.ts'

export const roleRoutes = newArea()

export const listPermissions = defineRoute('permissions.read', {
  method: 'get',
  path: '/admin/permissions',
  operationId: 'listPermissions',
  summary: 'Every permission that a role can grant',
  tags: ['Roles'],
  responses: { 200: json(ListPermissionsResponse, 'The permission catalogue') },
})
roleRoutes.openapi(listPermissions, (c) => answer(c, 200, presentPermissions, checkAccess))

export const listRoles = defineRoute('roles.read', {
  method: 'get',
  path: '/admin/roles',
  operationId: 'listRoles',
  summary: 'Every role, with its permissions and how many users have it',
  tags: ['Roles'],
  responses: { 200: json(ListRolesResponse, 'The roles') },
})
roleRoutes.openapi(listRoles, (c) => answer(c, 200, presentRoles, findRoles))

export const createRole = defineRoute('roles.write', {
  method: 'post',
  path: '/admin/roles',
  operationId: 'createRole',
  summary: 'Create a role with permissions that the caller holds',
  tags: ['Roles'],
  request: jsonRequest(CreateRoleRequest),
  responses: { 201: json(RoleResponse, 'The new role') },
})
roleRoutes.openapi(createRole, (c) =>
  answer(c, 201, presentRole, (ctx) => addRole(ctx, c.req.valid('json'))),
)

export const getRole = defineRoute('roles.read', {
  method: 'get',
  path: '/admin/roles/{id}',
  operationId: 'getRole',
  summary: 'One role',
  tags: ['Roles'],
  request: { params: pathId('rol', 'role') },
  responses: { 200: json(RoleResponse, 'The role') },
  errors: [404],
})
roleRoutes.openapi(getRole, (c) =>
  answer(c, 200, presentRole, (ctx) => findRole(ctx, c.req.valid('param').id)),
)

export const updateRole = defineRoute('roles.write', {
  method: 'put',
  path: '/admin/roles/{id}',
  operationId: 'updateRole',
  summary: 'Change name, description or permissions of a role: what is sent',
  tags: ['Roles'],
  versioned: true,
  request: { params: pathId('rol', 'role'), ...jsonRequest(UpdateRoleRequest) },
  responses: { 200: json(RoleResponse, 'The role as it is now') },
  errors: [404],
})
roleRoutes.openapi(updateRole, (c) =>
  answer(c, 200, presentRole, (ctx) =>
    changeRole(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteRole = defineRoute('roles.write', {
  method: 'delete',
  path: '/admin/roles/{id}',
  operationId: 'deleteRole',
  summary: 'Delete a role that nobody has; system roles stay',
  tags: ['Roles'],
  versioned: true,
  request: { params: pathId('rol', 'role') },
  responses: { 200: json(MessageResponse, 'The role is gone') },
  errors: [404],
})
roleRoutes.openapi(deleteRole, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The role was deleted.' }),
    (ctx) => removeRole(ctx, c.req.valid('param').id),
  ),
)
