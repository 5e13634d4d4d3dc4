import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database.ts'
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

export const listPermissions = operation(
  'permissions.read',
  {
    method: 'get',
    path: '/admin/permissions',
    operationId: 'listPermissions',
    summary: 'List permissions',
    tags: ['Roles'],
    responses: { 200: json(ListPermissionsResponse, 'The permission catalogue') },
  },
  (c) => answer(c, 200, presentPermissions, checkAccess),
)

export const listRoles = operation(
  'roles.read',
  {
    method: 'get',
    path: '/admin/roles',
    operationId: 'listRoles',
    summary: 'List roles',
    tags: ['Roles'],
    responses: { 200: json(ListRolesResponse, 'The roles') },
  },
  (c) => answer(c, 200, presentRoles, roles.listRoles),
)

export const createRole = operation(
  'roles.write',
  {
    method: 'post',
    path: '/admin/roles',
    operationId: 'createRole',
    summary: 'Create a role',
    tags: ['Roles'],
    request: jsonRequest(CreateRoleRequest),
    responses: { 201: json(RoleResponse, 'The new role') },
  },
  (c) => answer(c, 201, presentRole, (ctx) => roles.createRole(ctx, c.req.valid('json'))),
)

export const getRole = operation(
  'roles.read',
  {
    method: 'get',
    path: '/admin/roles/{id}',
    operationId: 'getRole',
    summary: 'Get a role',
    tags: ['Roles'],
    request: { params: pathId('rol', 'role') },
    responses: { 200: json(RoleResponse, 'The role') },
  },
  (c) => answer(c, 200, presentRole, (ctx) => roles.getRole(ctx, c.req.valid('param').id)),
)

export const updateRole = operation(
  'roles.write',
  {
    method: 'put',
    path: '/admin/roles/{id}',
    operationId: 'updateRole',
    summary: 'Update a role',
    tags: ['Roles'],
    versioned: true,
    request: { params: pathId('rol', 'role'), ...jsonRequest(UpdateRoleRequest) },
    responses: { 200: json(RoleResponse, 'The role as it is now') },
  },
  (c) =>
    answer(c, 200, presentRole, (ctx) =>
      roles.updateRole(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteRole = operation(
  'roles.write',
  {
    method: 'delete',
    path: '/admin/roles/{id}',
    operationId: 'deleteRole',
    summary: 'Delete a role',
    tags: ['Roles'],
    versioned: true,
    request: { params: pathId('rol', 'role') },
    responses: { 200: json(MessageResponse, 'The role was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The role was deleted.' }),
      (ctx) => roles.deleteRole(ctx, c.req.valid('param').id),
    ),
)
