import { coreOf, isId } from '../../domain/ids.ts'
import type { Context, Caller } from '../context.ts'
import { sha256Text, toBase64Url } from './crypto.ts'

// A token that names its user says where to look for it; the database believes it only with the rest, 256 random bits.

/** A new token of a user: `<prefix>_<26 characters of the user's id>_<secret>`, and what is stored of it. */
export function newOwnedToken(
  ctx: Context,
  prefix: string,
  userId: string,
): { text: string; hash: string; secret: string } {
  const secret = toBase64Url(ctx.ports.random(32))
  const text = `${prefix}_${coreOf(userId)}_${secret}`
  return { text, hash: sha256Text(text), secret }
}

/** The user that a token with this prefix names; undefined for what names none. */
export function userNamedBy(prefix: string, token: string): string | undefined {
  const form = new RegExp(`^${prefix}_([0-9a-z]{26})_[\\w-]{43}$`)
  const userId = `usr_${form.exec(token)?.[1]}`
  return isId('usr', userId) ? userId : undefined
}

// A personal access token says whose it is, so that one round trip can check it and fetch for its owner.

/** A new token of a user, and what is stored of it. The prefix shows enough to tell tokens apart. */
export function newPersonalToken(
  ctx: Context,
  userId: string,
): { text: string; hash: string; prefix: string } {
  const { text, hash, secret } = newOwnedToken(ctx, 'pat', userId)
  return { text, hash, prefix: `pat_…_${secret.slice(0, 4)}` }
}

/** Returns the caller that a token claims; undefined for a text that does not have the form of a personal access token. */
export function holderOf(token: string): Caller | undefined {
  const userId = userNamedBy('pat', token)
  return userId === undefined
    ? undefined
    : { userId, sessionId: null, tokenHash: sha256Text(token) }
}
