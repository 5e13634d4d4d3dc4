import type { Permission } from '../../../src/domain/permissions.ts'
import { createRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'

export const newName = () => `Role ${crypto.randomUUID()}`

export const newRole = async (permissions: Permission[] = [], admin?: Principal) =>
  ok(createRole, { as: admin ?? (await newAdmin()), json: { name: newName(), permissions } })

export const giveRole = (userId: string, roleId: string) =>
  rows('INSERT INTO user_roles (user_id, role_id) VALUES (?, ?)', userId, roleId)

/** A user who also has a role of its own with these permissions. */
export async function newHolder(
  permissions: Permission[],
): Promise<TestUser & { roleId: string; roleVersion: number }> {
  const [user, role] = await Promise.all([newUser(), newRole(permissions)])
  await giveRole(user.id, role.id)
  return { ...user, roleId: role.id, roleVersion: role.version }
}

/** What the log says of a role, oldest first. */
export const logOf = (roleId: string) =>
  rows<{ type: string; actor_id: string; content: string }>(
    "SELECT type, actor_id, content FROM log_entries WHERE resource_type = 'role' AND resource_id = ? ORDER BY number",
    roleId,
  )
