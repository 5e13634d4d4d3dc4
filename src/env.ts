import { createPrivateKey, createPublicKey } from 'node:crypto'
import { AppError } from './domain/errors.ts'
import { secretWeakness } from './domain/secret-strength.ts'

declare global {
  /**
   * Replaced at build time: `true` in development builds, `false` in release builds. Written out where it
   * guards an import or a constant that no release may carry: a bundler drops those for a literal only.
   */
  const __DEV_BUILD__: boolean
}

export const DEV_BUILD: boolean = __DEV_BUILD__

/** The bindings of wrangler.toml, plus the optional variables an operator may add. */
export interface Bindings extends Cloudflare.Env {
  REGISTRATION?: string
  PASSWORD_COST?: string
  LOGIN_LIMIT_ACCOUNT?: string
  LOGIN_LIMIT_CLIENT?: string
  LOGIN_LIMIT_ACCOUNT_TOTAL?: string
  USER_LIMIT_DATABASE_MS?: string
  OUTBOUND_ALLOW?: string
  EXCHANGE_RATES_URL?: string
  READ_REPLICAS?: string
  MAIL?: SendEmail
  MAIL_FROM?: string
}

/** One key of the key ring, by the name that a sealed record gives it. */
export interface EncryptionKey {
  id: string
  /** 32 bytes: AES-256. */
  bytes: Uint8Array
}

/** The destination of mail: it is sent, written to the log of a development build, or discarded until somebody binds MAIL. */
export type Mailer =
  | { kind: 'bound'; binding: SendEmail; from: string }
  | { kind: 'log' | 'unbound' }

export interface Settings {
  corsOrigins: string[]
  /** Header a trusted proxy sets with the caller's address; empty means that none is trusted. */
  clientIpHeader: string
  /** The setting where no administrator chose otherwise; see areas/settings. */
  registration: { value: 'open' | 'invite' | 'closed'; source: 'default' | 'environment' }
  /** log2 of scrypt's N. */
  passwordCost: number
  /** Tries per window, see platform/limits.ts. */
  loginLimitAccount: number
  loginLimitClient: number
  loginLimitAccountTotal: number
  /** Milliseconds of the database that one user's requests get in a minute, see platform/database/time-budgets.ts. */
  userLimitDatabaseMs: number
  /** Root of the keys for cursors, idempotency records and hashed subjects. */
  appSecret: string
  /** JWK set; the first key signs, all verify. */
  jwtKeys: string
  /** Newest first: the first one seals, all open. */
  encryptionKeys: EncryptionKey[]
  /** `host:port` that may be called although it is not public; see platform/outbound/outbound.ts. */
  outboundAllow: string[]
  /** The address of the reference rates of the European Central Bank; without it they are not fetched. */
  exchangeRatesUrl: string | undefined
  /** True if reads of signed-in users may start at a replica of the database; see http/gate.ts. */
  readReplicas: boolean
  mailer: Mailer
}

/** Parses the variables once per isolate; a wrong one stops every request with a message that names it. */
export function settingsOf(env: Bindings): Settings {
  const known = parsed.get(env)
  if (known) {
    return known
  }
  const settings = parseSettings(env)
  parsed.set(env, settings)
  return settings
}

const parsed = new WeakMap<Bindings, Settings>()

function parseSettings(env: Bindings): Settings {
  return {
    corsOrigins: list(env.CORS_ORIGINS),
    clientIpHeader: env.CLIENT_IP_HEADER,
    registration: {
      value: oneOf(
        'REGISTRATION',
        env.REGISTRATION,
        ['open', 'invite', 'closed'],
        DEV_BUILD ? 'open' : 'invite',
      ),
      source: env.REGISTRATION ? 'environment' : 'default',
    },
    // Workers allow no more: N·r·p is at most 2^20.
    passwordCost: whole('PASSWORD_COST', env.PASSWORD_COST, 14, 1, 14),
    loginLimitAccount: whole('LOGIN_LIMIT_ACCOUNT', env.LOGIN_LIMIT_ACCOUNT, 10, 1, 1_000_000),
    // In development all users come from one address, and the quick start registers the same one again and again.
    loginLimitClient: whole(
      'LOGIN_LIMIT_CLIENT',
      env.LOGIN_LIMIT_CLIENT,
      DEV_BUILD ? 10_000 : 100,
      1,
      1_000_000,
    ),
    loginLimitAccountTotal: whole(
      'LOGIN_LIMIT_ACCOUNT_TOTAL',
      env.LOGIN_LIMIT_ACCOUNT_TOTAL,
      1000,
      1,
      1_000_000,
    ),
    userLimitDatabaseMs: whole(
      'USER_LIMIT_DATABASE_MS',
      env.USER_LIMIT_DATABASE_MS,
      10_000,
      1,
      1_000_000,
    ),
    appSecret: strong('APP_SECRET', secret('APP_SECRET', env.APP_SECRET)),
    jwtKeys: jwkSet(env.JWT_KEYS),
    encryptionKeys: keyRing(secret('ENCRYPTION_KEYS', env.ENCRYPTION_KEYS)),
    outboundAllow: hostsWithPort('OUTBOUND_ALLOW', env.OUTBOUND_ALLOW),
    exchangeRatesUrl: address('EXCHANGE_RATES_URL', env.EXCHANGE_RATES_URL),
    readReplicas: oneOf('READ_REPLICAS', env.READ_REPLICAS, ['on', 'off'], 'off') === 'on',
    mailer: mailer(env),
  }
}

const list = (text = '') =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function oneOf<const T extends string>(
  name: string,
  text: string | undefined,
  allowed: T[],
  fallback: T,
): T {
  const value = text === undefined || text === '' ? fallback : allowed.find((one) => one === text)
  if (value === undefined) {
    throw wrong(`${name} must be one of ${allowed.join(', ')}`)
  }
  return value
}

function whole(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  const value = text === undefined || text === '' ? fallback : Number(text)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw wrong(`${name} must be a whole number from ${least} to ${most}`)
  }
  return value
}

/** The command that creates each secret. */
const FORMS: Record<string, string> = {
  APP_SECRET: 'use the output of `openssl rand -base64 32`',
  ENCRYPTION_KEYS: 'use the output of `npm run keys:rotate -- ENCRYPTION_KEYS`',
  JWT_KEYS: 'use the output of `npm run keys:rotate`',
}

function secret(name: string, text: string | undefined): string {
  if (!text || text.length < 32) {
    throw wrong(
      `the secret ${name} is missing or shorter than 32 characters: ${FORMS[name]}`,
      __DEV_BUILD__ && !text
        ? 'The service has no secrets. Start it with `npm run dev:worker`, which makes them.'
        : undefined,
    )
  }
  return text
}

/** @param key what the secret is, each byte or letter as one character */
function strong(name: string, key: string): string {
  const weakness = secretWeakness(key)
  if (weakness !== undefined) {
    throw wrong(`the secret ${name} ${weakness}; make one with: openssl rand -base64 32`)
  }
  return key
}

const asCharacters = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** `[{ "id": "…", "key": "base64 of 32 bytes" }]`; the ids are part of every record, so they stay. */
function keyRing(text: string): EncryptionKey[] {
  const malformed = () =>
    wrong(
      `the secret ENCRYPTION_KEYS is not a list of {id, key} whose keys are 32 bytes in base64: ${FORMS['ENCRYPTION_KEYS']}`,
    )
  let keys: EncryptionKey[]
  try {
    keys = (JSON.parse(text) as { id: string; key: string }[]).map(({ id, key }) => {
      const bytes = new Uint8Array(Buffer.from(key, 'base64'))
      const isOne = typeof id === 'string' && /^[\w-]{1,32}$/.test(id) && bytes.length === 32
      if (!isOne || Buffer.from(bytes).toString('base64') !== key) {
        throw malformed()
      }
      return { id, bytes }
    })
  } catch {
    // Without the detail: it would show a part of the secret.
    throw malformed()
  }
  if (keys.length === 0 || new Set(keys.map(({ id }) => id)).size !== keys.length) {
    throw malformed()
  }
  for (const { bytes } of keys) {
    strong('ENCRYPTION_KEYS', asCharacters(bytes))
  }
  return keys
}

/** `{ "keys": [{ kty: "OKP", crv: "Ed25519", kid, x, d }] }`: the first one signs, of the others `d` may be left out. */
function jwkSet(text: string | undefined): string {
  const set = secret('JWT_KEYS', text)
  const malformed = () =>
    wrong(
      `the secret JWT_KEYS is not a JWK set of Ed25519 keys that begins with a private key: ${FORMS['JWT_KEYS']}`,
    )
  let keys: (JsonWebKey & { kid: string })[]
  try {
    ;({ keys } = JSON.parse(set) as { keys: typeof keys })
    keys.forEach((key, at) => requireUsable(key, at === 0))
  } catch {
    // Without the detail: it would show a part of the secret.
    throw malformed()
  }
  if (keys.length === 0 || new Set(keys.map(({ kid }) => kid)).size !== keys.length) {
    throw malformed()
  }
  for (const { d } of keys) {
    if (d !== undefined) {
      strong('JWT_KEYS', asCharacters(Buffer.from(d, 'base64url')))
    }
  }
  return set
}

/** @throws Error when it is no key, or not of Ed25519, or its two halves are of different keys */
function requireUsable({ kid, kty, crv, x, d }: JsonWebKey & { kid: string }, signs: boolean) {
  const isNamed = typeof kid === 'string' && kid !== '' && kty === 'OKP' && crv === 'Ed25519'
  const publicKey = createPublicKey(
    d === undefined
      ? { key: { kty, crv, x } as never, format: 'jwk' }
      : createPrivateKey({ key: { kty, crv, x, d } as never, format: 'jwk' }),
  )
  if (!isNamed || publicKey.export({ format: 'jwk' }).x !== x || (signs && d === undefined)) {
    throw new Error('the key cannot be used')
  }
}

function hostsWithPort(name: string, text: string | undefined): string[] {
  const hosts = list(text).map((host) => host.toLowerCase())
  if (!hosts.every((host) => /^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/.test(host))) {
    throw wrong(`${name} must be host:port, or several of them separated by commas`)
  }
  return hosts
}

function address(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') {
    return undefined
  }
  if (!/^https?:/i.test(text) || !URL.parse(text)) {
    throw wrong(`${name} must be an http or https URL`)
  }
  return text
}

function mailer({ MAIL, MAIL_FROM }: Bindings): Mailer {
  if (!MAIL) {
    return { kind: DEV_BUILD ? 'log' : 'unbound' }
  }
  if (!MAIL_FROM || !/^[^\s<>@]+@[^\s<>@]+$/.test(MAIL_FROM)) {
    throw wrong('MAIL_FROM must be the address that mail comes from, such as coffer@example.com')
  }
  return { kind: 'bound', binding: MAIL, from: MAIL_FROM }
}

/** @param detail for the log alone */
const wrong = (detail: string, message = 'The service is not configured correctly.') =>
  new AppError('internal', 'service.misconfigured', message, { cause: new Error(detail) })
