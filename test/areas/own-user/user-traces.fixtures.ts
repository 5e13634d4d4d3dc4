import { deleteOwnUser } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { login as loginRoute } from '../../../src/areas/identity/auth/auth.routes.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import type { TestUser } from '../../support/world.ts'
import { turnMfaOn } from '../auth/authenticator.ts'
import type { Owner } from './owners.fixtures.ts'

/** The time has come, as it would in thirty days. */
export const makeDue = ({ id }: TestUser) =>
  rows('UPDATE users SET deletion_due_at = 1 WHERE id = ?', id)

/** Whatever else there is of a person, beside what is owned. */
export async function addTraces(me: Owner): Promise<void> {
  await turnMfaOn(me)
  await rows(
    `INSERT INTO external_identities (id, user_id, issuer, subject, created_at)
      VALUES (?1, ?2, 'https://login.example.com', ?1, 0)`,
    `ext_${me.word}`,
    me.id,
  )
  await rows(
    `INSERT INTO sign_in_codes (code_hash, provider_id, issuer, subject, email, email_key, name, role_ids, expires_at)
      VALUES (?1, 'idp_x', 'https://login.example.com', ?1, ?2, ?2, ?1, json_array(?1), 9e15)`,
    me.word,
    me.email,
  )
  await newInvite(me)
  const { id } = await newInvite(null)
  await rows('INSERT INTO invite_redemptions VALUES (?, ?, 1)', id, me.id)
  const { email, password } = me
  await ok(wipeData, { as: me, json: { kinds: ['transactions'], password: me.password } })
  await ok(deleteOwnUser, { as: me, json: { password: me.password } })
  // Made since, as those of before are gone. With the second factor on, this is a sign-in that waits for a code.
  await ok(loginRoute, { json: { email, password }, headers: { 'User-Agent': me.word } })
  await rows(
    `INSERT INTO personal_access_tokens (id, user_id, name, token_hash, token_prefix, scopes, created_at, updated_at)
      VALUES (?1, ?2, ?1, ?1, 'pat_', '[]', 0, 0)`,
    me.word,
    me.id,
  )
}

/** An invite of a user, and a way to join by it. */
export async function newInvite(issuer: TestUser | null): Promise<{ id: string; code: string }> {
  const [id, code] = [someId('inv'), crypto.randomUUID()]
  await rows(
    `INSERT INTO invite_codes (id, code_hash, max_uses, issued_by, note, created_at)
      VALUES (?1, ?2, 5, ?3, 'For a friend', 0)`,
    id,
    sha256Text(code),
    issuer?.id ?? null,
  )
  return { id, code }
}
