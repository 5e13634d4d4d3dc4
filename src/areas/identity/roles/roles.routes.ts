import { MessageResponse, pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import {
  CreateRoleRequest,
  ListPermissionsResponse,
  ListRolesResponse,
  presentPermissions,
  presentRole,
  presentRoles,
  RoleResponse,
  UpdateRoleRequest,
} from './roles.contract.ts'
import * as roles from './roles.usecases.ts'

export const listPermissions = operation({
  access: 'permissions.read',
  on: 'GET /admin/permissions',
  summary: 'List permissions',
  responses: { 200: json(ListPermissionsResponse, 'The permission catalogue') },
  run: (ctx) => checkAccess(ctx),
  present: presentPermissions,
})

export const listRoles = operation({
  access: 'roles.read',
  on: 'GET /admin/roles',
  summary: 'List roles',
  responses: { 200: json(ListRolesResponse, 'The roles') },
  run: (ctx) => roles.listRoles(ctx),
  present: presentRoles,
})

export const createRole = operation({
  access: 'roles.write',
  on: 'POST /admin/roles',
  summary: 'Create a role',
  request: jsonRequest(CreateRoleRequest),
  responses: { 201: json(RoleResponse, 'The new role') },
  run: (ctx, { body }) => roles.createRole(ctx, body),
  present: presentRole,
})

export const getRole = operation({
  access: 'roles.read',
  on: 'GET /admin/roles/{id}',
  summary: 'Get a role',
  request: { params: pathId('rol', 'role') },
  responses: { 200: json(RoleResponse, 'The role') },
  run: (ctx, { params }) => roles.getRole(ctx, params.id),
  present: presentRole,
})

export const updateRole = operation({
  access: 'roles.write',
  on: 'PUT /admin/roles/{id}',
  summary: 'Update a role',
  versioned: true,
  request: { params: pathId('rol', 'role'), ...jsonRequest(UpdateRoleRequest) },
  responses: { 200: json(RoleResponse, 'The role as it is now') },
  run: (ctx, { params, body }) => roles.updateRole(ctx, params.id, body),
  present: presentRole,
})

export const deleteRole = operation({
  access: 'roles.write',
  on: 'DELETE /admin/roles/{id}',
  summary: 'Delete a role',
  versioned: true,
  request: { params: pathId('rol', 'role') },
  responses: { 200: json(MessageResponse, 'The role was deleted') },
  run: (ctx, { params }) => roles.deleteRole(ctx, params.id),
  present: () => ({ message: 'The role was deleted.' }),
})
