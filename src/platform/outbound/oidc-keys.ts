import type { Context } from '../context.ts'
import { fetchOutbound } from './outbound.ts'

interface Algorithm {
  kty: string
  crv?: string
  key: SubtleCryptoImportKeyAlgorithm
}

const ecdsa = (namedCurve: string): Algorithm => ({
  kty: 'EC',
  crv: namedCurve,
  key: { name: 'ECDSA', namedCurve },
})
const rsa = (name: string, hash: string): Algorithm => ({ kty: 'RSA', key: { name, hash } })
const eddsa: Algorithm = { kty: 'OKP', crv: 'Ed25519', key: { name: 'Ed25519' } }

/** The algorithms under which ID tokens are taken, and which keys they go with. */
const ALGORITHMS: Record<string, Algorithm> = {
  RS256: rsa('RSASSA-PKCS1-v1_5', 'SHA-256'),
  RS384: rsa('RSASSA-PKCS1-v1_5', 'SHA-384'),
  RS512: rsa('RSASSA-PKCS1-v1_5', 'SHA-512'),
  PS256: rsa('RSA-PSS', 'SHA-256'),
  PS384: rsa('RSA-PSS', 'SHA-384'),
  PS512: rsa('RSA-PSS', 'SHA-512'),
  ES256: ecdsa('P-256'),
  ES384: ecdsa('P-384'),
  ES512: ecdsa('P-521'),
  EdDSA: eddsa,
  Ed25519: eddsa,
}

const LEAST_RSA_BITS = 2048

/**
 * True if there is a key at the address that verifies an ID token; undefined if there is no set of keys.
 * @param named the algorithms that the provider signs with
 */
export async function hasUsableKey(
  ctx: Pick<Context, 'settings' | 'requestId'>,
  address: string,
  named: readonly string[],
): Promise<boolean | undefined> {
  const keys = await keysAt(ctx, address)
  if (!keys) {
    return undefined
  }
  const usable = await Promise.all(
    keys.map((key) =>
      isUsable(
        key,
        named.filter((name) => Object.hasOwn(ALGORITHMS, name)),
      ),
    ),
  )
  return usable.includes(true)
}

async function keysAt(
  ctx: Pick<Context, 'settings' | 'requestId'>,
  address: string,
): Promise<JsonWebKey[] | undefined> {
  try {
    const response = await fetchOutbound(ctx, address, { headers: { Accept: 'application/json' } })
    const set = await response.json<{ keys?: unknown } | null>()
    return response.status === 200 && Array.isArray(set?.keys) ? set.keys : undefined
  } catch {
    return undefined
  }
}

async function isUsable(jwk: JsonWebKey & { use?: unknown }, named: string[]): Promise<boolean> {
  try {
    const { use = 'sig', key_ops: operations = ['verify'], alg, kty, crv } = jwk
    const fitting = named
      .filter((name) => alg === undefined || alg === name)
      .flatMap((name) => ALGORITHMS[name] ?? [])
      .find((one) => one.kty === kty && (one.crv === undefined || one.crv === crv))
    if (!fitting || use !== 'sig' || !operations.includes('verify')) {
      return false
    }
    const key = await crypto.subtle.importKey('jwk', jwk, fitting.key, false, ['verify'])
    const { modulusLength = LEAST_RSA_BITS } = key.algorithm as { modulusLength?: number }
    return modulusLength >= LEAST_RSA_BITS
  } catch {
    // An error means that the value is no usable key.
    return false
  }
}
