import { acceptInvite, createInvite } from '../../../src/areas/groups/invites/invites.routes.ts'
import { createGroup } from '../../../src/areas/groups/groups.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'

export type Given = 'admin' | 'member' | 'viewer'

export const newGroup = (as: Principal, name = 'Home') => ok(createGroup, { as, json: { name } })

/** The code of a fresh invitation. */
export async function codeInto(id: string, by: Principal, role: Given = 'member'): Promise<string> {
  const { token } = await ok(createInvite, { as: by, id, json: { role } })
  return token ?? ''
}

/** Brings somebody into a group. */
export async function join(
  id: string,
  by: Principal,
  role: Given = 'member',
  user?: TestUser,
): Promise<TestUser> {
  const as = user ?? (await newUser({ name: `${role} ${crypto.randomUUID()}` }))
  await ok(acceptInvite, { as, json: { token: await codeInto(id, by, role) } })
  return as
}

/** A group with one of each. */
export async function newHousehold() {
  const owner = await newUser({ name: 'Owner' })
  const { id } = await newGroup(owner)
  const admin = await join(id, owner, 'admin')
  const member = await join(id, owner, 'member')
  const viewer = await join(id, owner, 'viewer')
  return { id, owner, admin, member, viewer }
}

/** An account of a member, shared with the group. */
export const shareWith = (
  groupId: string,
  accountId: string,
  permission = 'view',
  expiresAt: number | null = null,
) =>
  rows(
    `INSERT INTO shares (id, account_id, owner_id, group_id, permission, expires_at, created_by, created_at, updated_at)
      SELECT ?1, id, owner_id, ?2, ?4, ?5, owner_id, 0, 0 FROM accounts WHERE id = ?3`,
    `shr_${crypto.randomUUID()}`,
    groupId,
    accountId,
    permission,
    expiresAt,
  )

export const rolesIn = async (groupId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await rows<{ userId: string; role: string }>(
        'SELECT user_id AS userId, role FROM group_members WHERE group_id = ?',
        groupId,
      )
    ).map(({ userId, role }) => [userId, role]),
  )

export const confirm = ({ id }: TestUser) =>
  rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', id)
