import type { z } from '@hono/zod-openapi'
import { createShare, postAcceptShare } from '../../../src/areas/sharing/sharing.routes.ts'
import type { CreateShareRequest } from '../../../src/areas/sharing/sharing.schemas.ts'
import { ok, rows } from '../../support/api.ts'
import type { TestUser } from '../../support/world.ts'

type Wanted = Partial<z.input<typeof CreateShareRequest>>

/** A share of an account that the user has accepted; it views unless told otherwise. */
export async function share(
  owner: TestUser,
  account: { id: string },
  { id: userId, ...receiver }: TestUser,
  wanted: Wanted = {},
): Promise<{ id: string; version: number }> {
  const json = { resourceId: account.id, userId, ...wanted }
  const { id } = await ok(createShare, { as: owner, json })
  return ok(postAcceptShare, { as: receiver, id, json: {} })
}

/** Whoever confirmed to have its address. */
export const confirm = ({ id }: TestUser) =>
  rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', id)

type Role = 'admin' | 'member' | 'viewer'

/** A group of its owner and these members. */
export async function newGroup(owner: TestUser, members: [TestUser, Role][] = []): Promise<string> {
  const id = `grp_${crypto.randomUUID()}`
  await rows(
    `INSERT INTO groups (id, name, kind, base_currency, version, created_at, updated_at)
      VALUES (?, 'Home', 'household', 'EUR', 1, 0, 0)`,
    id,
  )
  for (const [user, role] of [[owner, 'owner'] as const, ...members]) {
    await rows(
      'INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES (?, ?, ?, 0)',
      id,
      user.id,
      role,
    )
  }
  return id
}
