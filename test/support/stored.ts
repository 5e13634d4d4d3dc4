import { rows } from './api.ts'
import { someId } from './of-file.ts'
import { newUser } from './world.ts'

// What is put into the tables past the service, where a test is not about how it comes there. Their ids make them older
// than all that the service made.

type Role = 'owner' | 'admin' | 'member' | 'viewer'

/** A group of these members, owned by somebody else where none of them is its owner. */
export async function storeGroup(
  members: (readonly [{ id: string }, Role])[] = [],
  storageClassId: string | null = null,
): Promise<string> {
  const id = someId('grp', 0)
  await rows(
    `INSERT INTO groups (id, name, kind, base_currency, storage_class_id, created_at, updated_at)
      VALUES (?, 'Home', 'household', 'EUR', ?, 0, 0)`,
    id,
    storageClassId,
  )
  const isOwned = members.some(([, role]) => role === 'owner')
  const owners: typeof members = isOwned ? [] : [[await newUser(), 'owner']]
  for (const [user, role] of [...owners, ...members]) {
    await rows(
      'INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES (?, ?, ?, 0)',
      id,
      user.id,
      role,
    )
  }
  return id
}

/** A share of an account by its owner, which a user has accepted. */
export async function storeShare(
  accountId: string,
  { user, groupId }: { user?: { id: string }; groupId?: string },
  permission = 'view',
  expiresAt: number | null = null,
): Promise<string> {
  const id = someId('shr', 0)
  await rows(
    `INSERT INTO shares (id, account_id, owner_id, grantee_user_id, group_id, permission, accepted_at, expires_at,
        created_by, created_at, updated_at)
      SELECT ?1, a.id, a.owner_id, ?3, ?4, ?5, iif(?3 IS NULL, NULL, 0), ?6, a.owner_id, 0, 0
      FROM accounts a WHERE a.id = ?2`,
    id,
    accountId,
    user?.id ?? null,
    groupId ?? null,
    permission,
    expiresAt,
  )
  return id
}

/** Whoever confirmed to have its address. */
export const confirm = ({ id }: { id: string }) =>
  rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', id)
