import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { inProject } from './project.ts'

const FILE = inProject('.dev.vars')

/** Secrets of this machine's own, made once and never committed; those that a newer version needs are added. */
export async function ensureDevVars(): Promise<void> {
  const fresh = await freshSecrets()
  try {
    writeFileSync(FILE, linesOf(Object.entries(fresh)), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!existsSync(FILE)) {
      throw error
    }
    const known = readDevVars()
    const missing = Object.entries(fresh).filter(([name]) => !known[name])
    if (missing.length > 0) {
      appendFileSync(FILE, `\n${linesOf(missing)}`)
    }
  }
}

const linesOf = (secrets: [string, string][]) =>
  secrets.map(([name, value]) => `${name}='${value}'\n`).join('')

export const readDevVars = (): Record<string, string> =>
  existsSync(FILE) ? (parseEnv(readFileSync(FILE, 'utf8')) as Record<string, string>) : {}

export type Secrets = Record<'JWT_KEYS' | 'APP_SECRET' | 'ENCRYPTION_KEYS', string>

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
