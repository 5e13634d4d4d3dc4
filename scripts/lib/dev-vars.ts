import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { inProject } from './project.ts'

const FILE = inProject('.dev.vars')

/** A signing key and an application secret of this machine's own, made once and never committed. */
export async function ensureDevVars(): Promise<void> {
  if (existsSync(FILE)) {
    return
  }
  const { JWT_KEYS, APP_SECRET } = await freshSecrets()
  try {
    writeFileSync(FILE, `JWT_KEYS='${JWT_KEYS}'\nAPP_SECRET='${APP_SECRET}'\n`, {
      flag: 'wx',
      mode: 0o600,
    })
  } catch (error) {
    // Somebody else's start was first: then its secrets are the ones.
    if (!existsSync(FILE)) {
      throw error
    }
  }
}

export const readDevVars = (): Record<string, string> =>
  parseEnv(readFileSync(FILE, 'utf8')) as Record<string, string>

export async function freshSecrets(): Promise<{ JWT_KEYS: string; APP_SECRET: string }> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const { kty, crv, x, d } = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
  const kid = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('base64url')
  return {
    JWT_KEYS: JSON.stringify({ keys: [{ kty, crv, x, d, kid }] }),
    APP_SECRET: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
  }
}
