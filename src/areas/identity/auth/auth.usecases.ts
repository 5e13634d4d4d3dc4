import { addressKey } from '../../../domain/email.ts'
import { AppError } from '../../../domain/errors.ts'
import {
  type Context,
  type Profile,
  sessionIdOf,
  type SignedIn,
} from '../../../platform/context.ts'
import { sha256Text, toBase64Url } from '../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { isNotAnswered } from '../../../platform/database/idempotency.ts'
import {
  clientOf,
  type CountedTry,
  countFirst,
  type Limit,
  limitOf,
  requireCounted,
  takeBackTry,
  triesOf,
} from '../../../platform/limits.ts'
import { newOwnedToken, userNamedBy } from '../../../platform/secrets/owned-tokens.ts'
import { hashPassword, needsRehash } from '../../../platform/secrets/passwords.ts'
import { profileFrom } from '../../../platform/database/session.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { signAccessToken } from '../../../platform/secrets/tokens.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import type { NewTask } from '../../../platform/work/task-rows.ts'
import { authErrors } from './auth.errors.ts'
import { ofUser, sessionEvents } from './auth.events.ts'
import {
  IDLE_MS,
  insertSession,
  type LoginRow,
  revokeSession,
  rotateToken,
  setPasswordHash,
  stillAsRead,
  tokenToRefresh,
  userToSignIn,
  type Policy,
  policyInForce,
} from './auth.queries.ts'
import { whyRefused } from './auth.rules.ts'
import { tellFailure, unlessItThrows, verifyCounted } from './credentials/proof.usecases.ts'
import { insertChallenge } from './mfa/mfa.queries.ts'
import { userStillAt } from './credentials/credentials.queries.ts'
import { insertOneTimeToken } from './one-time-tokens.queries.ts'

/** The result of a sign-in of any kind. */
export interface SignIn {
  accessToken: string
  refreshToken: string
  user: Profile
}

/** A sign-in that waits for its second factor. */
export interface Challenge {
  mfaToken: string
}

export const SESSION_IDLE_SECONDS = IDLE_MS / 1000

/** A session to be: what stores it, and what whoever signed in gets. */
export async function newSession(
  ctx: Context,
  user: Profile,
): Promise<{ id: string; writes: Statement[]; signIn: SignIn }> {
  const token = newOwnedToken(ctx, 'rft', user.id)
  const { id, writes } = insertSession(ctx, { userId: user.id, tokenHash: token.hash })
  const accessToken = await signAccessToken(ctx, { userId: user.id, sessionId: id })
  return { id, writes, signIn: { accessToken, refreshToken: token.text, user } }
}

/** `newSession` for a user who is asked for the second factor first. */
export async function newChallenge(
  ctx: Context,
  userId: string,
): Promise<{ writes: Statement[]; challenge: Challenge }> {
  const token = await freshToken(ctx, 'mft')
  const writes = insertChallenge(ctx, { tokenHash: token.hash, userId })
  return { writes, challenge: { mfaToken: token.text } }
}

export const DEMO_PASSWORD = 'correct horse battery staple'

/** @param field the request field that holds it */
export function requireGoodPassword(
  password: string,
  person: { email: string; name: string; mfaEnabled: boolean },
  field: string,
): void {
  const demo = __DEV_BUILD__ ? DEMO_PASSWORD : undefined
  const refused = whyRefused(password, person, { field, demo })
  if (refused) {
    throw refused
  }
}

/** Signs in with e-mail and password, or asks for the second factor. What fails, and how long it takes, tells nothing about who exists. */
export async function login(
  ctx: Context,
  given: { email: string; password: string },
): Promise<SignIn | Challenge> {
  const key = addressKey(given.email)
  const limits = await limitsOfLogin(ctx, key)
  const [tries, counted, [user]] = await read(
    ctx,
    triesOf(limits),
    countFirst(ctx, limits, isNotAnswered(ctx)),
    userToSignIn(given.email),
  )
  requireCounted(ctx, { limits, tries, counted })

  const isRight = await verifyCounted(ctx, counted, given.password, user?.password_hash ?? null)
  if (!user || !isRight || user.status !== 'active') {
    return refuseLogin(ctx, user?.user_id ?? null)
  }

  return unlessItThrows(ctx, counted, () => letIn(ctx, user, given.password, counted))
}

/** Signs in a user whose password was right, which is no try. */
async function letIn(
  ctx: Context,
  user: LoginRow,
  password: string,
  counted: CountedTry[],
): Promise<SignIn | Challenge> {
  const { password_hash: hash } = user
  const isOutdated = hash !== null && needsRehash(hash, ctx.settings.passwordCost)
  const admitted = withoutEvents([
    takeBackTry(counted),
    // The password may have changed since it was compared.
    stillAsRead(user, authErrors.invalidCredentials),
    ...(isOutdated ? [setPasswordHash(user.user_id, await hashPassword(ctx, password))] : []),
  ])
  if (user.mfa_enabled_at !== null) {
    const waiting = await newChallenge(ctx, user.user_id)
    const challenged = sessionEvents.challenged(ofUser(user.user_id), {})
    return commit(ctx, {
      changes: [admitted, { statements: waiting.writes, events: [challenged] }],
      result: waiting.challenge,
    })
  }
  const session = await newSession(ctx, profileFrom(user))
  const created = sessionEvents.created({ id: session.id }, {})
  return commit(ctx, {
    actorId: user.user_id,
    changes: [admitted, { statements: session.writes, events: [created] }],
    result: session.signIn,
  })
}

/**
 * Returns the limits of sign-in attempts. Attempts from one place do not lock the user out elsewhere: over all places
 * an account has far more tries.
 */
async function limitsOfLogin(ctx: Context, key: string): Promise<Limit[]> {
  const { loginLimitAccount, loginLimitClient, loginLimitAccountTotal } = ctx.settings
  const client = clientOf(ctx)
  return [
    await limitOf(ctx, `login account ${key} client ${client}`, loginLimitAccount),
    await limitOf(ctx, `login client ${client}`, loginLimitClient),
    await limitOf(ctx, `login account ${key}`, loginLimitAccountTotal),
  ]
}

async function refuseLogin(ctx: Context, userId: string | null): Promise<never> {
  await tellFailure(ctx, sessionEvents.refused(ofUser(userId)))
  throw authErrors.invalidCredentials()
}

/** Swaps a refresh token for the next pair. A token that comes a second time ends its whole session. */
export async function refresh(ctx: Context, refreshToken: string): Promise<SignIn> {
  const named = userNamedBy('rft', refreshToken)
  if (named === undefined) {
    throw authErrors.invalidRefreshToken()
  }
  const spent = sha256Text(refreshToken)
  const [[found]] = await read(ctx, tokenToRefresh(ctx, spent, named))
  if (!found || found.alive !== 1) {
    throw authErrors.invalidRefreshToken()
  }
  if (found.spent_at !== null) {
    return endReusedSession(ctx, found)
  }
  const { session_id: sessionId, user_id: userId } = found
  const issued = newOwnedToken(ctx, 'rft', userId)
  try {
    return await commit(ctx, {
      actorId: userId,
      changes: [
        {
          statements: rotateToken(ctx, { sessionId, spent, issued: issued.hash }),
          events: [sessionEvents.refreshed({ id: sessionId })],
        },
      ],
      result: {
        accessToken: await signAccessToken(ctx, { userId, sessionId }),
        refreshToken: issued.text,
        user: profileFrom(found),
      },
    })
  } catch (error) {
    // A parallel use of the same token was first: that is a reuse like any other.
    if (error instanceof AppError && error.code === authErrors.invalidRefreshToken().code) {
      return endReusedSession(ctx, found)
    }
    throw error
  }
}

async function endReusedSession(
  ctx: Context,
  { session_id: id, user_id: ownerId }: { session_id: string; user_id: string },
): Promise<never> {
  const reused = sessionEvents.refreshTokenReused({ id, ownerId })
  await tellFailure(ctx, reused, [revokeSession(ctx, id)])
  throw authErrors.invalidRefreshToken()
}

/** Ends the session that the request came with. */
export function logout(ctx: SignedIn): Promise<void> {
  const id = sessionIdOf(ctx)
  const change = { statements: [revokeSession(ctx, id)], events: [sessionEvents.revoked({ id })] }
  return commit(ctx, { changes: [change], result: undefined })
}

export async function getRegistrationPolicy(ctx: Context): Promise<Policy> {
  const [[policy]] = await read(ctx, policyInForce(ctx))
  if (!policy) {
    throw new Error('findPolicy: the database did not answer')
  }
  return policy
}

const CONFIRMATION_HOURS = 24

/** 256 random bits behind a prefix, and what is stored of them. */
export async function freshToken(
  ctx: Context,
  prefix: string,
): Promise<{ text: string; hash: string }> {
  const text = `${prefix}_${toBase64Url(ctx.ports.random(32))}`
  return { text, hash: sha256Text(text) }
}

/**
 * Returns the statements and the task that ask a new address for confirmation. They belong in the commit that gives
 * the user the address, after its own statements.
 */
export async function confirmationFor(
  ctx: Context,
  { userId, email }: { userId: string; email: string },
): Promise<{ writes: Statement[]; task: NewTask }> {
  const token = await freshToken(ctx, 'emv')
  const template = 'emailVerification'
  const values = { token: token.text, hours: CONFIRMATION_HOURS }
  return {
    writes: insertOneTimeToken(ctx, {
      tokenHash: token.hash,
      purpose: template,
      userId: userStillAt(userId, email),
      lifeMs: CONFIRMATION_HOURS * 60 * 60 * 1000,
    }),
    task: await mailTask(ctx, { to: email, template, values }),
  }
}
