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

/** What the QR code of an authenticator app holds. */
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
