import { z } from '@hono/zod-openapi'
import { isAdminOnly, PERMISSION_KEYS, PERMISSIONS } from '../../../domain/permissions.ts'
import {
  count,
  id,
  nameInput,
  textField,
  presentStamps,
  stamps,
  text,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import type { Role } from './roles.usecases.ts'

export const PermissionResponse = z
  .object({
    key: z
      .enum(PERMISSION_KEYS)
      .openapi({ description: 'The permission, `resource.action`.', example: 'accounts.read' }),
    description: textField('What it permits.', 'See accounts, balances and the home page'),
    area: textField('Area of the service that it belongs to.', 'Accounts'),
    adminOnly: booleanField('Whether the system role `user` lacks this permission.', false),
  })
  .openapi('PermissionResponse')

export const ListPermissionsResponse = z
  .object({
    permissions: z.array(PermissionResponse).openapi({ description: 'All permissions, by area.' }),
    count,
  })
  .openapi('ListPermissionsResponse')

const name = nameInput(64, 'Unique name of the role.', 'Bookkeeper')

const description = text(0, 500, 'What the role is for.', 'Enters receipts')

const permissions = z
  .array(
    z.enum(PERMISSION_KEYS, 'must be one of the permissions that GET /admin/permissions lists'),
  )
  .max(PERMISSION_KEYS.length)
  .openapi({
    description:
      'Permissions that the role grants. Only permissions that the caller holds can be added.',
    example: ['transactions.read', 'transactions.write'],
  })

export const CreateRoleRequest = z
  .strictObject({ name, description: description.default(''), permissions })
  .openapi('CreateRoleRequest')

export const UpdateRoleRequest = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    permissions: permissions.optional(),
  })
  .openapi('UpdateRoleRequest')

export const RoleResponse = z
  .object({
    id: id('rol', 'Id of the role.'),
    name: textField('Name of the role.', 'Bookkeeper'),
    description: textField('What the role is for.', 'Enters receipts'),
    permissions: z.array(z.enum(PERMISSION_KEYS)).openapi({
      description: 'Permissions that the role grants.',
      example: ['transactions.read'],
    }),
    system: booleanField(
      'Whether this is a system role. System roles cannot be renamed, changed or deleted.',
      false,
    ),
    userCount: integerField('Number of users who have the role.', 2),
    ...stamps,
  })
  .openapi('RoleResponse')

export const ListRolesResponse = z
  .object({
    roles: z
      .array(RoleResponse)
      .openapi({ description: 'All roles: system roles first, then by name.' }),
    count,
  })
  .openapi('ListRolesResponse')

/** The catalogue is code, so there is nothing to fetch. */
export const presentPermissions = (): z.infer<typeof ListPermissionsResponse> => ({
  permissions: PERMISSION_KEYS.map((key) => ({
    key,
    description: PERMISSIONS[key].description,
    area: PERMISSIONS[key].area,
    adminOnly: isAdminOnly(key),
  })),
  count: PERMISSION_KEYS.length,
})

export const presentRole = (role: Role): z.infer<typeof RoleResponse> => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: role.permissions,
  system: role.system !== null,
  userCount: role.userCount,
  ...presentStamps(role),
})

export const presentRoles = (roles: Role[]): z.infer<typeof ListRolesResponse> => ({
  roles: roles.map(presentRole),
  count: roles.length,
})
