import type { Context } from '../platform/context.ts'
import { mac, seal, unsealBytes } from '../platform/secrets/crypto.ts'
import { requestErrors } from './request.errors.ts'

// Cursors whose content a client must not read: encrypted, which also authenticates them.

/** The content of such a cursor. */
export interface SealedCursor {
  fields: Record<string, unknown>
  /** Each 16 hexadecimal digits. They are bytes in the cursor, because there may be hundreds of them. */
  hashes: string[]
}

const NONCE_BYTES = 12
const LINE_FEED = 10

const keyOf = ({ settings, operation }: Context) =>
  mac(settings.appSecret, 'sealed cursor', operation)

export function sealCursor(ctx: Context, { fields, hashes }: SealedCursor): Promise<string> {
  const text = Buffer.from(`${JSON.stringify(fields)}\n`)
  const plain = Buffer.concat([text, Buffer.from(hashes.join(''), 'hex')])
  return seal(keyOf(ctx), ctx.ports.random(NONCE_BYTES), plain)
}

/** @throws AppError invalid `request.invalidCursor` */
export async function openSealedCursor(ctx: Context, cursor: string): Promise<SealedCursor> {
  const plain = await unsealBytes(keyOf(ctx), cursor).catch(() => {
    throw requestErrors.invalidCursor({ field: 'cursor' })
  })
  const end = plain.indexOf(LINE_FEED)
  const hex = Buffer.from(plain.subarray(end + 1)).toString('hex')
  return {
    fields: JSON.parse(new TextDecoder().decode(plain.subarray(0, end))),
    hashes: hex.match(/.{16}/g) ?? [],
  }
}
