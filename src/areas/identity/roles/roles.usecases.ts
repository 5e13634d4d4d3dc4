import { type Permission, permissionsOfRole } from '../../../domain/permissions.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, permissionsToGrant, type SignedIn } from '../../../platform/context.ts'
import { checkAccess, commit, read, requireVersion } from '../../../platform/database/database.ts'
import { letGoOfRole } from '../auth/auth.public.ts'
import { roleErrors } from './roles.errors.ts'
import { roleEvents } from './roles.events.ts'
import {
  allRoles,
  callerHolds,
  deleteRoleRow,
  insertPermissions,
  insertRole,
  replacePermissions,
  roleById,
  type RoleRow,
  updateRoleRow,
} from './roles.queries.ts'
import {
  contentAfter,
  permissionsInOrder,
  type RoleContent,
  type SentContent,
  without,
} from './roles.rules.ts'

export interface Role extends Omit<RoleRow, 'stored'> {
  permissions: Permission[]
}

export async function listRoles(ctx: SignedIn): Promise<Role[]> {
  const [rows] = await read(ctx, allRoles())
  return rows.map(roleFrom)
}

export async function getRole(ctx: SignedIn, id: string): Promise<Role> {
  const [[row]] = await read(ctx, roleById(id))
  if (!row) {
    throw roleErrors.notFound()
  }
  return roleFrom(row)
}

export async function createRole(ctx: SignedIn, wanted: RoleContent): Promise<Role> {
  await checkAccess(ctx)
  const { name, description } = wanted
  const permissions = permissionsInOrder(wanted.permissions)
  requireHeld(ctx, permissions)
  const id = freshId(ctx, 'rol')
  const stamps = { version: 1, createdAt: ctx.now, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          callerHolds(ctx, permissions, roleErrors.permissionNotHeld),
          insertRole({ id, name, nameKey: foldKey(name), description, ...stamps }),
          insertPermissions(id, permissions),
        ],
        events: [
          roleEvents.created({ id, version: 1 }, { after: { name, description, permissions } }),
        ],
      },
    ],
    result: { id, name, description, permissions, system: null, userCount: 0, ...stamps },
    conflicts,
  })
}

export async function updateRole(ctx: SignedIn, id: string, sent: SentContent): Promise<Role> {
  const role = await getRole(ctx, id)
  requireVersion(ctx, role.version)
  const { name, description, permissions } = contentAfter(role, sent)
  // Taking away is power over whoever has the role, as giving is.
  const touched = [
    ...without(permissions, role.permissions),
    ...without(role.permissions, permissions),
  ]
  if (role.system && (name !== role.name || touched.length > 0)) {
    throw roleErrors.systemRole({ field: name === role.name ? 'permissions' : 'name' })
  }
  requireHeld(ctx, touched)
  const stamps = { version: role.version + 1, updatedAt: ctx.now }
  const after = { ...role, name, description, permissions, ...stamps }
  return commit(ctx, {
    changes: [
      {
        statements: [
          callerHolds(ctx, touched, roleErrors.permissionNotHeld),
          ...updateRoleRow(ctx, role, { name, nameKey: foldKey(name), description }),
          ...(touched.length > 0 ? replacePermissions(id, permissions) : []),
        ],
        events: [roleEvents.updated({ id, version: after.version }, { before: role, after })],
      },
    ],
    result: after,
    conflicts,
  })
}

export async function deleteRole(ctx: SignedIn, id: string): Promise<void> {
  const role = await getRole(ctx, id)
  if (role.system) {
    throw roleErrors.systemRole()
  }
  requireVersion(ctx, role.version)
  if (role.userCount > 0) {
    throw roleErrors.inUse()
  }
  const { name, description, permissions } = role
  return commit(ctx, {
    changes: [
      {
        statements: [letGoOfRole(ctx, id), ...deleteRoleRow(role)],
        events: [roleEvents.deleted({ id }, { before: { name, description, permissions } })],
      },
    ],
    result: undefined,
  })
}

const conflicts = {
  'roles.name_key': () => roleErrors.nameTaken({ field: 'name' }),
}

function roleFrom({ stored, ...role }: RoleRow): Role {
  return { ...role, permissions: permissionsOfRole(role.system, stored) }
}

/** So that nobody lifts a role, perhaps their own, above themselves, or weakens who stands above them. */
function requireHeld(ctx: SignedIn, touched: Permission[]): void {
  if (without(touched, permissionsToGrant(ctx)).length > 0) {
    throw roleErrors.permissionNotHeld({ field: 'permissions' })
  }
}
