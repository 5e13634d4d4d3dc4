import { AppError } from '../../domain/errors.ts'
import type { EncryptionKey } from '../../env.ts'
import type { Context } from '../context.ts'
import { macUnder, seal, unseal } from './crypto.ts'

// Secrets that must be read again (TOTP seeds, client secrets of identity providers) are stored sealed.
// A record is `v1.<key id>.<base64url of nonce and ciphertext>`.

const VERSION = 'v1'
const NONCE_BYTES = 12

/** The place of a record. It cannot be opened in any other row, column or table. */
export interface SecretPlace {
  table: string
  /** The row's id. */
  id: string
  /** The column, or what else tells the secrets of one row apart. */
  field: string
}

type KeyRing = Pick<Context, 'settings'>

/** Seals a text under the newest key. */
export async function sealSecret(
  ctx: KeyRing & Pick<Context, 'ports'>,
  place: SecretPlace,
  text: string,
): Promise<string> {
  const { id, bytes } = newest(ctx)
  const sealed = await seal(bytes, ctx.ports.random(NONCE_BYTES), text, aboutOf(id, place))
  return `${VERSION}.${id}.${sealed}`
}

/**
 * Opens a record that was sealed for this place under any key of the ring.
 * @throws AppError `secrets.unreadable`, whatever the reason
 */
export async function openSecret(
  ctx: KeyRing,
  place: SecretPlace,
  record: string,
): Promise<string> {
  const [version, keyId = '', sealed = '', ...surplus] = record.split('.')
  const key = ctx.settings.encryptionKeys.find(({ id }) => id === keyId)
  try {
    if (version !== VERSION || !key || surplus.length > 0) {
      throw new Error('no record, or sealed under a key that the ring does not hold')
    }
    return await unseal(key.bytes, sealed, aboutOf(keyId, place))
  } catch (cause) {
    throw new AppError('internal', 'secrets.unreadable', 'The service failed. Try again later.', {
      cause,
    })
  }
}

/** Makes proofs that a text has not changed since it was stored. */
interface Prover {
  keyId: string
  prove: (text: string) => string
}

/**
 * Makes proofs for one purpose: under the newest key, or under the one that an older proof names; null where the
 * ring does not hold that any more.
 */
export function proverFor(ctx: KeyRing, purpose: string, keyId = newest(ctx).id): Prover | null {
  const key = ctx.settings.encryptionKeys.find(({ id }) => id === keyId)
  return key ? { keyId, prove: macUnder(key.bytes, purpose) } : null
}

/** True if the record needs no re-encryption. */
export const isSealedWithNewest = (ctx: KeyRing, record: string): boolean =>
  record.startsWith(newestPrefix(ctx))

/** Returns the beginning of every record under the newest key. */
export const newestPrefix = (ctx: KeyRing): string => `${VERSION}.${newest(ctx).id}.`

function newest({ settings }: KeyRing): EncryptionKey {
  const [key] = settings.encryptionKeys
  if (!key) {
    throw new Error('the key ring is empty')
  }
  return key
}

/** Unambiguous, as no two lists have the same JSON. */
const aboutOf = (keyId: string, { table, id, field }: SecretPlace) =>
  JSON.stringify([VERSION, keyId, table, id, field])
