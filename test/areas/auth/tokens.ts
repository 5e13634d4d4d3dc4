import { env } from 'cloudflare:workers'
import type { Principal } from '../../support/api.ts'

export type Part = unknown

const encoder = new TextEncoder()

export const base64Url = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes as Uint8Array).toString('base64url')

export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))

const encode = (part: Part) => base64Url(JSON.stringify(part))

/** Header and claims of a token that the service issued. */
export function partsOf({ accessToken }: Principal): {
  header: Record<string, unknown>
  claims: Record<string, unknown>
} {
  const [header = '', claims = ''] = accessToken
    .split('.')
    .slice(0, 2)
    .map((part) => new TextDecoder().decode(fromBase64Url(part)))
  return { header: JSON.parse(header), claims: JSON.parse(claims) }
}

export const ownJwk = (): JsonWebKey & { kid: string; x: string } =>
  JSON.parse(env.JWT_KEYS).keys[0]

const importKey = ({ kty, crv, x, d }: JsonWebKey) =>
  crypto.subtle.importKey('jwk', { kty, crv, x, d } as JsonWebKey, 'Ed25519', false, ['sign'])

export async function strangeKey(): Promise<
  CryptoKeyPair & { publicJwk: JsonWebKey; privateJwk: JsonWebKey }
> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const [publicJwk, privateJwk] = (await Promise.all([
    crypto.subtle.exportKey('jwk', pair.publicKey),
    crypto.subtle.exportKey('jwk', pair.privateKey),
  ])) as [JsonWebKey, JsonWebKey]
  return { ...pair, publicJwk, privateJwk }
}

/** A token of any header and claims, signed by the service's own key or another. */
export async function signed(header: Part, claims: Part, by?: Signer): Promise<string> {
  return signedText(`${encode(header)}.${encode(claims)}`, by)
}

/** A key of Ed25519, or any other with its algorithm. */
type Signer = CryptoKey | { key: CryptoKey; algorithm: SubtleCryptoSignAlgorithm }

export async function signedText(message: string, by?: Signer): Promise<string> {
  const signer = by ?? (await importKey(ownJwk()))
  const { key, algorithm } =
    signer instanceof CryptoKey ? { key: signer, algorithm: 'Ed25519' } : signer
  const signature = await crypto.subtle.sign(algorithm, key, encoder.encode(message))
  return `${message}.${base64Url(new Uint8Array(signature))}`
}

export const unsigned = (header: Part, claims: Part, signature = ''): string =>
  `${encode(header)}.${encode(claims)}.${signature}`

export async function hmacSigned(
  header: Part,
  claims: Part,
  secret: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const message = `${encode(header)}.${encode(claims)}`
  const isLong = JSON.stringify(header).includes('HS512')
  const algorithm = { name: 'HMAC', hash: isLong ? 'SHA-512' : 'SHA-256' }
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : secret
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(message))
  return `${message}.${base64Url(new Uint8Array(signature))}`
}

/** Tokens by what they are. */
export const named = async (pairs: (readonly [string, string | Promise<string>])[]) =>
  Object.fromEntries(
    await Promise.all(pairs.map(async ([name, token]) => [name, await token] as const)),
  )
