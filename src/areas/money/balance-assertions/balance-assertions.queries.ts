import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { balanceAssertions } from '../../../../drizzle/schema/reconciliation.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { isNotRestored } from '../../../platform/owned-data/owned-data.ts'
import { db, inParameters, itemsOf, type Statement } from '../../../platform/database/statements.ts'
import type { WideSum } from '../../../platform/database/wide-sums.ts'
import {
  accessLevel,
  accountIsSeenBy,
  isHiddenFrom,
  ownedBy,
  sharedWithMeAccountIds,
  viewerOf,
  visibleAccountIds,
  visibleOwnerIds,
} from '../../identity/access/access.public.ts'
import { type Basis, comparableSumAtEnd, sumAtEnd } from '../../../ledger/search/search.public.ts'
import type { AssertionRow, Edge } from './balance-assertions.rules.ts'

const row = (a: string): SQL =>
  sql.raw(
    `${a}.id, ${a}.owner_id AS ownerId, ${a}.account_id AS accountId, ${a}.date, ${a}.edge, ${a}.basis, ${a}.through,
      ${a}.amount_minor AS amountMinor, ${a}.tolerance_minor AS toleranceMinor, ${a}.source, ${a}.lock_id AS lockId,
      ${a}.note, ${a}.created_by AS createdBy, ${a}.was_ok AS wasOk, ${a}.version, ${a}.created_at AS createdAt,
      ${a}.updated_at AS updatedAt`,
  )

/** An assertion, with what is booked on its account now. */
export interface AssertionView extends Omit<AssertionRow, 'wasOk'> {
  wasOk: number
  currency: string
  /** The caller's access to its account: a rank of domain/sharing.ts. */
  rank: number
  actual: WideSum
  /** 1 where lines that the caller does not see are in the sum. */
  isHidden: number
}

/** The first days on which a line counts that is private to others, of each account that others share with the caller. */
const withHidden = (ctx: SignedIn): SQL => sql`hidden AS MATERIALIZED (
  SELECT h.account_id, min(h.date) AS balance, min(iif(h.status IN ('cleared', 'reconciled'), h.date, NULL)) AS cleared,
    min(iif(h.status = 'reconciled', h.date, NULL)) AS reconciled
  FROM accounts CROSS JOIN transactions t ON t.owner_id = accounts.owner_id AND ${isHiddenFrom(viewerOf(ctx))}
    CROSS JOIN entries h ON h.transaction_id = t.id AND h.account_id = accounts.id AND h.side = 'account'
  WHERE accounts.id IN (${sharedWithMeAccountIds(ctx)}) AND NOT ${ownedBy(ctx.caller, 'accounts.owner_id')}
    AND h.status <> 'void'
  GROUP BY h.account_id)`

const isHidden = (a: string): SQL =>
  sql.raw(`EXISTS (SELECT 1 FROM hidden WHERE hidden.account_id = ${a}.account_id AND ${a}.through >=
    CASE ${a}.basis WHEN 'balance' THEN hidden.balance WHEN 'cleared' THEN hidden.cleared ELSE hidden.reconciled END)`)

const sumOf = (a: string): SQL =>
  sumAtEnd(sql.raw(`${a}.account_id`), sql.raw(`${a}.through`), sql.raw(`${a}.basis`))

/** True if an assertion holds, whoever looks at it. */
const isTrue = (a: string): SQL =>
  sql`${comparableSumAtEnd(sql.raw(`${a}.account_id`), sql.raw(`${a}.through`), sql.raw(`${a}.basis`))}
    BETWEEN ${sql.raw(`${a}.amount_minor - ${a}.tolerance_minor AND ${a}.amount_minor + ${a}.tolerance_minor`)}`

/** True if the caller may know that it holds, or that it does not. */
const isKnownAs = (ok: boolean): SQL =>
  sql`NOT ${isHidden('b')} AND ${ok ? sql`` : sql`NOT`} (${isTrue('b')})`

/** @param picked SQL of rows `b` with all columns; what is booked is looked up for no others */
const viewsOf = (ctx: SignedIn, picked: SQL, order: SQL): Statement<AssertionView[]> =>
  db.all<AssertionView>(sql`WITH ${withHidden(ctx)}
    SELECT ${row('a')}, accounts.currency, ${accessLevel(viewerOf(ctx))} AS rank, ${sumOf('a')} AS actual,
      ${isHidden('a')} AS isHidden
    FROM (${picked}) a CROSS JOIN accounts ON accounts.id = a.account_id
    ORDER BY ${order}`)

export interface AssertionFilter {
  accountId?: string | undefined
  from?: string | undefined
  through?: string | undefined
  ok?: boolean | undefined
}

function matching(ctx: SignedIn, { accountId, from, through, ok }: AssertionFilter): SQL {
  const conditions = [
    sql`b.owner_id IN (${visibleOwnerIds(ctx)}) AND b.account_id IN (${visibleAccountIds(ctx)})`,
    ...(accountId === undefined ? [] : [sql`b.account_id = ${accountId}`]),
    ...(from === undefined ? [] : [sql`b.date >= ${from}`]),
    ...(through === undefined ? [] : [sql`b.date <= ${through}`]),
    ...(ok === undefined ? [] : [isKnownAs(ok)]),
  ]
  return sql.join(conditions, sql` AND `)
}

/** Newest day first, one row more than the page. A position is `[date, id]`. */
export const pageOfAssertions = (ctx: SignedIn, filter: AssertionFilter, page: PageRequest) =>
  viewsOf(
    ctx,
    sql`SELECT b.* FROM balance_assertions b WHERE ${matching(ctx, filter)}
      ${page.after ? sql`AND (b.date, b.id) < (${page.after[0]}, ${page.after[1]})` : sql``}
      ORDER BY b.date DESC, b.id DESC LIMIT ${page.limit + 1}`,
    sql`a.date DESC, a.id DESC`,
  )

export const countOfAssertions = (ctx: SignedIn, filter: AssertionFilter) =>
  db.all<{ count: number }>(sql`WITH ${withHidden(ctx)}
    SELECT count(*) AS count FROM balance_assertions b WHERE ${matching(ctx, filter)}`)

/** In order of the days whose lines count. */
export const assertionsToCheck = (ctx: SignedIn, filter: AssertionFilter) =>
  viewsOf(
    ctx,
    sql`SELECT b.* FROM balance_assertions b WHERE ${matching(ctx, filter)}`,
    sql`a.account_id, a.through, a.id`,
  )

export const assertionById = (ctx: SignedIn, id: string) =>
  viewsOf(
    ctx,
    sql`SELECT b.* FROM balance_assertions b WHERE b.id = ${id} AND b.account_id IN (${visibleAccountIds(ctx)})`,
    sql`a.id`,
  )

/** Finds an existing assertion about the same sum. */
export const assertionOn = (
  ctx: SignedIn,
  { accountId, date, edge, basis }: Pick<AssertionRow, 'accountId' | 'date' | 'edge' | 'basis'>,
) =>
  viewsOf(
    ctx,
    sql`SELECT b.* FROM balance_assertions b WHERE b.account_id = ${accountId} AND b.date = ${date}
      AND b.edge = ${edge} AND b.basis = ${basis} AND b.account_id IN (${visibleAccountIds(ctx)})`,
    sql`a.id`,
  )

/** An account to state something of, with what is booked up to a day. */
export type AssertedAccount = Pick<AssertionRow, 'ownerId'> &
  Pick<AssertionView, 'currency' | 'rank' | 'actual' | 'isHidden'>

export const accountToAssert = (
  ctx: SignedIn,
  { accountId, through, basis }: { accountId: string; through: string; basis: Basis },
) =>
  db.all<AssertedAccount>(sql`WITH ${withHidden(ctx)}
    SELECT accounts.owner_id AS ownerId, accounts.currency, ${accessLevel(viewerOf(ctx))} AS rank, ${sumOf('a')} AS actual,
      ${isHidden('a')} AS isHidden
    FROM (SELECT ${accountId} AS account_id, ${through} AS through, ${basis} AS basis) a
      CROSS JOIN accounts ON accounts.id = a.account_id
    WHERE ${accountIsSeenBy(viewerOf(ctx))}`)

/** Finds an account if the caller sees it. */
export const accountSeen = (ctx: SignedIn, accountId: string) =>
  db.all<{ id: string }>(
    sql`SELECT accounts.id FROM accounts WHERE accounts.id = ${accountId} AND ${accountIsSeenBy(viewerOf(ctx))}`,
  )

/** Counts the assertions of an account that the caller may know to be wrong. */
export const failingOf = (ctx: SignedIn, accountId: string) =>
  countOfAssertions(ctx, { accountId, ok: false })

/** Wrong ones up to a day, of each account. */
export interface FailingRow {
  accountId: string
  count: number
  firstId: string
}

/** @param accounts SQL of a condition on `accounts` */
export const failingIn = (ctx: SignedIn, accounts: SQL, through: string) =>
  db.all<FailingRow>(sql`WITH ${withHidden(ctx)}
    SELECT b.account_id AS accountId, count(*) AS count, substr(min(b.through || ' ' || b.id), 12) AS firstId
    FROM balance_assertions b WHERE b.account_id IN (SELECT accounts.id FROM accounts WHERE ${accounts})
      AND b.through <= ${through} AND ${isKnownAs(false)}
    GROUP BY b.account_id ORDER BY b.account_id`)

/** The day of the first assertion of an account, by SQL of its id, that the caller sees to be wrong. */
export const firstFailingDay = (ctx: SignedIn, accountId: SQL) =>
  db.all<{ date: string }>(sql`WITH ${withHidden(ctx)}
    SELECT b.date FROM balance_assertions b WHERE b.account_id = ${accountId} AND ${isKnownAs(false)}
    ORDER BY b.through LIMIT 1`)

/** The accounts whose balance at the end of a day is stated already. */
export const balancesStated = (accounts: SQL, date: string) =>
  db.all<{ accountId: string }>(sql`SELECT b.account_id AS accountId FROM balance_assertions b
    WHERE b.account_id IN (SELECT accounts.id FROM accounts WHERE ${accounts})
      AND b.date = ${date} AND b.edge = ${'endOfDay' satisfies Edge} AND b.basis = ${'balance' satisfies Basis}`)

const columns = Object.entries(getTableColumns(balanceAssertions))

const joined = (parts: string[]) => sql.raw(parts.join(', '))

/** Stores any number of them. */
export const insertAssertions = (assertions: AssertionRow[]): Statement[] =>
  inParameters(assertions).map(({ json }) =>
    db.run(sql`INSERT INTO balance_assertions (${joined(columns.map(([, { name }]) => name))})
      SELECT ${joined(columns.map(([field]) => `value->>'${field}'`))} FROM ${itemsOf(json)}`),
  )

/**
 * True if an assertion is deleted with a lock: it was stored with the lock, and no other lock of the same account
 * ends on the same day.
 */
const goesWith = (lockId: string): SQL => sql`lock_id = ${lockId} AND NOT ${otherLock(lockId)}`

const isOtherLock = (lockId: string): SQL => sql`k.owner_id = balance_assertions.owner_id
  AND (k.account_id IS NULL OR k.account_id = balance_assertions.account_id)
  AND k.through = balance_assertions.date AND k.id <> ${lockId}`

const otherLock = (lockId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM period_locks k WHERE ${isOtherLock(lockId)})`

/** A lock, whose owner is that of what was stored with it. */
type WithLock = Record<'id' | 'ownerId', string>

export const assertionsWithLock = (lockId: string): Statement<AssertionRow[]> =>
  db
    .select()
    .from(balanceAssertions)
    .where(
      sql`${goesWith(lockId)} AND EXISTS (SELECT 1 FROM period_locks own
        WHERE own.id = ${lockId} AND own.owner_id = balance_assertions.owner_id)`,
    )

export const endAssertionsOf = ({ id: lockId, ownerId }: WithLock): Statement[] => [
  db.run(sql`DELETE FROM balance_assertions WHERE ${goesWith(lockId)} AND +owner_id = ${ownerId}`),
  db.run(sql`UPDATE balance_assertions SET lock_id = (SELECT min(k.id) FROM period_locks k WHERE ${isOtherLock(lockId)})
    WHERE lock_id = ${lockId} AND +owner_id = ${ownerId}`),
]

/** @param ids SQL that selects ids */
export const assertionsAmong = (ids: SQL): Statement<AssertionRow[]> =>
  db
    .select()
    .from(balanceAssertions)
    .where(sql`${balanceAssertions.id} IN (${ids})`)

export const deleteAssertionRow = ({
  id,
  ownerId,
  version,
}: Pick<AssertionRow, 'id' | 'ownerId' | 'version'>): Statement[] => [
  db
    .delete(balanceAssertions)
    .where(
      and(
        eq(balanceAssertions.id, id),
        eq(balanceAssertions.ownerId, ownerId),
        eq(balanceAssertions.version, version),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

/** An assertion that has turned, or has not, since the last check. */
export type CheckedAssertion = Pick<
  AssertionRow,
  'id' | 'ownerId' | 'accountId' | 'date' | 'edge' | 'basis' | 'amountMinor' | 'toleranceMinor'
> & { wasOk: number; isInTrash: number; actual: WideSum; hasPrivate: number }

/** Assertions of everybody in the order of their ids. */
export const assertionsAfter = (after: string, limit: number): Statement<CheckedAssertion[]> =>
  db.all<CheckedAssertion>(sql`SELECT a.id, a.owner_id AS ownerId, a.account_id AS accountId, a.date, a.edge, a.basis,
      a.amount_minor AS amountMinor, a.tolerance_minor AS toleranceMinor, a.was_ok AS wasOk,
      accounts.deleted_at IS NOT NULL AS isInTrash, ${sumOf('a')} AS actual,
      EXISTS (SELECT 1 FROM transactions t CROSS JOIN entries h ON h.transaction_id = t.id
          AND h.account_id = a.account_id AND h.side = 'account'
        WHERE t.owner_id = a.owner_id AND t.private = 1 AND h.date <= a.through AND h.status <> 'void') AS hasPrivate
    FROM (SELECT b.* FROM balance_assertions b WHERE b.id > ${after} AND ${isNotRestored(sql`b.owner_id`)}
        ORDER BY b.id LIMIT ${limit}) a
      CROSS JOIN accounts ON accounts.id = a.account_id
    ORDER BY a.id`)

/** Keeps what a check found of those that have turned. */
export const keepOutcomes = (
  turned: (Pick<AssertionRow, 'id' | 'ownerId'> & { isOk: boolean })[],
): Statement[] =>
  turned.length === 0
    ? []
    : [
        db.run(sql`UPDATE balance_assertions SET was_ok = turned.value->>'isOk'
          FROM ${itemsOf(JSON.stringify(turned.map(({ id, ownerId, isOk }) => ({ id, ownerId, isOk: isOk ? 1 : 0 }))))} turned
          WHERE balance_assertions.id = turned.value->>'id' AND owner_id = turned.value->>'ownerId'`),
      ]
