import { coreOf, isId } from '../domain/ids.ts'
import type { Caller, Context } from './context.ts'
import { sha256Text, toBase64Url } from './crypto.ts'

// A personal access token says whose it is, so that one round trip can check it and fetch for its owner;
// the database believes it only with the rest, 256 random bits.

const FORM = /^pat_([0-9a-z]{26})_[\w-]{43}$/

/** A new token of a user, and what is stored of it. The prefix shows enough to tell tokens apart. */
export function newPersonalToken(
  ctx: Context,
  userId: string,
): { text: string; hash: string; prefix: string } {
  const secret = toBase64Url(ctx.ports.random(32))
  const text = `pat_${coreOf(userId)}_${secret}`
  return { text, hash: sha256Text(text), prefix: `pat_…_${secret.slice(0, 4)}` }
}

/** Whom a token claims to be of; undefined for what is no personal access token by its form. */
export function holderOf(token: string): Caller | undefined {
  const userId = `usr_${FORM.exec(token)?.[1]}`
  return isId('usr', userId) ? { userId, sessionId: null, tokenHash: sha256Text(token) } : undefined
}
