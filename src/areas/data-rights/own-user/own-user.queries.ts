import { eq, sql, and } from 'drizzle-orm'
import { users } from '../../../../drizzle/schema/system.ts'
import { userAvatars } from '../../../../drizzle/schema/files.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { settingOf } from '../../identity/settings/settings.public.ts'
import { ownedBy, visibleAccountIds } from '../../identity/access/access.public.ts'

/** Reads the data of the caller that the session check does not read, and for how long a deletion can be undone. */
export const ownState = (ctx: SignedIn) =>
  db
    .select({
      deletionDueAt: users.deletionDueAt,
      graceDays: sql<number>`${settingOf(ctx, 'deletionGraceDays')}`.as('grace_days'),
    })
    .from(users)
    .where(eq(users.id, ctx.caller.userId))

export type OwnState = Awaited<ReturnType<typeof ownState>>[number]

export interface StatisticsRow {
  memberSince: number
  accounts: number
  /** Transfers included. */
  booked: number
  transfers: number
  firstTransactionDate: string | null
  lastTransactionDate: string | null
  categories: number
  exchangeRates: number
  sessions: number
  accessTokens: number
  identities: number
  inviteCodes: number
}

/** Counts the data that the caller owns, and the accounts and bookings that the caller sees. */
export function ownStatistics(ctx: SignedIn) {
  const { userId } = ctx.caller
  // In the order of an index, so that nothing is sorted to tell both sides of a transfer from two transactions.
  const booked = sql`SELECT count(*) AS booked, min(date) AS firstDate, max(date) AS lastDate
    FROM (SELECT DISTINCT e.date, e.transaction_id FROM entries e
      WHERE ${ownedBy(ctx.caller, 'e.owner_id')} AND e.side = 'account' AND e.account_id IN (SELECT id FROM seen))`
  return db.all<StatisticsRow>(sql`WITH seen AS MATERIALIZED (${visibleAccountIds(ctx)})
    SELECT u.created_at AS memberSince,
      (SELECT count(*) FROM seen) AS accounts,
      b.booked,
      (SELECT count(*) FROM transactions t WHERE t.owner_id = u.id AND t.kind = 'transfer'
        AND t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id
          AND e.side = 'account' AND +e.owner_id = u.id AND +e.account_id IN (SELECT id FROM seen))) AS transfers,
      b.firstDate AS firstTransactionDate, b.lastDate AS lastTransactionDate,
      (SELECT count(*) FROM categories c WHERE c.owner_id = u.id) AS categories,
      (SELECT count(*) FROM exchange_rates r WHERE r.owner_id = u.id) AS exchangeRates,
      (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL
        AND s.idle_expires_at > ${ctx.now} AND s.absolute_expires_at > ${ctx.now}) AS sessions,
      (SELECT count(*) FROM personal_access_tokens p WHERE p.user_id = u.id) AS accessTokens,
      (SELECT count(*) FROM external_identities i WHERE i.user_id = u.id) AS identities,
      (SELECT count(*) FROM invite_codes v WHERE v.issued_by = u.id) AS inviteCodes
    FROM users u CROSS JOIN (${booked}) b WHERE u.id = ${userId}`)
}

export type AvatarRow = typeof userAvatars.$inferSelect

export const ownAvatar = ({ caller }: SignedIn) =>
  db.select().from(userAvatars).where(eq(userAvatars.userId, caller.userId))

const isUnchanged = ({ userId, version }: AvatarRow) =>
  and(eq(userAvatars.userId, userId), eq(userAvatars.version, version))

/** Puts a picture in the place of the one that was read, or of none. Refuses when that is another one now. */
export const putAvatar = (before: AvatarRow | undefined, after: AvatarRow): Statement[] =>
  before
    ? [
        db.update(userAvatars).set(after).where(isUnchanged(before)),
        requireChangedOne(changedMeanwhile),
      ]
    : [
        db.insert(userAvatars).values(after).onConflictDoNothing(),
        requireChangedOne(changedMeanwhile),
      ]

export const deleteAvatarRow = (before: AvatarRow): Statement[] => [
  db.delete(userAvatars).where(isUnchanged(before)),
  requireChangedOne(changedMeanwhile),
]

export interface PreferencesRow {
  /** JSON of what differs from the defaults; null when nothing was ever chosen. */
  chosen: string | null
  /** The chosen one, if the caller sees it. */
  defaultAccountId: string | null
  version: number
  createdAt: number
  updatedAt: number
}

/** Everybody has preferences, of version 1, from the day they came; the row comes with the first choice. */
export const ownPreferences = (ctx: SignedIn) =>
  db.all<PreferencesRow>(sql`SELECT p.chosen,
      CASE WHEN p.chosen ->> 'defaultAccountId' IN (${visibleAccountIds(ctx)})
        THEN p.chosen ->> 'defaultAccountId' END AS defaultAccountId,
      ifnull(p.version, 1) AS version, u.created_at AS createdAt,
      ifnull(p.updated_at, u.created_at) AS updatedAt
    FROM users u LEFT JOIN user_preferences p ON p.user_id = u.id WHERE u.id = ${ctx.caller.userId}`)

/** Merges a patch (RFC 7396) into what is stored. Refuses when that was changed since `version`. */
export const mergePreferences = (
  { caller, now }: SignedIn,
  { version, createdAt }: Pick<PreferencesRow, 'version' | 'createdAt'>,
  patch: Record<string, unknown>,
): Statement[] => {
  const json = JSON.stringify(patch)
  return [
    db.run(sql`INSERT INTO user_preferences (user_id, chosen, version, created_at, updated_at)
      VALUES (${caller.userId}, json_patch('{}', ${json}), 2, ${createdAt}, ${now})
      ON CONFLICT (user_id) DO UPDATE SET chosen = json_patch(chosen, ${json}),
        version = version + 1, updated_at = excluded.updated_at
      WHERE version = CAST(${version} AS INTEGER)`),
    requireChangedOne(changedMeanwhile),
  ]
}
