import type { z } from '@hono/zod-openapi'
import { isAdminOnly, PERMISSION_KEYS, PERMISSIONS } from '../../domain/permissions.ts'
import { presentStamps } from '../../http/fields.ts'
import type { ListPermissionsResponse, ListRolesResponse, RoleResponse } from './roles.schemas.ts'
import type { Role } from './roles.usecases.ts'

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
