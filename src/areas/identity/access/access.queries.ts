import { type Column, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { rankOf, type Right } from '../../../domain/sharing.ts'
import type { Caller, Context, SignedIn } from '../../../platform/context.ts'
import { refuseIf, numberOf, premise } from '../../../platform/database/premises.ts'
import {
  accessErrors,
  conflicting,
  nothingHere,
  type Refusal,
  rightNeeded,
} from '../../../platform/database/refusals.ts'
import { db, prepared, type Statement } from '../../../platform/database/statements.ts'

// The one place that knows whose accounts a caller sees, and what they may do with them. Every finder of
// something that belongs to an account goes through it; what it does not list does not exist for the caller.

/** A user who looks at a moment, as shares end, and the access token that may restrict them to some accounts. */
export type Viewer = Pick<Caller, 'userId' | 'tokenHash'> & Pick<Context, 'now'>

export const viewerOf = ({ caller, now }: SignedIn): Viewer => ({
  userId: caller.userId,
  tokenHash: caller.tokenHash,
  now,
})

/** A viewer as a statement names it: the placeholders of a prepared one, or SQL such as columns. */
export type ViewerParams = Record<keyof Viewer, Placeholder | SQL>

export const viewerParams: ViewerParams = {
  userId: sql.placeholder('userId'),
  tokenHash: sql.placeholder('tokenHash'),
  now: sql.placeholder('now'),
}

/** The owner of something. All ask this module for it, as one day a household may own things. */
type Person = Pick<Viewer | ViewerParams, 'userId'>

/** True if a row belongs to a person. @param column of its owner, as the statement names it */
export const ownedBy = ({ userId }: Person, column: Column | `${string}owner_id`): SQL =>
  sql`${typeof column === 'string' ? sql.raw(column) : column} = ${userId}`

/** Tells whether a row that was read belongs to somebody. */
export const owns = (
  { userId }: Pick<Viewer, 'userId'>,
  row: { ownerId: string | null },
): boolean => row.ownerId === userId

/** Shares `r` that somebody receives. */
const received = ({ userId, now }: Viewer | ViewerParams) =>
  sql`account_receivers r WHERE r.user_id = ${userId} AND (r.expires_at IS NULL OR r.expires_at > ${now})`

const isOwnOrReceived = (viewer: Viewer | ViewerParams) =>
  sql`(accounts.owner_id = ${viewer.userId} OR accounts.id IN (SELECT r.account_id FROM ${received(viewer)}))`

/** True if a caller sees a row of `accounts`: for queries that have that table anyway. */
export const accountIsSeenBy = (viewer: Viewer | ViewerParams): SQL =>
  sql`accounts.deleted_at IS NULL AND ${isOwnOrReceived(viewer)} AND ${isWithinToken(viewer)}`

/** True if it is the caller's own: for operations that sharing does not allow. */
export const accountIsOwnOf = (viewer: Viewer | ViewerParams): SQL =>
  sql`accounts.deleted_at IS NULL AND accounts.owner_id = ${viewer.userId} AND ${isWithinToken(viewer)}`

const rankBy = (viewer: Viewer | ViewerParams, account: SQL, owner: SQL): SQL =>
  sql`CASE WHEN ${owner} = ${viewer.userId} THEN 5 ELSE ifnull((SELECT max(r.rank)
    FROM ${received(viewer)} AND r.account_id = ${account}), 0) END`

/** The caller's access to a row of `accounts` that it sees, as a rank of domain/sharing.ts. */
export const accessLevel = (viewer: Viewer | ViewerParams): SQL =>
  rankBy(viewer, sql`accounts.id`, sql`accounts.owner_id`)

/** The way by which a caller sees a row of `accounts`: a share as it is now, and since when they are in its group. */
export const wayOfAccess = (viewer: Viewer): SQL =>
  sql`(SELECT json_array(s.id, s.version, (SELECT m.joined_at FROM group_members m
      WHERE m.group_id = s.group_id AND m.user_id = r.user_id))
    FROM (SELECT * FROM ${received(viewer)} AND r.account_id = accounts.id) r JOIN shares s ON s.id = r.share_id
    ORDER BY r.rank DESC, r.share_id LIMIT 1)`

/** The caller's access to the account of an entry `e`, as such a rank. */
export const accessLevelOfEntry = (ctx: SignedIn): SQL =>
  rankBy(viewerOf(ctx), sql`e.account_id`, sql`e.owner_id`)

/** True if a row of `accounts` counts in the caller's totals: own accounts do, and those of others that it chose. */
export const accountCountsFor = ({ userId }: Viewer | ViewerParams): SQL =>
  sql`(accounts.owner_id = ${userId} OR EXISTS (SELECT 1 FROM account_choices c
    WHERE c.user_id = ${userId} AND c.account_id = accounts.id AND c.include_in_totals = 1))`

const isWithinToken = ({ tokenHash }: Viewer | ViewerParams) =>
  sql`(${tokenHash} IS NULL OR EXISTS (SELECT 1 FROM personal_access_tokens held
    WHERE held.token_hash = ${tokenHash} AND (held.account_ids IS NULL
      OR accounts.id IN (SELECT value FROM json_each(held.account_ids)))))`

/** True if the caller's access token, if it came with one, includes an account of the owner. */
export const isForAccount = ({ caller }: SignedIn, accountId: string): boolean =>
  caller.token?.accountIds?.includes(accountId) ?? true

/** A subquery of the ids of the accounts that the caller sees: for all other queries. */
export const visibleAccountIds = (ctx: SignedIn): SQL => visibleAccountIdsOf(viewerOf(ctx))

/** Selects the ids of the accounts that a viewer sees. */
export const visibleAccountIdsOf = (viewer: Viewer | ViewerParams): SQL =>
  sql`SELECT accounts.id FROM accounts WHERE ${accountIsSeenBy(viewer)}`

/**
 * The accounts that the caller sees, with their owners, as the table `seen` of a statement's WITH: for queries
 * that ask for them more than once.
 */
export const withSeen = (ctx: SignedIn): SQL =>
  sql`seen AS MATERIALIZED (SELECT accounts.id, accounts.owner_id FROM accounts WHERE ${accountIsSeenBy(viewerOf(ctx))})`

/** The transactions on these accounts that are private to somebody else, likewise as the table `hidden`. */
export const withHidden = ({ caller }: SignedIn): SQL =>
  sql`hidden(id) AS MATERIALIZED (SELECT h.id FROM transactions h WHERE h.private = 1
    AND h.owner_id IN (SELECT owner_id FROM seen WHERE owner_id <> ${caller.userId}) AND h.created_by <> ${caller.userId})`

/** The owners whose labels the caller knows by name, likewise as the table `annotated`. */
export const withAnnotated = (ctx: SignedIn): SQL =>
  sql`annotated(owner_id) AS MATERIALIZED (${annotatedOwnerIds(viewerOf(ctx))})`

/** A subquery of the ids of the accounts that the caller owns. */
export const ownAccountIds = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts WHERE ${accountIsOwnOf(viewerOf(ctx))}`

/** A subquery of the ids of the accounts that others share with the caller. */
export const sharedWithMeAccountIds = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts WHERE accounts.deleted_at IS NULL
    AND accounts.id IN (SELECT r.account_id FROM ${received(viewerOf(ctx))})
    AND ${isWithinToken(viewerOf(ctx))}`

/** A subquery of the ids of the users whose accounts the caller sees, with the caller's own. */
export const visibleOwnerIds = (ctx: SignedIn): SQL =>
  sql`SELECT ${ctx.caller.userId} AS id UNION SELECT accounts.owner_id FROM accounts
    WHERE accounts.id IN (${sharedWithMeAccountIds(ctx)})`

/** A subquery of the ids of the users on whose accounts the caller may annotate transactions. */
export const annotatedOwnerIds = (viewer: Viewer | ViewerParams): SQL =>
  sql`SELECT ${viewer.userId} AS id UNION SELECT accounts.owner_id FROM accounts
    WHERE accounts.deleted_at IS NULL AND accounts.id IN (SELECT r.account_id FROM ${received(viewer)}
      AND r.rank >= ${sql.raw(String(rankOf('annotate')))}) AND ${isWithinToken(viewer)}`

/** A subquery of the ids of own accounts, those in the trash included. */
const ownAccountIdsEver = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts
    WHERE accounts.owner_id = ${ctx.caller.userId} AND ${isWithinToken(viewerOf(ctx))}`

/** A subquery of the ids of the accounts whose past the caller may know: also of own ones in the trash. */
export const accountIdsWithHistory = (ctx: SignedIn): SQL =>
  sql`${ownAccountIdsEver(ctx)} UNION ALL ${sharedWithMeAccountIds(ctx)}`

/** Refuses unless the caller may know the past of all accounts of these rows, a SELECT with the column `account_id`. */
export const requireHistory = (ctx: SignedIn, rows: SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM (${rows}) WHERE account_id NOT IN (${accountIdsWithHistory(ctx)}))`,
    accessErrors.accountHidden,
  )

/** A subquery of the ids of own accounts that are not being erased: the caller sees them, or would once they are restored. */
export const keptAccountIds = (ctx: SignedIn): SQL =>
  sql`${ownAccountIdsEver(ctx)} AND accounts.erased_at IS NULL`

/** True if no account is hidden from the caller, as it is from an access token for some of them. */
export const isUnrestricted = (ctx: SignedIn): SQL => isUnrestrictedFor(viewerOf(ctx))

/** True if no account is hidden from a viewer. */
export const isUnrestrictedFor = ({ tokenHash }: Viewer | ViewerParams): SQL =>
  sql`(${tokenHash} IS NULL OR EXISTS (SELECT 1 FROM personal_access_tokens held
    WHERE held.token_hash = ${tokenHash} AND held.account_ids IS NULL))`

/**
 * A subquery of the ids of the budgets, or of the files, that others share with the caller, by the column of `shares` that names
 * them. Whatever is restricted to some accounts sees none.
 */
export const sharedWithMeIds = (
  viewer: Viewer | ViewerParams,
  column: 'budget_id' | 'attachment_id',
  right: 'view' | 'manage' = 'view',
): SQL =>
  sql`SELECT s.${sql.raw(column)} FROM shares s WHERE s.grantee_user_id = ${viewer.userId} AND s.accepted_at IS NOT NULL
    AND s.${sql.raw(column)} IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > ${viewer.now})
    ${right === 'view' ? sql`` : sql`AND s.permission = 'manage'`} AND ${isUnrestrictedFor(viewer)}`

/** True if a transaction `t` on an account of another owner is private to others than the caller. */
export const isHiddenFrom = ({ userId }: Viewer | ViewerParams): SQL =>
  sql`t.private = 1 AND t.created_by <> ${userId}`

/** True if a transaction `t` on an account that the caller sees is not private to somebody else. */
export const isNotPrivateTo = ({ caller }: SignedIn): SQL =>
  sql`(t.private = 0 OR t.owner_id = ${caller.userId} OR t.created_by = ${caller.userId})`

/**
 * True if the transaction of an entry `e` is not private to somebody else. Its header is read only where it is
 * another owner's.
 */
export const isNotPrivateEntry = ({ caller }: SignedIn): SQL =>
  sql`(e.owner_id = ${caller.userId} OR EXISTS (SELECT 1 FROM transactions h WHERE h.id = e.transaction_id
    AND (h.private = 0 OR h.created_by = ${caller.userId})))`

/** The row of a budget, as a statement names it. */
type BudgetAlias = 'b' | 'budgets'

/**
 * True if a row of `accounts` may be inside of a budget, whoever looks at it. A person's budget may contain the
 * accounts that the person sees, a group's budget those that are shared with the group.
 */
export const mayBeInside = (now: number | Placeholder | SQL, budget: BudgetAlias): SQL => {
  const of = (column: string) => sql.raw(`${budget}.${column}`)
  const isShared = (share: string) => sql`(${sql.raw(share)}.expires_at IS NULL
    OR ${sql.raw(share)}.expires_at > ${now})`
  return sql`accounts.deleted_at IS NULL AND accounts.id IN (
      SELECT own.id FROM accounts own WHERE own.owner_id = ${of('owner_id')}
      UNION SELECT r.account_id FROM account_receivers r WHERE r.user_id = ${of('owner_id')} AND ${isShared('r')}
      UNION SELECT s.account_id FROM shares s JOIN groups g ON g.id = s.group_id
        WHERE s.group_id = ${of('group_id')} AND g.suspended_at IS NULL AND ${isShared('s')})`
}

/** True if an account is inside of a budget: it may be, and it counts on the budget of the person or group, or was chosen. */
export const isInside = (now: number | Placeholder | SQL, budget: BudgetAlias): SQL => {
  const of = (column: string) => sql.raw(`${budget}.${column}`)
  return sql`${mayBeInside(now, budget)}
    AND CASE ${of('accounts')} WHEN 'chosen' THEN accounts.id IN (SELECT value FROM json_each(${of('account_ids')}))
      ELSE accounts.on_budget = 1 AND (${of('group_id')} IS NOT NULL OR accounts.owner_id = ${of('owner_id')}
        OR EXISTS (SELECT 1 FROM account_choices c WHERE c.user_id = ${of('owner_id')}
          AND c.account_id = accounts.id AND c.include_in_totals = 1)) END`
}

/**
 * True if closed periods of a personal budget may count private transactions of its owner on lines. Closed periods
 * stay as they are, but such a transaction may since have moved to another day, to the trash, or out of the owner's
 * sight.
 */
export const isClosedOverPrivate = (budgetId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM budgets b WHERE b.id = ${budgetId}
    AND EXISTS (SELECT 1 FROM budget_closings k WHERE k.budget_id = b.id)
    AND (EXISTS (SELECT 1 FROM transactions t WHERE t.private = 1 AND t.owner_id = b.owner_id)
      OR EXISTS (SELECT 1 FROM transactions t WHERE t.private = 1 AND t.created_by = b.owner_id)))`

/** True if the caller's access token, if it came with one, includes all accounts inside of a personal budget. */
export const isForAllInside = (viewer: Viewer | ViewerParams): SQL =>
  sql`(${viewer.tokenHash} IS NULL OR NOT EXISTS (SELECT 1 FROM accounts
    WHERE ${isInside(viewer.now, 'budgets')} AND NOT ${isWithinToken(viewer)}))`

/** The right that a change of lines takes: to move money, or to change only what is said of it. */
export type BookingRight = 'write' | 'annotate'

/** The errors for an account that the caller does not see, and for one that is closed. */
export interface BookingErrors {
  gone: Refusal
  closed: Refusal
  /** The rule sets that accounts must still have, by their ids. */
  ruleSets?: Record<string, number>
}

/**
 * Refuses unless the caller still sees all of these accounts, may book on them or say what is booked, and they are
 * open.
 */
export const requireWritable = (
  ctx: SignedIn,
  accountIds: string[],
  right: BookingRight,
  { gone, closed, ruleSets = {} }: BookingErrors,
): Statement =>
  premise(bookGuards[right]({ ...viewerOf(ctx), ...json({ ids: accountIds, ruleSets }) }), {
    gone,
    closed,
    outdated: conflicting,
    permission: rightNeeded(right),
  })

const json = ({ ids, ruleSets }: { ids: string[]; ruleSets: Record<string, number> }) => ({
  ids: JSON.stringify(ids),
  ruleSets: JSON.stringify(ruleSets),
})

/** @param ruleSets where given, accounts must also be open, and have these rule sets by their ids, as JSON */
const rightGuard = (
  least: Right,
  ids: SQL | Placeholder,
  viewer: Viewer | ViewerParams,
  { ruleSets }: { ruleSets?: Placeholder } = {},
) => {
  const isTooLow = sql`(${accessLevel(viewer)}) < ${sql.raw(String(rankOf(least)))}`
  return sql`INSERT INTO write_guard (premise)
    SELECT CASE WHEN accounts.id IS NULL THEN ${numberOf('gone')} WHEN ${isTooLow} THEN ${numberOf('permission')}
      ${ruleSets ? sql`WHEN accounts.status <> 'open' THEN ${numberOf('closed')} ELSE ${numberOf('outdated')}` : sql``} END
    FROM json_each(${ids}) wanted LEFT JOIN accounts
      ON accounts.id = wanted.value AND ${accountIsSeenBy(viewer)}
    WHERE accounts.id IS NULL OR ${isTooLow}
      ${ruleSets ? sql`OR accounts.status <> 'open' OR accounts.rule_set <> ${ruleSets} ->> accounts.id` : sql``} LIMIT 1`
}

const bookGuard = (right: BookingRight) =>
  prepared<Viewer & { ids: string; ruleSets: string }, unknown>(() =>
    db.run(
      rightGuard(right, sql.placeholder('ids'), viewerParams, {
        ruleSets: sql.placeholder('ruleSets'),
      }),
    ),
  )

const bookGuards = { write: bookGuard('write'), annotate: bookGuard('annotate') }

/** Refuses unless the caller may still do at least that with all of these accounts, open or not. */
export const requireAccess = (
  ctx: SignedIn,
  least: Right,
  accountIds: string[],
  gone: Refusal = nothingHere,
): Statement =>
  premise(db.run(rightGuard(least, sql`${JSON.stringify(accountIds)}`, viewerOf(ctx))), {
    gone,
    permission: rightNeeded(least),
  })

/**
 * Refuses when one of these transactions is somebody else's booking, on an account where the caller
 * changes own bookings only: one that it is changed on, or either account of a transfer. A task changes them in its owner's name.
 */
export const requireOwnBookings = (
  ctx: Context,
  changed: { id: string; accountIds: string[] }[],
): Statement[] => {
  const { caller } = ctx
  if (!caller) {
    return []
  }
  const viewer = viewerOf({ ...ctx, caller })
  const pairs = changed.flatMap(({ id, accountIds }) => accountIds.map((one) => [id, one]))
  return [
    refuseIf(
      sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(pairs)}) changed
        CROSS JOIN transactions t ON t.id = changed.value->>0
        JOIN entries e ON e.transaction_id = t.id AND e.side = 'account'
          AND (t.kind = 'transfer' OR e.account_id = changed.value->>1)
        WHERE t.owner_id <> ${caller.userId} AND t.created_by <> ${caller.userId}
          AND NOT EXISTS (SELECT 1 FROM ${received(viewer)} AND r.account_id = e.account_id
            AND r.own_rows = 0 AND r.rank >= ${sql.raw(String(rankOf('write')))}))`,
      accessErrors.ownBookingsOnly,
    ),
  ]
}
