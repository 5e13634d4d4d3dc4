import { env } from 'cloudflare:workers'
import { stepAt, totpOf } from '../../src/areas/auth/mfa/mfa.rules.ts'
import { newId } from '../../src/domain/ids.ts'
import { sha256Text } from '../../src/platform/crypto.ts'
import { fetchRaw, type Principal, rows } from './api.ts'
import { newUser, type TestUser } from './world.ts'

// What the samples are made of and sent with.

export const totpNow = (secret: string) => totpOf(secret, stepAt(Date.now()))

export async function beginTotp(as: TestUser): Promise<{ secret: string }> {
  const response = await send(as, 'POST', '/auth/mfa/totp', { password: as.password })
  return (await response.json()) as { secret: string }
}

/** A backup that was made. */
export async function backupOf({ id: userId }: TestUser): Promise<string> {
  const id = newId('bak', Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  await env.FILES.put(`archives/${id}`, 'an archive')
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, object_key, size, sha256, expires_at, created_at,
        updated_at)
      VALUES (?1, 'backup', ?2, 'ready', 'archives/' || ?1, 10, 'x', 4e12, 0, 0)`,
    id,
    userId,
  )
  return id
}

/** A one-time token of another user, as a mail would bring it. */
export async function tokenFor(purpose: string): Promise<string> {
  const { id } = await newUser()
  const token = `${purpose} ${id}`
  await rows(
    `INSERT INTO one_time_tokens (token_hash, purpose, user_id, created_at, expires_at)
      VALUES (?, ?, ?, 0, 9e15)`,
    await sha256Text(token),
    purpose,
    id,
  )
  return token
}

export const send = (as: Principal, method: string, path: string, json?: object) =>
  fetchRaw(path, requestInit(as, method, json))

export const requestInit = (as: Principal, method: string, json?: object): RequestInit => ({
  method,
  headers: { Authorization: `Bearer ${as.accessToken}`, 'Content-Type': 'application/json' },
  ...(json === undefined ? {} : { body: JSON.stringify(json) }),
})
