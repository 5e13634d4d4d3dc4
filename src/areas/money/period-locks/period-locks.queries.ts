import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { periodLocks } from '../../../../drizzle/schema/reconciliation.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, nothing, type Statement, upToBytes } from '../../../platform/database/statements.ts'
import {
  accessLevel,
  accountIsOwnOf,
  accountIsSeenBy,
  isHiddenFrom,
  isNotPrivateEntry,
  ownedBy,
  viewerOf,
  visibleAccountIds,
} from '../../identity/access/access.public.ts'
import { balancesStated, failingIn } from '../balance-assertions/balance-assertions.public.ts'
import { accountStandings } from '../../../ledger/search/search.public.ts'
import { periodLockErrors } from './period-locks.errors.ts'
import {
  MOST_LOCKS,
  type PeriodLockRow,
  type PeriodLockView,
  type RequirementOfLines,
} from './period-locks.rules.ts'

/** The accounts of a lock: one that the caller sees, or all own ones. */
export const lockedAccounts = (ctx: SignedIn, accountId: string | null): SQL =>
  accountId === null
    ? accountIsOwnOf(viewerOf(ctx))
    : sql`accounts.id = ${accountId} AND ${accountIsSeenBy(viewerOf(ctx))}`

export interface AccountToLock {
  id: string
  ownerId: string
  currency: string
  rank: number
}

export const accountsToLock = (ctx: SignedIn, accountId: string | null) =>
  db.all<AccountToLock>(sql`SELECT accounts.id, accounts.owner_id AS ownerId, accounts.currency,
      ${accessLevel(viewerOf(ctx))} AS rank
    FROM accounts WHERE ${lockedAccounts(ctx, accountId)} ORDER BY accounts.id`)

/** True if the period is locked already: one account by any lock on it, all accounts by another lock for all. */
const isLockedAlready = (
  ctx: SignedIn,
  { accountId, through, kind }: Pick<PeriodLockRow, 'accountId' | 'through' | 'kind'>,
): SQL =>
  accountId === null
    ? sql`EXISTS (SELECT 1 FROM period_locks k WHERE ${ownedBy(ctx.caller, 'k.owner_id')} AND k.account_id IS NULL
        AND k.through >= ${through} ${kind === 'hard' ? sql`AND k.kind = 'hard'` : sql``})`
    : sql`EXISTS (SELECT 1 FROM accounts a WHERE a.id = ${accountId}
        AND ${kind === 'hard' ? sql`a.hard_locked_through` : sql`a.locked_through`} >= ${through})`

export const lockedAlready = (
  ctx: SignedIn,
  lock: Pick<PeriodLockRow, 'accountId' | 'through' | 'kind'>,
) => db.all<{ isLocked: number }>(sql`SELECT ${isLockedAlready(ctx, lock)} AS isLocked`)

/** An entry, under the name that a statement gives it. */
type EntryAlias = 'e' | 'n' | 'x'

const UNREADY: Record<RequirementOfLines, (entry: EntryAlias) => SQL> = {
  reconciled: (entry) => sql.raw(`${entry}.status NOT IN ('reconciled', 'void')`),
  noPending: (entry) => sql.raw(`${entry}.status = 'pending'`),
  categorised: (entry) => sql.raw(`${entry}.uncategorised = 1 AND ${entry}.status <> 'void'`),
}

/** The most that an answer lists. */
export const MOST_UNREADY = 100

export interface UnreadyRow {
  accountId: string
  kind: RequirementOfLines
  count: number
  /** Date, transaction and line of the first one. */
  first: string
}

/**
 * Finds the visible lines that do not meet the requirements of the lock, per account. All lines are counted by an
 * index alone; those that are private to others are few, and are subtracted.
 */
export const unreadyIn = (
  ctx: SignedIn,
  { accountId, through }: Pick<PeriodLockRow, 'accountId' | 'through'>,
  required: RequirementOfLines[],
): Statement<UnreadyRow[]> => {
  const isUnready = (entry: EntryAlias, kind: RequirementOfLines) => {
    const of = (column: string) => sql.raw(`${entry}.${column}`)
    return sql`${of('account_id')} = accounts.id AND ${of('side')} = 'account' AND ${of('date')} <= ${through}
      AND ${UNREADY[kind](entry)}`
  }
  const found = required.map(
    (kind) => sql`SELECT accounts.id AS accountId, ${kind} AS kind,
        (SELECT count(*) FROM entries n WHERE ${isUnready('n', kind)})
          - iif(${ownedBy(ctx.caller, 'accounts.owner_id')}, 0, (SELECT count(*) FROM transactions t
            CROSS JOIN entries x ON x.transaction_id = t.id AND ${isUnready('x', kind)}
            WHERE t.owner_id = accounts.owner_id AND ${isHiddenFrom(viewerOf(ctx))})) AS count,
        (SELECT e.date || ' ' || e.transaction_id || ' ' || e.line FROM entries e
          WHERE ${isUnready('e', kind)} AND ${isNotPrivateEntry(ctx)}
          ORDER BY e.date, e.transaction_id, e.line LIMIT 1) AS first
      FROM accounts WHERE ${lockedAccounts(ctx, accountId)}`,
  )
  return required.length === 0
    ? nothing()
    : db.all(sql`WITH unready AS MATERIALIZED (${sql.join(found, sql` UNION ALL `)})
        SELECT accountId, kind, count, first FROM unready WHERE count > 0
        ORDER BY accountId, kind LIMIT ${sql.raw(String(MOST_UNREADY))}`)
}

/** Finds the balances of the lock's accounts on its last day. */
export const standingsForLock = (
  ctx: SignedIn,
  { accountId, through }: Pick<PeriodLockRow, 'accountId' | 'through'>,
) =>
  accountStandings(
    sql`SELECT accounts.id FROM accounts WHERE ${lockedAccounts(ctx, accountId)}`,
    through,
  )

/** The balance assertions of its accounts that fail. */
export const failingForLock = (
  ctx: SignedIn,
  { accountId, through }: Pick<PeriodLockRow, 'accountId' | 'through'>,
) => failingIn(ctx, lockedAccounts(ctx, accountId), through)

/** Finds the accounts of the lock whose balance on its last day is stated already. */
export const statedForLock = (
  ctx: SignedIn,
  { accountId, through }: Pick<PeriodLockRow, 'accountId' | 'through'>,
) => balancesStated(lockedAccounts(ctx, accountId), through)

/** When the session of the caller began; none for a personal access token. */
export const signedInAt = ({ caller }: SignedIn): Statement<{ signedInAt: number }[]> =>
  caller.sessionId === null
    ? nothing()
    : db.all(sql`SELECT created_at AS signedInAt FROM sessions WHERE id = ${caller.sessionId}`)

export const insertPeriodLock = (ctx: SignedIn, lock: PeriodLockRow): Statement[] => [
  refuseIf(isLockedAlready(ctx, lock), () => periodLockErrors.alreadyLocked({ field: 'through' })),
  db.insert(periodLocks).values(lock),
  mustBeFewLocks(lock.id),
]

/** Refuses when this lock is one too many. It belongs behind what stores it. */
function mustBeFewLocks(id: string): Statement {
  const isOver = (which: SQL, most: number) =>
    sql`(SELECT count(*) FROM period_locks k WHERE ${which}) > ${sql.raw(String(most))}`
  return refuseIf(
    sql`EXISTS (SELECT 1 FROM period_locks one WHERE one.id = ${id}
      AND (${isOver(sql.raw('k.owner_id = one.owner_id'), MOST_LOCKS.ofOwner)}
        OR ${isOver(sql.raw('k.account_id = one.account_id'), MOST_LOCKS.ofOne)}
        OR one.account_id IS NULL
          AND ${isOver(sql.raw('k.account_id IS NULL AND k.owner_id = one.owner_id'), MOST_LOCKS.ofOne)}))`,
    periodLockErrors.tooMany,
  )
}

const COLUMNS = sql.raw(
  Object.entries(getTableColumns(periodLocks))
    .map(([field, { name }]) => `k.${name} AS ${field}`)
    .join(', '),
)

/**
 * Some locks, the latest day first, with what the caller may do and sees. Those of all accounts of an owner have the same, which is
 * worked out once.
 * @param found SELECTs their ids, at most those of a page: what each has is looked up before they are sorted
 */
const viewsOf = (ctx: SignedIn, found: SQL): SQL<PeriodLockView> => {
  const viewer = viewerOf(ctx)
  const one = sql`FROM accounts WHERE accounts.id = k.account_id AND accounts.owner_id = k.owner_id
    AND ${accountIsSeenBy(viewer)}`
  const all = (column: 'rank' | 'seen') =>
    sql.raw(`(SELECT o.${column} FROM of_owners o WHERE o.owner_id = k.owner_id)`)
  return sql`WITH of_owners AS MATERIALIZED (SELECT accounts.owner_id, max(${accessLevel(viewer)}) AS rank,
        json_group_array(accounts.id) AS seen
      FROM accounts WHERE ${accountIsSeenBy(viewer)} GROUP BY accounts.owner_id)
    SELECT ${COLUMNS},
      CASE WHEN ${ownedBy(ctx.caller, 'k.owner_id')} THEN 5 WHEN k.account_id IS NULL THEN ${all('rank')}
        ELSE (SELECT ${accessLevel(viewer)} ${one}) END AS rank,
      CASE WHEN k.account_id IS NULL THEN ifnull(${all('seen')}, '[]')
        ELSE (SELECT json_group_array(accounts.id) ${one}) END AS seen
    FROM (${found}) found CROSS JOIN period_locks k ON k.id = found.id ORDER BY k.through DESC, k.id DESC`
}

/** A lock on an account that the caller sees, or for all accounts of somebody of whom the caller sees one. */
const isSeen = (ctx: SignedIn) =>
  sql`period_locks.id IN (
    SELECT k.id FROM period_locks k WHERE k.account_id IN (${visibleAccountIds(ctx)})
    UNION SELECT k.id FROM period_locks k WHERE k.account_id IS NULL AND k.owner_id IN (
      SELECT accounts.owner_id FROM accounts WHERE ${accountIsSeenBy(viewerOf(ctx))}
      UNION SELECT ${ctx.caller.userId}))`

export const periodLockById = (ctx: SignedIn, id: string): Statement<PeriodLockView[]> =>
  db.all(viewsOf(ctx, sql`SELECT id FROM period_locks WHERE id = ${id} AND ${isSeen(ctx)}`))

export interface PeriodLockFilter {
  accountId?: string | undefined
  kind?: PeriodLockRow['kind'] | undefined
}

const matches = (ctx: SignedIn, { accountId, kind }: PeriodLockFilter) =>
  and(
    isSeen(ctx),
    kind === undefined ? undefined : eq(periodLocks.kind, kind),
    accountId === undefined
      ? undefined
      : sql`(${periodLocks.accountId} = ${accountId} OR ${periodLocks.accountId} IS NULL
          AND ${periodLocks.ownerId} = (SELECT accounts.owner_id FROM accounts WHERE accounts.id = ${accountId}
            AND accounts.id IN (${visibleAccountIds(ctx)})))`,
  )

/** The latest day first; one row more than the page, which ends early where locks are of many accounts. */
export function pageOfPeriodLocks(
  ctx: SignedIn,
  filter: PeriodLockFilter,
  { after, limit }: PageRequest,
): Statement<PeriodLockView[]> {
  const [through, id] = after ?? []
  const follows =
    through === undefined
      ? undefined
      : sql`(${periodLocks.through}, ${periodLocks.id}) < (${through}, ${id})`
  return db.all(
    upToBytes(
      viewsOf(
        ctx,
        sql`SELECT period_locks.id FROM period_locks WHERE ${and(matches(ctx, filter), follows)}
          ORDER BY period_locks.through DESC, period_locks.id DESC LIMIT ${limit + 1}`,
      ),
      sql`octet_length(balances) + ifnull(octet_length(seals), 0) + octet_length(seen) + octet_length(reason)`,
    ),
  )
}

export const countOfPeriodLocks = (ctx: SignedIn, filter: PeriodLockFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(periodLocks)
    .where(matches(ctx, filter))

export const deletePeriodLockRow = ({
  id,
  ownerId,
  version,
}: Pick<PeriodLockRow, 'id' | 'ownerId' | 'version'>): Statement[] => [
  db
    .delete(periodLocks)
    .where(
      and(
        eq(periodLocks.id, id),
        eq(periodLocks.ownerId, ownerId),
        eq(periodLocks.version, version),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]
