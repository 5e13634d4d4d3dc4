import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { reconciliations } from '../../../../drizzle/schema/reconciliation.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { mustKeepVersion, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../platform/database/wide-sums.ts'
import {
  accessLevel,
  accountIsSeenBy,
  isHiddenFrom,
  ownedBy,
  viewerOf,
  visibleAccountIds,
  visibleOwnerIds,
} from '../../identity/access/access.public.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'
import type { ReconciliationRow, ReconciliationView, DriftRow } from './reconciliations.rules.ts'
import { isTick, ON_OFFER, addressOfRow } from './rows.queries.ts'

/** SQL that is true if the transaction with this id is private to others than the caller. */
export const isPrivateToOthers = (ctx: SignedIn, transactionId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM transactions t WHERE t.id = ${transactionId} AND NOT ${ownedBy(ctx.caller, 't.owner_id')}
    AND ${isHiddenFrom(viewerOf(ctx))})`

/** SQL of the ticks of each session `picked`. It counts those that the caller sees, and sums all. */
const withTicks = (ctx: SignedIn): SQL => sql`ticks AS MATERIALIZED (
  SELECT id, count(*) FILTER (WHERE NOT isHidden) AS seen, count(*) FILTER (WHERE NOT isHidden AND isOnTime) AS onTime,
    max(isHidden) AS isHidden, ${wideSum(sql.raw('amount'))} AS total
  FROM (SELECT picked.id, ifnull(e.amount_minor, 0) AS amount, e.date <= picked.statement_date AS isOnTime,
      ${isPrivateToOthers(ctx, sql.raw('k.transaction_id'))} AS isHidden
    FROM picked CROSS JOIN reconciliation_rows k ON k.reconciliation_id = picked.id
      LEFT JOIN entries e ON e.transaction_id = k.transaction_id AND e.line = k.line AND ${isTick('picked')}
    WHERE picked.state <> 'open' OR e.line IS NOT NULL)
  GROUP BY id)`

/** Lines on the account of each session `picked` that are private to others than the caller. */
const withHidden = (ctx: SignedIn): SQL => sql`hidden AS MATERIALIZED (
  SELECT picked.id, max(x.status = 'reconciled') AS isReconciled,
    count(*) FILTER (WHERE x.status IN ${ON_OFFER} AND x.date <= picked.statement_date) AS offers
  FROM picked CROSS JOIN transactions t ON t.owner_id = picked.owner_id AND ${isHiddenFrom(viewerOf(ctx))}
    CROSS JOIN entries x ON x.transaction_id = t.id AND x.account_id = picked.account_id AND x.side = 'account'
  WHERE NOT ${ownedBy(ctx.caller, 'picked.owner_id')} GROUP BY picked.id)`

/** A session as it is found, with the sum of its ticked rows as the database gives it. */
export type FoundReconciliation = Omit<ReconciliationView, 'tickedTotal'> & { tickedTotal: WideSum }

const COLUMNS = sql.raw(
  Object.entries(getTableColumns(reconciliations))
    .filter(([field]) => field !== 'attachmentId')
    .map(([field, { name }]) => `picked.${name} AS ${field}`)
    .join(', '),
)

/** @param picks SQL of rows of `reconciliations` with all columns; @param counted of which rows on offer are counted */
const viewsOf = (
  ctx: SignedIn,
  { picks, counted, order }: Record<'picks' | 'counted' | 'order', SQL>,
): Statement<FoundReconciliation[]> =>
  db.all<FoundReconciliation>(sql`WITH picked AS MATERIALIZED (${picks}), ${withTicks(ctx)}, ${withHidden(ctx)}
    SELECT ${COLUMNS}, (SELECT f.id FROM attachments f WHERE f.id = picked.attachment_id AND f.deleted_at IS NULL)
        AS attachmentId,
      accounts.currency, ${accessLevel(viewerOf(ctx))} AS rank, kept.reconciled_minor AS reconciledNow,
      ifnull(ticks.seen, 0) AS ticked, ifnull(ticks.total, '0 0') AS tickedTotal,
      iif(${counted}, (SELECT count(*) FROM entries o WHERE o.account_id = picked.account_id AND o.side = 'account'
        AND o.date <= picked.statement_date AND o.status IN ${ON_OFFER}), 0)
        - iif(picked.state = 'open', ifnull(ticks.onTime, 0), 0) - iif(${counted}, ifnull(hidden.offers, 0), 0) AS unticked,
      max(ifnull(ticks.isHidden, 0), ifnull(hidden.isReconciled, 0)) AS isHidden
    FROM picked CROSS JOIN accounts ON accounts.id = picked.account_id
      CROSS JOIN account_balances kept ON kept.account_id = picked.account_id
      LEFT JOIN ticks ON ticks.id = picked.id LEFT JOIN hidden ON hidden.id = picked.id
    ORDER BY ${order}`)

const IS_OPEN = sql.raw(`picked.state = 'open'`)

/** A session. Of one that is finished, `unticked` is what would be on offer if it were undone. */
export const reconciliationById = (ctx: SignedIn, id: string) =>
  viewsOf(ctx, {
    picks: sql`SELECT b.* FROM reconciliations b WHERE b.id = ${id} AND b.account_id IN (${visibleAccountIds(ctx)})`,
    counted: sql.raw('true'),
    order: sql.raw('picked.id'),
  })

export interface ReconciliationFilter {
  accountId?: string | undefined
  state?: ReconciliationRow['state'] | undefined
}

const matches = (ctx: SignedIn, { accountId, state }: ReconciliationFilter): SQL =>
  sql.join(
    [
      sql`b.owner_id IN (${visibleOwnerIds(ctx)}) AND b.account_id IN (${visibleAccountIds(ctx)})`,
      ...(accountId === undefined ? [] : [sql`b.account_id = ${accountId}`]),
      ...(state === undefined ? [] : [sql`b.state = ${state}`]),
    ],
    sql` AND `,
  )

/** The latest statement first, one row more than the page. A position is `[statementDate, id]`. */
export const pageOfReconciliations = (
  ctx: SignedIn,
  filter: ReconciliationFilter,
  { after, limit }: PageRequest,
) =>
  viewsOf(ctx, {
    picks: sql`SELECT b.* FROM reconciliations b WHERE ${matches(ctx, filter)}
      ${after ? sql`AND (b.statement_date, b.id) < (${after[0]}, ${after[1]})` : sql``}
      ORDER BY b.statement_date DESC, b.id DESC LIMIT ${limit + 1}`,
    counted: IS_OPEN,
    order: sql.raw('picked.statement_date DESC, picked.id DESC'),
  })

export const countOfReconciliations = (ctx: SignedIn, filter: ReconciliationFilter) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM reconciliations b WHERE ${matches(ctx, filter)}`,
  )

/** The last finished session of an account, by SQL of its id. */
export const lastOf = (accountId: SQL, column: SQL): SQL =>
  sql`(SELECT ${column} FROM reconciliations l WHERE l.account_id = ${accountId} AND l.state = 'finished'
    ORDER BY l.statement_date DESC, l.finished_at DESC, l.id DESC LIMIT 1)`

/** An account to reconcile, with its sessions. */
export interface AccountToReconcile {
  id: string
  ownerId: string
  currency: string
  status: 'open' | 'closed'
  rank: number
  lockedThrough: string | null
  /** The id of the open session. */
  openId: string | null
  /** The id of the last finished session. */
  lastId: string | null
  lastDate: string | null
  lastClosingMinor: number | null
}

const selectAccounts = (ctx: SignedIn, isWanted: SQL) => {
  const account = sql.raw('accounts.id')
  return db.all<AccountToReconcile>(sql`SELECT accounts.id, accounts.owner_id AS ownerId, accounts.currency, accounts.status,
      ${accessLevel(viewerOf(ctx))} AS rank, accounts.locked_through AS lockedThrough,
      (SELECT o.id FROM reconciliations o WHERE o.account_id = accounts.id AND o.state = 'open') AS openId,
      ${lastOf(account, sql.raw('l.id'))} AS lastId, ${lastOf(account, sql.raw('l.statement_date'))} AS lastDate,
      ${lastOf(account, sql.raw('l.closing_minor'))} AS lastClosingMinor
    FROM accounts WHERE ${isWanted} AND ${accountIsSeenBy(viewerOf(ctx))}`)
}

/** Finds those of the accounts that the caller sees. */
export const accountsToReconcile = (ctx: SignedIn, accountIds: string[]) =>
  selectAccounts(ctx, sql`accounts.id IN ${among(accountIds)}`)

/** The account of a session. */
export const accountOfReconciliation = (ctx: SignedIn, id: string) =>
  selectAccounts(
    ctx,
    sql`accounts.id = (SELECT s.account_id FROM reconciliations s WHERE s.id = ${id})`,
  )

/** Changes an open session, whoever else ticks rows of it meanwhile. */
export const updateOpen = (
  ctx: Context,
  session: Pick<ReconciliationRow, 'id' | 'ownerId' | 'version'>,
  changed: Partial<ReconciliationRow>,
): Statement[] => [
  ...mustKeepVersion(ctx, reconciliations, session),
  db
    .update(reconciliations)
    .set({ ...changed, version: sql`${reconciliations.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(reconciliations.id, session.id),
        eq(reconciliations.ownerId, session.ownerId),
        eq(reconciliations.state, 'open'),
      ),
    ),
  requireChangedOne(reconciliationErrors.notOpen),
]

const isUnchanged = ({
  id,
  ownerId,
  version,
}: Pick<ReconciliationRow, 'id' | 'ownerId' | 'version'>) =>
  and(
    eq(reconciliations.id, id),
    eq(reconciliations.ownerId, ownerId),
    eq(reconciliations.version, version),
  )

/** Changes a session as it was read. */
export const updateAsRead = (
  ctx: Context,
  session: Pick<ReconciliationRow, 'id' | 'ownerId' | 'version'>,
  changed: Partial<ReconciliationRow>,
): Statement[] => [
  db
    .update(reconciliations)
    .set({ ...changed, version: sql`${reconciliations.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(session)),
  requireChangedOne(changedMeanwhile),
]

/** Removes a session with its ticks, as it was read. */
export const deleteReconciliation = (
  session: Pick<ReconciliationRow, 'id' | 'ownerId' | 'version'>,
): Statement[] => [
  db.delete(reconciliations).where(isUnchanged(session)),
  requireChangedOne(changedMeanwhile),
]

/** Rows of sessions that are compared with the books, the latest statements first. */
const MOST_COMPARED = sql.raw('20000')
const MOST_SHOWN = sql.raw('500')

/**
 * SQL that is true if the caller sees the texts of a row: on the account, and in the own trash. The other side of a part
 * has none.
 */
const showsTexts = ({ caller }: SignedIn): SQL => {
  const isOwn = caller.tokenHash === null ? ownedBy(caller, 'c.owner_id') : sql.raw('FALSE')
  return sql`kept.line <= 2 AND (e.line IS NOT NULL OR c.deleted_at IS NOT NULL AND ${isOwn})`
}

/**
 * Reads the current state of the rows of a finished session. For an open session, reads all rows of finished sessions of
 * its account that were changed since the last one was finished.
 */
export function driftOf(ctx: SignedIn, id: string) {
  const isShown = showsTexts(ctx)
  return db.all<DriftRow>(sql`WITH picked AS MATERIALIZED (SELECT s.id, s.account_id, s.state,
        iif(s.state = 'open', (SELECT max(f.finished_at) FROM reconciliations f
          WHERE f.account_id = s.account_id AND f.state = 'finished'), 0) AS since
      FROM reconciliations s WHERE s.id = ${id} AND s.account_id IN (${visibleAccountIds(ctx)})),
    kept AS MATERIALIZED (SELECT k.transaction_id, k.line, k.amount_minor, k.date, picked.account_id, picked.since
      FROM picked CROSS JOIN reconciliations z ON z.account_id = picked.account_id AND z.state = 'finished'
          AND (z.id = picked.id OR picked.state = 'open')
        CROSS JOIN reconciliation_rows k ON k.reconciliation_id = z.id
      ORDER BY z.statement_date DESC, z.finished_at DESC LIMIT ${MOST_COMPARED})
    SELECT kept.transaction_id AS transactionId, kept.line, kept.amount_minor AS amountMinor, kept.date,
      e.amount_minor AS nowAmountMinor, e.date AS nowDate, e.status AS nowStatus, iif(kept.line > 2, 'transfer', c.kind) AS kind,
      iif(${isShown}, c.description, NULL) AS description, iif(${isShown}, c.payee_raw, NULL) AS payeeRaw,
      iif(${isShown}, (SELECT y.payee_id FROM transaction_payees y
        WHERE y.transaction_id = c.id AND y.line = 0), NULL) AS payeeId,
      c.deleted_at IS NOT NULL AS isInTrash, max(c.updated_at, ifnull(c.deleted_at, 0)) AS at,
      (SELECT l.actor_id FROM log_entries l WHERE l.resource_id = ${addressOfRow('kept')} ORDER BY l.number DESC LIMIT 1) AS actorId
    FROM kept CROSS JOIN transactions c ON c.id = kept.transaction_id
      LEFT JOIN entries e ON e.transaction_id = kept.transaction_id AND e.line = kept.line
        AND e.account_id = kept.account_id AND e.side = 'account'
    WHERE (e.line IS NULL OR e.amount_minor <> kept.amount_minor OR e.date <> kept.date OR e.status <> 'reconciled')
      AND max(c.updated_at, ifnull(c.deleted_at, 0)) >= kept.since
      AND NOT ${isPrivateToOthers(ctx, sql.raw('kept.transaction_id'))}
    ORDER BY kept.date, kept.transaction_id, kept.line LIMIT ${MOST_SHOWN}`)
}
