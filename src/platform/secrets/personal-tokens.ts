import type { Caller, Context } from '../context.ts'
import { sha256Text } from './crypto.ts'
import { newOwnedToken, userNamedBy } from './owned-tokens.ts'

// A personal access token says whose it is, so that one round trip can check it and fetch for its owner.

/** A new token of a user, and what is stored of it. The prefix shows enough to tell tokens apart. */
export function newPersonalToken(
  ctx: Context,
  userId: string,
): { text: string; hash: string; prefix: string } {
  const { text, hash, secret } = newOwnedToken(ctx, 'pat', userId)
  return { text, hash, prefix: `pat_…_${secret.slice(0, 4)}` }
}

/** Whom a token claims to be of; undefined for what is no personal access token by its form. */
export function holderOf(token: string): Caller | undefined {
  const userId = userNamedBy('pat', token)
  return userId === undefined
    ? undefined
    : { userId, sessionId: null, tokenHash: sha256Text(token) }
}
