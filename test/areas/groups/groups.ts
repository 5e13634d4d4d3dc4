import {
  acceptGroupInvite,
  createGroupInvite,
} from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'

export type Given = 'admin' | 'member' | 'viewer'

export const newGroup = (as: Principal, name = 'Home') => ok(createGroup, { as, json: { name } })

/** The code of a fresh invitation. */
export async function codeInto(id: string, by: Principal, role: Given = 'member'): Promise<string> {
  const { code } = await ok(createGroupInvite, { as: by, id, json: { role } })
  return code ?? ''
}

/** Brings somebody into a group. */
export async function join(
  id: string,
  by: Principal,
  role: Given = 'member',
  user?: TestUser,
): Promise<TestUser> {
  const as = user ?? (await newUser({ name: `${role} ${crypto.randomUUID()}` }))
  await ok(acceptGroupInvite, { as, json: { code: await codeInto(id, by, role) } })
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

export const rolesIn = async (groupId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await rows<{ userId: string; role: string }>(
        'SELECT user_id AS userId, role FROM group_members WHERE group_id = ?',
        groupId,
      )
    ).map(({ userId, role }) => [userId, role]),
  )
