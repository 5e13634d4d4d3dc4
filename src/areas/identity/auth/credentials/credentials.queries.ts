import { eq, type SQL, sql, and } from 'drizzle-orm'
import { users, sessions } from '../../../../../drizzle/schema/system.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/database/session.ts'
import { hasAddress, type Address } from '../../addresses/addresses.public.ts'
import { invalidOneTimeToken } from '../auth.errors.ts'
import { livingTokens } from '../sessions/sessions.queries.ts'

/** Refuses when the password is another than was compared with, or there is one now. */
export const passwordMustStillBe = (
  userId: string,
  readHash: string | null,
  wrongPassword: Refusal,
): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.password_hash IS ${readHash})`,
    wrongPassword,
  )

/**
 * An enabled user with a password, or one to whom an administrator has offered to choose one: who signs in
 * elsewhere has none to forget.
 */
export const userToRemind = (email: string) =>
  db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      sql`${hasAddress('users', email)} AND ${users.status} = 'active'
        AND (${users.passwordHash} IS NOT NULL OR ${users.passwordChangedAt} IS NOT NULL)`,
    )

/** The user while it has the address: a token that went to an address which was left is nobody's. */
export const userStillAt = (userId: string, email: string): SQL =>
  sql`(SELECT u.id FROM users u WHERE u.id = ${userId} AND ${hasAddress('u', email)})`

/** Refuses the token of a user who was changed since they were read. */
export const mustBeVersion = ({ id, version }: { id: string; version: number }): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND u.version = CAST(${version} AS INTEGER))`,
    invalidOneTimeToken,
  )

/** A password as it is stored. */
export interface ChosenPassword {
  passwordHash: string
  passwordNeedsMfa: boolean
}

/** Refuses when the password is good enough with a second factor only, and none is on. */
export const setNewPassword = (
  ctx: Context,
  userId: string,
  chosen: ChosenPassword,
  tooShort: Refusal,
): Statement[] => [
  db.update(users).set(asChanged(ctx, chosen)).where(eq(users.id, userId)),
  mustSuffice(userId, tooShort),
]

const asChanged = (ctx: Context, chosen: ChosenPassword) => ({
  ...chosen,
  passwordChangedAt: ctx.now,
  version: sql`${users.version} + 1`,
  updatedAt: ctx.now,
})

const mustSuffice = (userId: string, tooShort: Refusal): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.password_needs_mfa = 1
      AND u.mfa_enabled_at IS NULL)`,
    tooShort,
  )

export interface ConfirmationRow extends ProfileRow {
  purpose: 'emailVerification' | 'emailChange'
  /** The address that a change is about. */
  new_email: string | null
  /** The number of valid personal access tokens of the user. */
  tokens: number
}

/** Finds the confirmation that a valid token makes, while its user is enabled. */
export const confirmationBy = (ctx: Context, tokenHash: string) =>
  db.all<ConfirmationRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, t.purpose, t.email AS new_email,
        ${livingTokens(ctx, sql`t.user_id`)} AS tokens
      FROM one_time_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.token_hash = ${tokenHash} AND t.purpose IN ('emailVerification', 'emailChange')
        AND t.expires_at > ${ctx.now} AND u.status = 'active'`,
  )

/** Refuses when the user was disabled meanwhile. */
export const confirmEmail = (
  ctx: Context,
  userId: string,
  changed: Partial<Address> = {},
): Statement[] => [
  db
    .update(users)
    .set({
      ...changed,
      emailVerifiedAt: ctx.now,
      version: sql`${users.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(and(eq(users.id, userId), eq(users.status, 'active'))),
  requireChangedOne(invalidOneTimeToken),
]

/** Finds the credentials of the caller, and the time at which the session was signed in. */
export const ownCredentials = (ctx: SignedIn) =>
  db
    .select({
      passwordHash: users.passwordHash,
      passwordNeedsMfa: users.passwordNeedsMfa,
      signedInAt: sessions.createdAt,
      tokens: livingTokens(ctx, ctx.caller.userId).as('tokens'),
    })
    .from(users)
    .innerJoin(
      sessions,
      and(eq(sessions.userId, users.id), eq(sessions.id, ctx.caller.sessionId ?? '')),
    )
    .where(eq(users.id, ctx.caller.userId))

export type OwnCredentials = Awaited<ReturnType<typeof ownCredentials>>[number]

/**
 * The condition for an attempt to be counted. Somebody with a token of an ended session uses up no tries of its user.
 * @param isFirst see `isNotAnswered`
 */
export const isTry = ({ caller }: SignedIn, isFirst: SQL): SQL =>
  sql`${isFirst} AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${caller.sessionId} AND s.user_id = ${caller.userId}
    AND s.revoked_at IS NULL)`
