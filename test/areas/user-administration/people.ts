import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import { createUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newHolder } from '../roles/holders.ts'

export const freshEmail = () => `user-${crypto.randomUUID()}@coffer.test`

/** Somebody who administers users without being an administrator. */
export const newManager = () => newHolder(['users.read', 'users.write'])

/** A user without any role. */
export const newNobody = (as: Principal) =>
  ok(createUser, { as, json: { email: freshEmail(), name: 'Nobody', roleIds: [] } })

/** What a request of the user is answered with now. */
export const statusOf = async (as: Principal) => (await call(getMe, { as })).status

/** What the log says of a user, oldest first, since an administrator laid hands on it. */
export const logOf = (id: string) =>
  rows<{ type: string; actor_id: string; owner_id: string; content: string | null }>(
    `SELECT type, actor_id, owner_id, content FROM log_entries
      WHERE resource_type = 'user' AND resource_id = ?1 AND actor_id <> ?1 ORDER BY number`,
    id,
  )

/** The row of a user, for what no operation shows. */
export async function rowOf(id: string) {
  const [row] = await rows<{
    email_key: string
    password_hash: string | null
    status: string
    version: number
  }>('SELECT * FROM users WHERE id = ?', id)
  if (!row) {
    throw new Error(`no user ${id}`)
  }
  return row
}
