import { and, eq, sql } from 'drizzle-orm'
import { users } from '../../../../../drizzle/schema/system.ts'
import type { Context } from '../../../../platform/context.ts'
import { requireChangedOne } from '../../../../platform/premises.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/session.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import type { Address } from '../../addresses/addresses.public.ts'
import { invalidOneTimeToken } from '../auth.errors.ts'
import { livingTokens } from '../sessions/sessions.queries.ts'

export interface ConfirmationRow extends ProfileRow {
  purpose: 'emailVerification' | 'emailChange'
  /** The address that a change is about. */
  new_email: string | null
  /** How many personal access tokens of the user still work. */
  tokens: number
}

/** What a token that still works confirms, while its user is enabled. */
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
