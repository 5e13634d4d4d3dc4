import type { AppError } from '../../../domain/errors.ts'
import { type Weakness, passwordWeakness } from '../../../domain/passwords/guessing.ts'
import { authErrors } from './auth.errors.ts'

export const LEAST_LENGTH = 15
/** The least length for a user whose second factor is on. */
export const LEAST_LENGTH_WITH_MFA = 8
export const MOST_LENGTH = 128
const SERVICE_NAME = 'coffer'

const lengthOf = (password: string) => [...password.normalize('NFKC')].length

/** True if a password is long enough only while a second factor is on. */
export const needsMfa = (password: string): boolean => lengthOf(password) < LEAST_LENGTH

const errorOf: Record<Weakness, keyof typeof authErrors> = {
  known: 'passwordTooCommon',
  personal: 'passwordIsPersonal',
  repetition: 'passwordRepeats',
  sequence: 'passwordIsSequence',
  words: 'passwordIsCommonWords',
  digits: 'passwordIsDigits',
}

/**
 * Returns the reason a password may not be chosen; undefined if it may. By NIST SP 800-63B, it checks the length, a
 * list of known passwords, and what can be guessed from the person and the service, but no rules of composition.
 * @param field the request field that holds it
 * @param demo the password of the demo data, allowed in development builds only
 */
export function whyRefused(
  password: string,
  person: { email: string; name: string; mfaEnabled: boolean },
  { field, demo }: { field: string; demo: string | undefined },
): AppError | undefined {
  const length = lengthOf(password)
  if (length < (person.mfaEnabled ? LEAST_LENGTH_WITH_MFA : LEAST_LENGTH)) {
    const { passwordTooShort, passwordTooShortWithMfa } = authErrors
    return (person.mfaEnabled ? passwordTooShortWithMfa : passwordTooShort)({ field })
  }
  if (length > MOST_LENGTH) {
    return authErrors.passwordTooLong({ field })
  }
  if (password === demo) {
    return undefined
  }
  const [local = '', domain = ''] = person.email.split('@')
  const personal = [person.email, local, domain, person.name, SERVICE_NAME]
  const weakness = passwordWeakness(password, personal)
  return weakness && authErrors[errorOf[weakness]]({ field })
}

/** Seconds that one code is good for. */
const STEP_SECONDS = 30
const DIGITS = 6
/** RFC 4648. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const ISSUER = 'Coffer'

/** Base 32 without padding, as authenticator apps take it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('')
}

export function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = [...text]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return new Uint8Array((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** The code of one time step: RFC 6238 with SHA-1 and six digits, which is what every app knows. */
export async function totpOf(seed: string, step: number): Promise<string> {
  const message = new DataView(new ArrayBuffer(8))
  message.setBigUint64(0, BigInt(step))
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', fromBase32(seed), algorithm, false, ['sign'])
  const digest = new DataView(await crypto.subtle.sign('HMAC', key, message.buffer))
  const offset = digest.getUint8(digest.byteLength - 1) & 15
  const number = (digest.getUint32(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

export const stepAt = (epochMs: number): number => Math.floor(epochMs / 1000 / STEP_SECONDS)

/** The codes that a clock of an app may show now: its own step, the one before and the one after. */
export const codesAround = (
  seed: string,
  epochMs: number,
): Promise<{ step: number; code: string }[]> =>
  Promise.all(
    [-1, 0, 1].map(async (drift) => {
      const step = stepAt(epochMs) + drift
      return { step, code: await totpOf(seed, step) }
    }),
  )

/** Returns the content of the QR code for an authenticator app. */
export function otpauthUri(seed: string, email: string): string {
  const label = encodeURIComponent(`${ISSUER}:${email}`)
  const query = new URLSearchParams({
    secret: seed,
    issuer: ISSUER,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  })
  return `otpauth://totp/${label}?${query.toString()}`
}

export const isTotp = (code: string): boolean => /^\d{6}$/.test(code)

/** Groups of four letters: `abcd-efgh-ijkl-mnop-qrst-uvwx` for 120 bits. */
export const recoveryCodeOf = (random: Uint8Array): string =>
  (toBase32(random).toLowerCase().match(/.{4}/g) ?? []).join('-')

/** However it was typed. */
export const plainRecoveryCode = (code: string): string =>
  code.toLowerCase().replaceAll(/[\s-]/g, '')
