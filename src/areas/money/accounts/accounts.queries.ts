import { and, type Column, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../../drizzle/schema/accounts.ts'
import { accountBalances } from '../../../../drizzle/schema/projections.ts'
import { rankOf } from '../../../domain/sharing.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { Memory } from '../../../platform/database/memory.ts'
import { requireChangedOne, refuseIf, requireChanged } from '../../../platform/database/premises.ts'
import { changedMeanwhile, conflicting, type Refusal } from '../../../platform/database/refusals.ts'
import {
  db,
  joined,
  nothing,
  prepared,
  type Statement,
} from '../../../platform/database/statements.ts'
import {
  accountCountsFor,
  accountIsSeenBy,
  isHiddenFrom,
  type Viewer,
  type ViewerParams,
  viewerParams,
  viewerOf,
  ownedBy,
  accessLevel,
  ownAccountIds,
} from '../../identity/access/access.public.ts'
import { ledgerRowsIn, openBalance } from '../../../ledger/ledger.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { openingIdOf } from './accounts.rules.ts'

export { historyFacts } from '../../../ledger/ledger.public.ts'

export type AccountRow = typeof accounts.$inferSelect
export type NewAccount = typeof accounts.$inferInsert

export interface AccountView {
  account: AccountRow
  balances: Omit<typeof accountBalances.$inferSelect, 'isRangeDeferred'>
  seen: AccountAccess
  checks: { lastReconciledAt: number | null }
}

/** The caller's access to an account, with its source. */
export interface AccountAccess {
  /** The caller's access level: a rank of domain/sharing.ts. */
  rank: number
  /** The group that it is shared with, if the caller is in that. */
  groupId: string | null
  /** 1 where it counts in the caller's totals. */
  counts: number
}

/** The caller's access to an account that they have just opened. */
export const OWNER_ACCESS: AccountAccess = { rank: rankOf('owner'), groupId: null, counts: 1 }

export const isOwn = ({ rank }: AccountAccess): boolean => rank === OWNER_ACCESS.rank

/**
 * Returns the value for the visible bookings. The value kept for all bookings is right for own accounts, and where
 * the owner has no booking that is private to others.
 */
const ofSeen = <Value>(viewer: Viewer | ViewerParams, kept: Column, seen: SQL) =>
  sql<Value>`CASE WHEN ${ownedBy(viewer, 'accounts.owner_id')} OR NOT EXISTS (SELECT 1 FROM transactions t
    WHERE t.owner_id = accounts.owner_id AND ${isHiddenFrom(viewer)}) THEN ${kept} ELSE (${seen}) END`

/** The number of bookings of an account that the caller sees, for queries that have `accounts` and `account_balances`. */
const countOfSeen = (viewer: Viewer | ViewerParams) =>
  ofSeen<number>(
    viewer,
    accountBalances.transactionCount,
    sql`SELECT ${accountBalances.transactionCount} - count(*) FROM transactions t
      CROSS JOIN entries e ON e.transaction_id = t.id AND e.account_id = accounts.id AND e.side = 'account'
      WHERE t.owner_id = accounts.owner_id AND ${isHiddenFrom(viewer)}`,
  )

/** The last date of those. */
const lastDateOfSeen = (viewer: Viewer | ViewerParams) =>
  ofSeen<string | null>(
    viewer,
    accountBalances.lastDate,
    sql`SELECT e.date FROM entries e WHERE e.account_id = accounts.id AND e.side = 'account'
      AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = e.transaction_id AND ${isHiddenFrom(viewer)})
      ORDER BY e.date DESC LIMIT 1`,
  )

const { isRangeDeferred: _, ...KEPT } = getTableColumns(accountBalances)

const selectAccounts = () =>
  db
    .select({
      account: accounts,
      balances: {
        ...KEPT,
        transactionCount: countOfSeen(viewerParams).as('count_of_seen'),
        lastDate: lastDateOfSeen(viewerParams).as('last_date_of_seen'),
      },
      seen: {
        rank: sql<number>`${accessLevel(viewerParams)}`.as('rank'),
        groupId: sql<string | null>`(SELECT s.group_id FROM shares s
          JOIN group_members m ON m.group_id = s.group_id AND m.user_id = ${viewerParams.userId}
          WHERE s.account_id = accounts.id AND s.group_id IS NOT NULL)`.as('shared_group_id'),
        counts: sql<number>`${accountCountsFor(viewerParams)}`.as('counts'),
      },
      checks: {
        lastReconciledAt: sql<number | null>`(SELECT max(f.finished_at) FROM reconciliations f
          WHERE f.account_id = accounts.id AND f.state = 'finished')`.as('last_reconciled_at'),
      },
    })
    .from(accounts)
    .innerJoin(accountBalances, eq(accountBalances.accountId, accounts.id))

const isSeen = accountIsSeenBy(viewerParams)

const seenAccounts = prepared<Viewer, AccountView[]>(() =>
  selectAccounts().where(isSeen).orderBy(accounts.order, accounts.nameKey),
)

const seenAccount = prepared<Viewer & { id: string }, AccountView[]>(() =>
  selectAccounts().where(and(eq(accounts.id, sql.placeholder('id')), isSeen)),
)

/** Every account that the caller sees, in the order the user gave them, then by name. */
export const visibleAccounts = (ctx: SignedIn): Statement<AccountView[]> =>
  seenAccounts(viewerOf(ctx))

export const accountById = (ctx: SignedIn, id: string): Statement<AccountView[]> =>
  seenAccount({ ...viewerOf(ctx), id })

/** The booking of its opening balance, if there is one. */
export const openingOf = (ctx: SignedIn, id: string) =>
  ledgerRowsIn(ctx, sql`SELECT ${openingIdOf(id)}`)

/** Counts the transactions on an account. The same read must show that the caller sees it. */
export const countOfBooked = (id: string): Statement<number> =>
  joined(
    [
      db.all<{ count: number }>(
        sql`SELECT transaction_count AS count FROM account_balances WHERE account_id = ${id}`,
      ),
    ],
    ([[found]]) => found?.count ?? 0,
  )

/** A subquery of the currency of an account that the caller sees. */
export const currencyOfAccount = (ctx: SignedIn, id: string): SQL =>
  sql`SELECT accounts.currency FROM accounts WHERE accounts.id = ${id} AND ${accountIsSeenBy(viewerOf(ctx))}`

/** Finds the data that booking on accounts needs. Accounts that the caller cannot see are missing. */
export const accountsForBooking = (ctx: SignedIn, ids: string[]): Statement<FoundAccount[]> =>
  ids.length === 0 ? nothing() : bookableAccounts({ ...viewerOf(ctx), ids: JSON.stringify(ids) })

/** Finds the accounts with these ids, and those with these keys of names. */
export const accountsToBookOn = (
  ctx: SignedIn,
  { ids, keys }: { ids: string[]; keys: string[] },
): Statement<FoundAccount[]> =>
  keys.length === 0
    ? accountsForBooking(ctx, ids)
    : accountsNamed({ ...viewerOf(ctx), ids: JSON.stringify(ids), keys: JSON.stringify(keys) })

export type BookableAccount = Pick<AccountRow, 'id' | 'ownerId' | 'currency'>

/** With what rules and usual categories are remembered under. */
export type RuledAccount = BookableAccount & Pick<AccountRow, 'ruleSet'>

/** With what the caller may do with it. */
export type FoundAccount = RuledAccount &
  Pick<AccountRow, 'nameKey' | 'status' | 'lockedThrough' | 'hardLockedThrough'> &
  Pick<AccountAccess, 'rank'>

const selectBookable = () =>
  db
    .select({
      id: accounts.id,
      ownerId: accounts.ownerId,
      currency: accounts.currency,
      ruleSet: accounts.ruleSet,
      nameKey: accounts.nameKey,
      status: accounts.status,
      lockedThrough: accounts.lockedThrough,
      hardLockedThrough: accounts.hardLockedThrough,
      rank: sql<number>`${accessLevel(viewerParams)}`.as('rank'),
    })
    .from(accounts)

const isAmongIds = sql`${accounts.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`
const isAmongNames = sql`${accounts.nameKey} IN (SELECT value FROM json_each(${sql.placeholder('keys')}))`

const bookableAccounts = prepared<Viewer & { ids: string }, FoundAccount[]>(() =>
  selectBookable().where(and(isAmongIds, isSeen)),
)

const accountsNamed = prepared<Viewer & { ids: string; keys: string }, FoundAccount[]>(() =>
  selectBookable().where(and(sql`(${isAmongIds} OR ${isAmongNames})`, isSeen)),
)

/** By who booked on them: nobody else can tell from the time of an answer that an account is remembered. */
const bookedOn = new Memory<RuledAccount>(10_000)

const bookedOnKey = ({ caller }: SignedIn, id: string) =>
  `${caller.tokenHash ?? caller.userId} ${id}`

/**
 * Returns the account as of the caller's last booking on it. The entries of another booking name owner and currency,
 * which a foreign key asserts; the commit must assert the caller's access and the owner's rule set, too.
 */
export const accountBookedOn = (ctx: SignedIn, id: string): RuledAccount | undefined =>
  bookedOn.get(bookedOnKey(ctx, id))

/** To be called once the commit of a booking has shown that the account is as it was read. */
export const rememberBooking = (
  ctx: SignedIn,
  { id, ownerId, currency, ruleSet }: RuledAccount,
): void => bookedOn.set(bookedOnKey(ctx, id), { id, ownerId, currency, ruleSet })

export const insertAccount = (account: NewAccount): Statement[] => [
  db.insert(accounts).values(account),
  openBalance(account.id),
]

export type LockedDays = Pick<AccountRow, 'lockedThrough' | 'hardLockedThrough'>

/** The days through which locks for all accounts of the caller lock one that they open; a trigger stores them. */
export const lockedForNew = ({ caller }: SignedIn) =>
  db.all<LockedDays>(
    sql`SELECT max(k.through) AS lockedThrough, max(iif(k.kind = 'hard', k.through, NULL)) AS hardLockedThrough
      FROM period_locks k WHERE ${ownedBy(caller, 'k.owner_id')} AND k.account_id IS NULL`,
  )

export const updateAccountRow = (
  ctx: Context,
  { id, ownerId, version }: Pick<AccountRow, 'id' | 'ownerId' | 'version'>,
  changes: Partial<NewAccount>,
): Statement[] => [
  db
    .update(accounts)
    .set({ ...changes, version: sql`${accounts.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.ownerId, ownerId),
        eq(accounts.version, version),
        isNull(accounts.deletedAt),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

/** Refuses when there are amounts in the currency of the account: transactions, also in the trash, or valuations. */
export const mustHaveNoAmounts = (accountId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM entries WHERE account_id = ${accountId})
      OR EXISTS (SELECT 1 FROM unbooked_entries WHERE account_id = ${accountId})
      OR EXISTS (SELECT 1 FROM valuations WHERE account_id = ${accountId})
      OR EXISTS (SELECT 1 FROM balance_assertions WHERE account_id = ${accountId})
      OR EXISTS (SELECT 1 FROM reconciliations WHERE account_id = ${accountId})`,
    () => accountErrors.currencyFixed({ field: 'currency' }),
  )

/** True if an account is used. Balances that a bank states do not count: they are deleted and restored with the account. */
const used = (id: string) => sql`(
  EXISTS (SELECT 1 FROM entries e WHERE e.account_id = ${id} AND e.transaction_id <> ${openingIdOf(id)})
  OR EXISTS (SELECT 1 FROM unbooked_entries u WHERE u.account_id = ${id})
  OR EXISTS (SELECT 1 FROM valuations v WHERE v.account_id = ${id})
  OR EXISTS (SELECT 1 FROM balance_assertions b WHERE b.account_id = ${id} AND b.source <> 'import'))`

/** A row when an account has more than its opening balance, also in the trash. */
export const isInUse = (id: string) =>
  db.all<{ found: number }>(sql`SELECT 1 AS found WHERE ${used(id)}`)

export const mustBeUnused = (id: string): Statement => refuseIf(used(id), conflicting)

/** Refuses when the account was booked on since it was read, as far as the caller sees it. */
export const mustBalanceAsRead = (ctx: SignedIn, { account, balances }: AccountView): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM accounts JOIN account_balances ON account_balances.account_id = accounts.id
      WHERE accounts.id = ${account.id}
      AND balance_minor = ${integer(balances.balanceMinor)} AND cleared_minor = ${integer(balances.clearedMinor)}
      AND reconciled_minor = ${integer(balances.reconciledMinor)}
      AND ${countOfSeen(viewerOf(ctx))} = ${integer(balances.transactionCount)}
      AND ${lastDateOfSeen(viewerOf(ctx))} IS ${balances.lastDate})`,
    accountErrors.changedMeanwhile,
  )

const integer = (value: number): SQL => sql`CAST(${value} AS INTEGER)`

/** Gives these accounts their place in the list. Refuses unless all of them are the caller's own. */
export const placeAccounts = (
  ctx: SignedIn,
  ids: string[],
  unknownAccount: Refusal,
): Statement[] => [
  db.run(sql`UPDATE accounts SET sort_order = wanted.key, version = version + 1, updated_at = ${ctx.now}
    FROM json_each(${JSON.stringify(ids)}) wanted
    WHERE accounts.id = wanted.value AND accounts.id IN (${ownAccountIds(ctx)})`),
  requireChanged(ids.length, unknownAccount),
]
