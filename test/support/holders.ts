import { env } from 'cloudflare:workers'
import { coreOf } from '../../src/domain/ids.ts'
import { newPersonalToken } from '../../src/platform/secrets/owned-tokens.ts'
import { signAccessToken } from '../../src/platform/secrets/tokens.ts'
import type { Principal } from './api.ts'
import { contextWith } from './service.ts'
import { someId } from './of-file.ts'

// Users and access tokens that hold exactly some permissions. They are stored many at once, past the service: to
// register one for each operation takes longer than all that is asked of it.

export interface Holder extends Principal {
  id: string
}

const store = (sql: string, rows: readonly object[]) =>
  env.DB.prepare(`${sql} FROM json_each(?)`).bind(JSON.stringify(rows))

/** A user for each list of permissions, with one role that consists of these permissions. */
export async function holdersOf(all: readonly (readonly string[])[]): Promise<Holder[]> {
  const users = all.map((permissions) => {
    const id = someId('usr')
    return { id, session: `ses_${coreOf(id)}`, role: `rol_${coreOf(id)}`, permissions }
  })
  await env.DB.batch([
    store(
      `INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
        SELECT value ->> 'id', value ->> 'id', value ->> 'id', 'Ada', 'EUR', 'en', 'UTC', 0, 0`,
      users,
    ),
    store(
      `INSERT INTO sessions (id, user_id, created_at, last_used_at, idle_expires_at, absolute_expires_at)
        SELECT value ->> 'session', value ->> 'id', 0, 0, 4e12, 4e12`,
      users,
    ),
    store(
      `INSERT INTO roles (id, name, name_key, version, created_at, updated_at)
        SELECT value ->> 'role', value ->> 'role', value ->> 'role', 1, 0, 0`,
      users,
    ),
    store(
      "INSERT INTO user_roles (user_id, role_id) SELECT value ->> 'id', value ->> 'role'",
      users,
    ),
    store(
      "INSERT INTO role_permissions (role_id, permission) SELECT value ->> 'role', value ->> 'permission'",
      users.flatMap(({ role, permissions }) =>
        permissions.map((permission) => ({ role, permission })),
      ),
    ),
  ])
  const ctx = contextWith()
  return Promise.all(
    users.map(async ({ id, session }) => ({
      id,
      accessToken: await signAccessToken(ctx, { userId: id, sessionId: session }),
    })),
  )
}

interface Wanted {
  user: { id: string }
  scopes: readonly string[]
  expiresAt?: number
}

/** Personal access tokens, each with exactly its scopes. */
export async function accessTokensOf(all: readonly Wanted[]): Promise<Principal[]> {
  const ctx = contextWith()
  const tokens = all.map(({ user, scopes, expiresAt = null }) => ({
    ...newPersonalToken(ctx, user.id),
    ...{ id: `pat_${crypto.randomUUID()}`, userId: user.id, scopes, expiresAt },
  }))
  await store(
    `INSERT INTO personal_access_tokens (id, user_id, name, token_hash, token_prefix, scopes, expires_at, version,
        created_at, updated_at)
      SELECT value ->> 'id', value ->> 'userId', value ->> 'id', value ->> 'hash', value ->> 'prefix',
        value ->> 'scopes', value ->> 'expiresAt', 1, 0, 0`,
    tokens.map(({ text: _, ...stored }) => stored),
  ).run()
  return tokens.map(({ text }) => ({ accessToken: text }))
}
