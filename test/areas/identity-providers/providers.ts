import type { z } from '@hono/zod-openapi'
import { createIdentityProvider } from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import type { IdentityProviderRequest } from '../../../src/areas/identity/identity-providers/identity-providers.contract.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { ok, rows } from '../../support/api.ts'
import { newAdmin } from '../../support/world.ts'

export type ProviderInput = z.input<typeof IdentityProviderRequest>

/** Nowhere but in requests and, sealed, in the database. */
export const SECRET = 'canary-of-a-client-secret'

/** A request that succeeds, with a name and a domain of its own. */
export function wanted(changed: Partial<ProviderInput> = {}): ProviderInput {
  const mark = crypto.randomUUID()
  return {
    name: `Provider ${mark}`,
    domain: `d-${mark}.example`,
    issuer: 'https://login.example.com',
    clientId: 'coffer',
    clientSecret: SECRET,
    ...changed,
  }
}

export const newProvider = async (changed: Partial<ProviderInput> = {}) =>
  ok(createIdentityProvider, { as: await newAdmin(), json: wanted(changed) })

/** A code as the callback gives it. */
export async function newCode(email: string, changed: { subject?: string; issuer?: string } = {}) {
  const issuer = changed.issuer ?? `https://login-${crypto.randomUUID()}.example`
  const subject = changed.subject ?? crypto.randomUUID()
  const provider = await newProvider({ issuer, autoProvision: true })
  const code = `sic_${crypto.randomUUID()}`
  await rows(
    `INSERT INTO sign_in_codes (code_hash, provider_id, issuer, subject, email, email_key, name, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?5, 'Ada', ?6)`,
    sha256Text(code),
    provider.id,
    issuer,
    subject,
    email,
    Date.now() + 60_000,
  )
  return { json: { code }, issuer, subject, provider }
}

/** What the log says of a provider, oldest first. */
export const logOf = (id: string) =>
  rows<{ type: string; actor_id: string; content: string }>(
    "SELECT type, actor_id, content FROM log_entries WHERE resource_type = 'identityProvider' AND resource_id = ? ORDER BY number",
    id,
  )

export const secretOf = async (id: string) => {
  const [row] = await rows<{ client_secret: string }>(
    'SELECT client_secret FROM identity_providers WHERE id = ?',
    id,
  )
  return row?.client_secret ?? ''
}
