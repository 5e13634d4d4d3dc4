import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { tasks, users } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/premises.ts'
import { db, type Statement } from '../../../platform/statements.ts'
import { freedAddress, isAddressedToUser } from '../../addresses/addresses.public.ts'
import { deletePersonalTokensOf, endSignInsOf } from '../../auth/auth.public.ts'
import { forgetGroupInvitesOf } from '../../groups/groups.public.ts'
import { userErrors } from '../user.errors.ts'
import { deleteWipeOf } from '../wipe/wipe.queries.ts'

/** Refuses unless the time of the user has come, whoever asked for it, and nobody undid that. */
export const mustBeDue = ({ now }: Context, userId: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.deletion_due_at <= ${now})`,
    userErrors.notDue,
  )

/** A page of those whose time has come, by id. */
export const usersToErase = ({ now }: Context, after: string) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNotNull(users.deletionDueAt),
        lte(users.deletionDueAt, now),
        sql`${users.id} > ${after}`,
      ),
    )
    .orderBy(users.id)
    .limit(USERS_AT_ONCE)

export const USERS_AT_ONCE = 100

/** Where mail to a user goes: to its own address, and to one that is not confirmed to be. */
export const addressesOf = (userId: string) =>
  db.all<{
    email: string
    isOwn: 0 | 1
  }>(sql`SELECT email, 1 AS isOwn FROM users WHERE id = ${userId}
    UNION SELECT email, 0 FROM one_time_tokens WHERE user_id = ${userId} AND email IS NOT NULL`)

/**
 * Nobody comes in any more, so nothing is added to what is erased from now on. Always another version, also of
 * who was closed before: whoever is about to restore it has seen an older one.
 */
export const closeUser = (ctx: Context, userId: string): Statement[] => [
  db
    .update(users)
    .set({ status: 'deleted', version: sql`${users.version} + 1`, updatedAt: ctx.now })
    .where(eq(users.id, userId)),
  ...endSignInsOf(ctx, userId),
  deletePersonalTokensOf(userId),
]

/** What tells who somebody was, or lets them in: small tables, all at once. */
const OF_USER = [
  'user_preferences',
  'user_currencies',
  'user_roles',
  'mfa_factors',
  'mfa_recovery_codes',
  'one_time_tokens',
  'external_identities',
  'invite_redemptions',
  'account_choices',
]

/**
 * The last step. The row of the user goes, too, unless somebody joined by an invite of theirs: then a row
 * without a person in it stays for the invite to point to, which is dead.
 */
export const forgetUser = ({ now }: Context, userId: string): Statement[] => [
  db.run(sql`DELETE FROM sign_in_codes WHERE ${isAddressedToUser('sign_in_codes', userId)}
    OR EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = ${userId}
      AND i.issuer = sign_in_codes.issuer AND i.subject = sign_in_codes.subject)`),
  ...OF_USER.map((table) =>
    db.run(sql`DELETE FROM ${sql.identifier(table)} WHERE user_id = ${userId}`),
  ),
  // What others shared with them: by name, or by an address that may soon be another's.
  db.run(sql`DELETE FROM shares WHERE grantee_user_id = ${userId}`),
  db.run(sql`DELETE FROM shares WHERE ${isAddressedToUser('shares', userId)}`),
  ...forgetGroupInvitesOf(userId),
  deleteWipeOf(userId),
  db.update(tasks).set({ createdBy: null, summary: '' }).where(eq(tasks.createdBy, userId)),
  db.run(sql`DELETE FROM invite_codes WHERE issued_by = ${userId} AND NOT EXISTS
    (SELECT 1 FROM invite_redemptions r WHERE r.invite_id = invite_codes.id)`),
  db.run(sql`UPDATE invite_codes SET note = '', revoked_at = ifnull(revoked_at, ${now}),
    version = version + 1, updated_at = ${now} WHERE issued_by = ${userId}`),
  db
    .update(users)
    .set({
      ...freedAddress(userId),
      name: '',
      nameKey: '',
      passwordHash: null,
      passwordChangedAt: null,
      passwordNeedsMfa: false,
      baseCurrency: 'EUR',
      locale: 'en',
      timeZone: 'UTC',
      status: 'deleted',
      emailVerifiedAt: null,
      mfaEnabledAt: null,
      deletionDueAt: null,
      version: sql`${users.version} + 1`,
      updatedAt: now,
    })
    .where(eq(users.id, userId)),
  requireChangedOne(userErrors.notDue),
  db.run(sql`DELETE FROM users WHERE id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM invite_codes v WHERE v.issued_by = ${userId})`),
]
