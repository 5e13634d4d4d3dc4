import { AppError } from './domain/errors.ts'

declare global {
  /**
   * Replaced at build time: `true` in development builds, `false` in release builds. Written out where it
   * guards an import or a constant that no release may carry: a bundler drops those for a literal only.
   */
  const __DEV_BUILD__: boolean
}

export const DEV_BUILD: boolean = __DEV_BUILD__

/** What wrangler.toml binds, plus the optional variables an operator may add. */
export interface Bindings extends Cloudflare.Env {
  REGISTRATION?: string
  PASSWORD_COST?: string
  LOGIN_LIMIT_ACCOUNT?: string
  LOGIN_LIMIT_CLIENT?: string
}

export interface Settings {
  corsOrigins: string[]
  /** Header a trusted proxy sets with the caller's address; empty means that none is trusted. */
  clientIpHeader: string
  registration: 'open' | 'invite' | 'closed'
  /** log2 of scrypt's N. */
  passwordCost: number
  /** Tries per window, see platform/limits.ts. */
  loginLimitAccount: number
  loginLimitClient: number
  /** Root of the keys for cursors, idempotency records and hashed subjects. */
  appSecret: string
  /** JWK set; the first key signs, all verify. */
  jwtKeys: string
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
    corsOrigins: env.CORS_ORIGINS.split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    clientIpHeader: env.CLIENT_IP_HEADER,
    registration: oneOf(
      'REGISTRATION',
      env.REGISTRATION,
      ['open', 'invite', 'closed'],
      DEV_BUILD ? 'open' : 'invite',
    ),
    passwordCost: whole('PASSWORD_COST', env.PASSWORD_COST, 14, 1, 17),
    loginLimitAccount: whole('LOGIN_LIMIT_ACCOUNT', env.LOGIN_LIMIT_ACCOUNT, 10, 1, 1_000_000),
    loginLimitClient: whole('LOGIN_LIMIT_CLIENT', env.LOGIN_LIMIT_CLIENT, 100, 1, 1_000_000),
    appSecret: secret('APP_SECRET', env.APP_SECRET),
    jwtKeys: secret('JWT_KEYS', env.JWT_KEYS),
  }
}

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

function secret(name: string, text: string | undefined): string {
  if (!text || text.length < 32) {
    throw wrong(`the secret ${name} is missing or too short`)
  }
  return text
}

const wrong = (detail: string) =>
  new AppError('internal', 'service.misconfigured', 'The service is not configured correctly.', {
    cause: new Error(detail),
  })
