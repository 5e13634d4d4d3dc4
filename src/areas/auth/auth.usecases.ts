import { AppError } from '../../domain/errors.ts'
import { permissionsOfRole } from '../../domain/permissions.ts'
import { emailKey } from '../../domain/text.ts'
import {
  type Context,
  freshId,
  type Profile,
  sessionIdOf,
  type SignedIn,
} from '../../platform/context.ts'
import { sha256Text, toBase64Url } from '../../platform/crypto.ts'
import { commit, read } from '../../platform/database.ts'
import {
  clientOf,
  countTry,
  type Limit,
  limitOf,
  requireTriesLeft,
  tooManyTries,
  triesOf,
} from '../../platform/limits.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../platform/passwords.ts'
import { profileFrom } from '../../platform/session.ts'
import { signAccessToken } from '../../platform/tokens.ts'
import { authErrors } from './auth.errors.ts'
import {
  grantRole,
  IDLE_MS,
  insertInvite,
  insertSession,
  insertUser,
  redeemInvite,
  revokeSession,
  type RoleRow,
  rolesOfNewUser,
  rotateToken,
  setPasswordHash,
  stillAsRead,
  tokenToRefresh,
  usableInvite,
  userToSignIn,
  userWithEmail,
} from './auth.queries.ts'
import { whyRefused } from './auth.rules.ts'
import { insertChallenge } from './mfa/mfa.queries.ts'
import { confirmationFor, freshToken } from './one-time-tokens/one-time-tokens.usecases.ts'

export interface Registration {
  email: string
  password: string
  name: string
  inviteCode?: string | undefined
  baseCurrency: string
  locale: string
  timeZone: string
}

/** What a sign-in of any kind gives. */
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

export const DEMO_PASSWORD = 'correct horse battery staple'

/** Creates a user and signs it in. */
export async function register(ctx: Context, wanted: Registration): Promise<SignIn> {
  const { inviteCode, email, name } = wanted
  requireRegistration(ctx, inviteCode)
  requireGoodPassword(wanted.password, { ...wanted, mfaEnabled: false }, 'password')
  const client = await limitOf(
    ctx,
    `register client ${clientOf(ctx)}`,
    ctx.settings.loginLimitClient,
  )
  const codeHash = inviteCode === undefined ? undefined : await sha256Text(inviteCode)
  const [roles, tries, [taken], invites] = await read(
    ctx,
    rolesOfNewUser(codeHash),
    triesOf([client]),
    userWithEmail(emailKey(email)),
    ...(codeHash === undefined ? [] : [usableInvite(ctx, codeHash)]),
  )
  requireTriesLeft(ctx, [client], tries)
  if (codeHash !== undefined && !invites?.[0]) {
    return refuseRegistration(ctx, client, authErrors.invalidInvite({ field: 'inviteCode' }))
  }
  if (taken) {
    return refuseRegistration(ctx, client, authErrors.emailTaken({ field: 'email' }))
  }

  const user = newUser(ctx, wanted, roles)
  const passwordHash = await hashPassword(wanted.password, ctx.settings.passwordCost)
  const token = await freshToken(ctx, 'rft')
  const session = insertSession(ctx, { userId: user.id, tokenHash: token.hash })
  const confirmation = await confirmationFor(ctx, { userId: user.id, email })
  return commit(ctx, {
    action: 'user.registered',
    resource: { type: 'user', id: user.id },
    actorId: user.id,
    writes: [
      ...countTry(ctx, client),
      ...(codeHash === undefined ? [] : redeemInvite(ctx, codeHash)),
      insertUser({
        id: user.id,
        email,
        emailKey: emailKey(email),
        name,
        passwordHash,
        baseCurrency: user.baseCurrency,
        locale: user.locale,
        timeZone: user.timeZone,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      ...roles.map(({ id }) => grantRole(user.id, id)),
      ...session.statements,
      ...confirmation.writes,
    ],
    tasks: [confirmation.task],
    result: {
      accessToken: await signAccessToken(ctx, { userId: user.id, sessionId: session.id }),
      refreshToken: token.text,
      user,
    },
    conflicts: { 'users.email_key': () => authErrors.emailTaken({ field: 'email' }) },
    guards: { gone: () => authErrors.invalidInvite({ field: 'inviteCode' }), limit: tooManyTries },
  })
}

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

/** Learning who is registered is a try, too, and so is guessing a code. */
async function refuseRegistration(ctx: Context, client: Limit, why: AppError): Promise<never> {
  delete ctx.repeatable
  await commit(ctx, {
    action: 'user.refused',
    resource: { type: 'user', id: null },
    writes: countTry(ctx, client),
    result: undefined,
    guards: { limit: tooManyTries },
  })
  throw why
}

function requireRegistration(ctx: Context, inviteCode: string | undefined): void {
  const { registration } = ctx.settings
  // An invite code opens the door for its holder whatever the policy for strangers is.
  if (inviteCode === undefined && registration !== 'open') {
    throw registration === 'closed' ? authErrors.registrationClosed() : authErrors.inviteRequired()
  }
}

function newUser(ctx: Context, wanted: Registration, roles: RoleRow[]): Profile {
  const permissions = roles.flatMap(({ system, stored }) =>
    permissionsOfRole(system, JSON.parse(stored) as string[]),
  )
  return {
    id: freshId(ctx, 'usr'),
    email: wanted.email,
    name: wanted.name,
    baseCurrency: wanted.baseCurrency,
    locale: wanted.locale,
    timeZone: wanted.timeZone,
    emailVerified: false,
    mfaEnabled: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    roles: roles.map(({ id, name, system }) => ({ id, name, system })),
    permissions: [...new Set(permissions)],
  }
}

/** Signs in with e-mail and password, or asks for the second factor. What fails, and how long it takes, tells nothing about who exists. */
export async function login(
  ctx: Context,
  given: { email: string; password: string },
): Promise<SignIn | Challenge> {
  const key = emailKey(given.email)
  const { loginLimitAccount, loginLimitClient, passwordCost } = ctx.settings
  const account = await limitOf(ctx, `login account ${key}`, loginLimitAccount)
  const client = await limitOf(ctx, `login client ${clientOf(ctx)}`, loginLimitClient)
  const [[user], tries] = await read(ctx, userToSignIn(key), triesOf([account, client]))
  requireTriesLeft(ctx, [account, client], tries)

  const isRight = await verifyPassword(given.password, user?.password_hash ?? null, passwordCost)
  const countTries = [...countTry(ctx, account), ...countTry(ctx, client)]
  if (!user || !isRight || user.status !== 'active') {
    return refuseLogin(ctx, countTries, user?.user_id ?? null)
  }

  const isOutdated = user.password_hash !== null && needsRehash(user.password_hash, passwordCost)
  const writes = [
    ...countTries,
    stillAsRead(user),
    ...(isOutdated
      ? [setPasswordHash(user.user_id, await hashPassword(given.password, passwordCost))]
      : []),
  ]
  // Fallen when what the password was compared with does not hold any more.
  const guards = { gone: authErrors.invalidCredentials, limit: tooManyTries }
  if (user.mfa_enabled_at !== null) {
    const token = await freshToken(ctx, 'mft')
    const challenge = insertChallenge(ctx, { tokenHash: token.hash, userId: user.user_id })
    return commit(ctx, {
      action: 'session.challenged',
      resource: { type: 'user', id: user.user_id },
      ownerId: user.user_id,
      writes: [...writes, ...challenge],
      result: { mfaToken: token.text },
      guards,
    })
  }
  const token = await freshToken(ctx, 'rft')
  const session = insertSession(ctx, { userId: user.user_id, tokenHash: token.hash })
  return commit(ctx, {
    action: 'session.created',
    resource: { type: 'session', id: session.id },
    actorId: user.user_id,
    writes: [...writes, ...session.statements],
    result: {
      accessToken: await signAccessToken(ctx, { userId: user.user_id, sessionId: session.id }),
      refreshToken: token.text,
      user: profileFrom(user),
    },
    guards,
  })
}

async function refuseLogin(
  ctx: Context,
  countTries: ReturnType<typeof countTry>,
  userId: string | null,
): Promise<never> {
  // The try is stored, its answer is not: a repeated failure is a try of its own.
  delete ctx.repeatable
  await commit(ctx, {
    action: 'session.refused',
    resource: { type: 'user', id: userId },
    ...(userId === null ? {} : { ownerId: userId }),
    writes: countTries,
    result: undefined,
    guards: { limit: tooManyTries },
  })
  throw authErrors.invalidCredentials()
}

/** Swaps a refresh token for the next pair. A token that comes a second time ends its whole session. */
export async function refresh(ctx: Context, refreshToken: string): Promise<SignIn> {
  const spent = await sha256Text(refreshToken)
  const [[found]] = await read(ctx, tokenToRefresh(ctx, spent))
  if (!found || found.alive !== 1) {
    throw authErrors.invalidRefreshToken()
  }
  if (found.spent_at !== null) {
    return endReusedSession(ctx, found)
  }
  const issued = await freshToken(ctx, 'rft')
  const { session_id: sessionId, user_id: userId } = found
  try {
    return await commit(ctx, {
      action: 'session.refreshed',
      resource: { type: 'session', id: sessionId },
      actorId: userId,
      writes: rotateToken(ctx, { sessionId, spent, issued: issued.hash }),
      result: {
        accessToken: await signAccessToken(ctx, { userId, sessionId }),
        refreshToken: issued.text,
        user: profileFrom(found),
      },
      guards: { gone: authErrors.invalidRefreshToken, session: authErrors.invalidRefreshToken },
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
  found: { session_id: string; user_id: string },
): Promise<never> {
  delete ctx.repeatable
  await commit(ctx, {
    action: 'session.refreshTokenReused',
    resource: { type: 'session', id: found.session_id },
    ownerId: found.user_id,
    writes: [revokeSession(ctx, found.session_id)],
    result: undefined,
  })
  throw authErrors.invalidRefreshToken()
}

/** Ends the session that the request came with. */
export const logout = (ctx: SignedIn): Promise<void> =>
  commit(ctx, {
    action: 'session.revoked',
    resource: { type: 'session', id: sessionIdOf(ctx) },
    writes: [revokeSession(ctx, sessionIdOf(ctx))],
    result: undefined,
  })

/** An invite code that makes its one user an administrator; only its hash is kept. */
export async function inviteAdministrator(ctx: Context): Promise<string> {
  const code = `inv_${toBase64Url(ctx.ports.random(16))}`
  const id = freshId(ctx, 'inv')
  return commit(ctx, {
    action: 'inviteCode.created',
    resource: { type: 'inviteCode', id },
    writes: [
      insertInvite({
        id,
        codeHash: await sha256Text(code),
        roleId: 'rol_admin',
        maxUses: 1,
        expiresAt: ctx.now + 7 * 24 * 60 * 60 * 1000,
        createdAt: ctx.now,
      }),
    ],
    result: code,
  })
}
