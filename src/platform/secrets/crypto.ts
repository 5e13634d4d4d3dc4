import { createHash, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { newId } from '../../domain/ids.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

// These are short, so that computing them here takes less than asking another thread to.

/** HMAC-SHA-256 of a text under the application secret; `purpose` keeps uses apart. */
export const mac = (secret: string, purpose: string, text: string): Uint8Array =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest()

/** HMAC-SHA-256 of a text under a key that others hold, too; base64. */
export const hmacBase64 = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64')

export const macText = (secret: string, purpose: string, text: string): string =>
  toBase64Url(mac(secret, purpose, text))

export const sha256Text = (text: string): string =>
  createHash('sha256').update(text).digest('base64url')

/** Returns the SHA-256 of a text in hexadecimal, the form in archives and files. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A SHA-256 over pieces that come one after the other. */
export interface Sha256 {
  add: (piece: string | Uint8Array) => void
  /** In hexadecimal digits, of what came so far. */
  digest: () => string
}

export function startSha256(): Sha256 {
  const hash = createHash('sha256')
  return { add: (piece) => void hash.update(piece), digest: () => hash.copy().digest('hex') }
}

/**
 * The first 16 bytes of SHA-256 of each text, base64url. They are cut from the text of the whole digest, which takes a third
 * of the time of a buffer: of the 22nd letter, they have the first two bits.
 */
export const digestsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    const whole = hash('sha256', text, 'base64url')
    return whole.slice(0, 21) + BASE64URL.charAt(BASE64URL.indexOf(whole.charAt(21)) & 0b110000)
  })

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** An id that follows from a text, for what is there without being stored. */
export function idFrom(prefix: string, text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return newId(prefix, digest.readUIntBE(0, 6), digest.subarray(6, 16))
}

/** HMAC-SHA-256 of texts under a key that HKDF makes of another one, for one purpose; base64url. */
export function macUnder(raw: Uint8Array, purpose: string): (text: string) => string {
  const key = new Uint8Array(hkdfSync('sha256', raw, '', purpose, 32))
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/** Compares in a time that does not tell how much was right. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [encoder.encode(one), encoder.encode(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const sealingKey = (raw: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

/**
 * AES-256-GCM: base64url of a 96-bit nonce followed by the ciphertext.
 * @param about what the text belongs to; it opens with the same words only
 */
export async function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  plain: string | Uint8Array,
  about = '',
): Promise<string> {
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: new Uint8Array(nonce), additionalData: encoder.encode(about) },
    await sealingKey(new Uint8Array(key)),
    typeof plain === 'string' ? encoder.encode(plain) : new Uint8Array(plain),
  )
  return toBase64Url(Buffer.concat([nonce, new Uint8Array(sealed)]))
}

/** Opens what `seal` made; throws when the key or `about` is another, or a bit was changed. */
export const unseal = async (key: Uint8Array, sealed: string, about = ''): Promise<string> =>
  decoder.decode(await unsealBytes(key, sealed, about))

/** Opens what `seal` made of bytes. */
export async function unsealBytes(
  key: Uint8Array,
  sealed: string,
  about = '',
): Promise<Uint8Array> {
  const bytes = fromBase64Url(sealed)
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData: encoder.encode(about) },
    await sealingKey(new Uint8Array(key)),
    bytes.slice(12),
  )
  return new Uint8Array(opened)
}

export const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

/** @throws SyntaxError for what is not the one spelling of some bytes: no padding, no other letters, no stray bits */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(text, 'base64url'))
  if (toBase64Url(bytes) !== text) {
    throw new SyntaxError('the text is not base64url')
  }
  return bytes
}
