import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export type Secrets = Record<'JWT_KEYS' | 'APP_SECRET' | 'ENCRYPTION_KEYS', string>

const NAMES = ['JWT_KEYS', 'APP_SECRET', 'ENCRYPTION_KEYS'] as const

/** The file of the data folder that keeps the secrets which the environment does not give. */
export const secretsFile = (data: string): string => join(data, 'secrets.env')

/** Reads the secrets in the file, if there is one. */
export function storedSecrets(data: string): Record<string, string | undefined> {
  const file = secretsFile(data)
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** The names of the secrets that neither these variables nor the file of a data folder have. */
export function missingSecrets(
  data: string,
  variables: Record<string, string | undefined>,
): (keyof Secrets)[] {
  const stored = storedSecrets(data)
  return NAMES.filter((name) => !(variables[name] || stored[name]))
}

/** The names of the secrets that a service with these variables takes from elsewhere than the file. */
export function secretsElsewhere(
  data: string,
  variables: Record<string, string | undefined>,
): string[] {
  const missing = missingSecrets(data, {})
  return NAMES.filter((name) => variables[name] || missing.includes(name))
}

/**
 * The secrets of the environment, else those of the data folder. What both lack is made once and stored, with mode 0600,
 * as long as there is no database: of an existing one the secrets were lost, and others would make it unreadable.
 * @param check throws when the service cannot run with them, before anything is stored
 * @throws Error when a database is there and its secrets are not
 */
export async function ensureSecrets(
  data: string,
  variables: Record<string, string | undefined>,
  hasDatabase: boolean,
  check: (secrets: Secrets) => void = () => undefined,
): Promise<Secrets> {
  const missing = missingSecrets(data, variables)
  if (missing.length > 0 && hasDatabase) {
    throw new Error(
      `These secrets are missing: ${missing.join(', ')}. The database cannot be read without the secrets that it was created with. Restore ${secretsFile(data)}, or set them in the environment.`,
    )
  }
  const fresh = missing.length > 0 ? await freshSecrets() : undefined
  const made = fresh ? missing.map((name): [string, string] => [name, fresh[name]]) : []
  const stored = storedSecrets(data)
  const known = NAMES.map((name) => [name, variables[name] || stored[name]])
  const secrets = Object.fromEntries([...known, ...made]) as Secrets
  check(secrets)
  if (made.length > 0) {
    appendFileSync(secretsFile(data), linesOf(made), { mode: 0o600, flush: true })
  }
  return secrets
}

const linesOf = (secrets: [string, string][]) =>
  secrets.map(([name, value]) => `${name}='${value}'\n`).join('')

export async function freshSecrets(): Promise<Secrets> {
  return {
    JWT_KEYS: JSON.stringify({ keys: [await freshSigningKey()] }),
    APP_SECRET: randomText(32, 'base64'),
    ENCRYPTION_KEYS: JSON.stringify([freshEncryptionKey()]),
  }
}

/** A private JWK as JWT_KEYS lists them. */
export async function freshSigningKey(): Promise<JsonWebKey & { kid: string }> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const { kty, crv, x, d } = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
  return { kty, crv, x, d, kid: randomText(6, 'base64url') } as JsonWebKey & { kid: string }
}

/** A key as ENCRYPTION_KEYS lists them. */
export const freshEncryptionKey = (): { id: string; key: string } => ({
  id: randomText(6, 'base64url'),
  key: randomText(32, 'base64'),
})

const randomText = (bytes: number, encoding: 'base64' | 'base64url') =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding)
