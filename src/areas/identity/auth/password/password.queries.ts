import { eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../../../drizzle/schema/system.ts'
import type { Context } from '../../../../platform/context.ts'
import { refuseIf } from '../../../../platform/premises.ts'
import type { Refusal } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { hasAddress } from '../../addresses/addresses.public.ts'
import { invalidOneTimeToken } from '../auth.errors.ts'

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
