import { verify } from 'hono/jwt'
import { freshId, type Context } from '../context.ts'
import { fromBase64Url, toBase64Url } from './crypto.ts'
import { Memory } from '../database/memory.ts'

const ISSUER = 'coffer'
const AUDIENCE = 'coffer-api'
const TYPE = 'at+jwt'

/** Seconds an access token is good for; the session is checked on every request all the same. */
export const ACCESS_TOKEN_SECONDS = 15 * 60

interface Key {
  kid: string
  publicKey: CryptoKey
  /** Only of a key that may sign. */
  privateKey?: CryptoKey
}

/** Imported key sets per isolate, by their text. No promise is kept: it would end with the request that made it. */
const keySets = new Map<string, Key[]>()

async function keysOf(jwtKeys: string): Promise<Key[]> {
  const known = keySets.get(jwtKeys)
  if (known) {
    return known
  }
  const { keys } = JSON.parse(jwtKeys) as { keys: (JsonWebKey & { kid: string })[] }
  const imported = await Promise.all(keys.map(importKey))
  keySets.set(jwtKeys, imported)
  return imported
}

async function importKey(jwk: JsonWebKey & { kid: string }): Promise<Key> {
  const { kid, kty, crv, x, d } = jwk
  const load = (part: JsonWebKey, use: 'sign' | 'verify') =>
    crypto.subtle.importKey('jwk', part, { name: 'Ed25519' }, false, [use])
  const publicKey = await load({ kty, crv, x } as JsonWebKey, 'verify')
  return d === undefined
    ? { kid, publicKey }
    : { kid, publicKey, privateKey: await load({ kty, crv, x, d } as JsonWebKey, 'sign') }
}

export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
}

/**
 * Returns the parts of our keys that others need to verify our tokens. They are named one by one, so that no private
 * part can slip out.
 */
export function publicKeysOf(jwtKeys: string): PublicJwk[] {
  const { keys } = JSON.parse(jwtKeys) as { keys: { x: string; kid: string }[] }
  return keys.map(({ x, kid }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    alg: 'EdDSA',
    use: 'sig',
  }))
}

/** Signs with the first key. The token says who and which session; never what they may do. */
export async function signAccessToken(
  ctx: Context,
  subject: { userId: string; sessionId: string },
): Promise<string> {
  const [key] = await keysOf(ctx.settings.jwtKeys)
  if (!key?.privateKey) {
    throw new Error('the first key of JWT_KEYS cannot sign')
  }
  const issuedAt = Math.floor(ctx.now / 1000)
  const head = headOf(key)
  const claims = encodePart({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: subject.userId,
    sid: subject.sessionId,
    jti: freshId(ctx, 'jti'),
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_SECONDS,
  })
  const message = new TextEncoder().encode(`${head}.${claims}`)
  const signature = await crypto.subtle.sign('Ed25519', key.privateKey, message)
  return `${head}.${claims}.${toBase64Url(new Uint8Array(signature))}`
}

const encodePart = (part: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(part)))

/** hono/jwt signs with `typ: JWT` only, and an access token must not pass for any other token. */
const headOf = ({ kid }: Key) => encodePart({ alg: 'EdDSA', typ: TYPE, kid })

/** Seconds that the clock of the machine which signed may be ahead. */
const CLOCK_SKEW_SECONDS = 60

interface Claims {
  readonly userId: string
  readonly sessionId: string
  /** Seconds since 1970 UTC. */
  readonly issuedAt: number
}

/** The number of tokens that an isolate remembers per key set. */
const REMEMBERED = 1000

/** By key set, then by the whole token: a signature that held once holds as long as its keys do. */
const remembered = new Map<string, Memory<Claims>>()

/**
 * Returns the user and the session of a token. Returns `expired` if that is its only fault, and undefined if it is
 * not ours or has another fault.
 * @param now milliseconds since 1970 UTC
 */
export async function verifyAccessToken(
  { jwtKeys, now }: { jwtKeys: string; now: number },
  token: string,
): Promise<Pick<Claims, 'userId' | 'sessionId'> | 'expired' | undefined> {
  const memory = memoryOf(jwtKeys)
  const claims = memory.get(token) ?? (await claimsOf(jwtKeys, token))
  const age = claims && now / 1000 - claims.issuedAt
  if (!claims || age === undefined || age < -CLOCK_SKEW_SECONDS) {
    return undefined
  }
  if (age >= ACCESS_TOKEN_SECONDS) {
    return 'expired'
  }
  memory.set(token, claims)
  // A copy: a unit of work writes to the caller of a request, and what is remembered serves many.
  return { userId: claims.userId, sessionId: claims.sessionId }
}

function memoryOf(jwtKeys: string): Memory<Claims> {
  const known = remembered.get(jwtKeys) ?? new Memory<Claims>(REMEMBERED)
  remembered.set(jwtKeys, known)
  return known
}

/** The claims of a token that one of the keys has signed; the caller checks its time. */
async function claimsOf(jwtKeys: string, token: string): Promise<Claims | undefined> {
  const [head = '', body = '', signature = ''] = token.split('.')
  // A header that we do not write, down to the order of its members, is refused without being read.
  const key = (await keysOf(jwtKeys)).find((one) => headOf(one) === head)
  if (!key || !isCanonical(signature)) {
    return undefined
  }
  try {
    const claims = await verify(token, key.publicKey, {
      alg: 'EdDSA',
      typ: TYPE,
      iss: ISSUER,
      aud: AUDIENCE,
      // hono/jwt asks the system's clock; ours is a port.
      exp: false,
      iat: false,
      nbf: false,
    })
    // Claims that the library treats as optional are required here.
    const { sub, sid, jti, exp, iat, nbf, aud } = claims
    return Number.isSafeInteger(iat) &&
      exp === Number(iat) + ACCESS_TOKEN_SECONDS &&
      nbf === undefined &&
      aud === AUDIENCE &&
      typeof sub === 'string' &&
      typeof sid === 'string' &&
      typeof jti === 'string' &&
      saysEverythingOnce(body, claims)
      ? { userId: sub, sessionId: sid, issuedAt: Number(iat) }
      : undefined
  } catch {
    return undefined
  }
}

/** Parsers differ in which of two equal names they take, so the claims must be spelled as we spell them. */
const saysEverythingOnce = (body: string, claims: object) => encodePart(claims) === body

/** Only one spelling of a signature is good: no padding, no other alphabet, no set bits beyond its end. */
function isCanonical(signature: string): boolean {
  try {
    return fromBase64Url(signature).length > 0
  } catch {
    return false
  }
}
