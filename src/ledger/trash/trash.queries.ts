import { type SQL, sql } from 'drizzle-orm'
import { transactions, trashedRows } from '../../../drizzle/schema/ledger.ts'
import { unbalanced } from '../../domain/ledger.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import { requireChanged, requireChangedOne, refuseIf } from '../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../platform/database/statements.ts'
import {
  keptAccountIds,
  ownedBy,
  isUnrestricted,
} from '../../areas/identity/access/access.public.ts'
import { SNAPSHOT_PREFIXES, type SnapshotKind, type TrashKind } from '../../domain/owned-data.ts'
import { dueRows, trashPage, type TrashShelf } from '../../platform/owned-data/owned-data.ts'
import { columnsFrom, type LedgerRow } from '../rows/rows.queries.ts'
import {
  deactivateEntries,
  isLineOf,
  mustBalanceWhere,
  type OwnedTransaction,
  reactivateEntries,
} from '../books/lines.queries.ts'

/** A transaction as it was read. */
interface TransactionAsRead extends OwnedTransaction {
  version: number
}

const idsOf = (seen: OwnedTransaction[]) => seen.map(({ id }) => id)

/** Stamps all of these headers, each as it was read and from the one state to the other, else refuses. */
const stamp = (
  { now }: Context,
  seen: TransactionAsRead[],
  to: 'trash' | 'ledger',
  changed: Refusal,
): Statement[] => {
  const versions = JSON.stringify(seen.map(({ id, version, ownerId }) => [id, version, ownerId]))
  const [deletedAt, isFrom] =
    to === 'trash'
      ? [sql`${now}`, sql`deleted_at IS NULL`]
      : [sql`NULL`, sql`deleted_at IS NOT NULL`]
  return [
    db.run(sql`UPDATE transactions SET deleted_at = ${deletedAt}, version = version + 1, updated_at = ${now}
      FROM json_each(${versions}) seen
      WHERE transactions.id = seen.value->>0 AND version = seen.value->>1 AND owner_id = seen.value->>2 AND ${isFrom}`),
    requireChanged(seen.length, changed),
  ]
}

/** Moves transactions to the trash, with their entries; their tags, payees and links stay where they are. */
export const trashTransactions = (ctx: Context, seen: TransactionAsRead[]): Statement[] => [
  ...stamp(ctx, seen, 'trash', changedMeanwhile),
  ...deactivateEntries(seen, 'trash'),
]

/** Brings transactions back from the trash as they were; refuses unless they sum to zero per currency. */
export const restoreTransactions = (
  ctx: Context,
  seen: TransactionAsRead[],
  changed: Refusal = changedMeanwhile,
): Statement[] => [
  ...stamp(ctx, seen, 'ledger', changed),
  ...reactivateEntries(seen),
  mustBalanceWhere(sql`transaction_id IN ${among(idsOf(seen))}`),
  // A transaction without any lines would pass the check of balance, so it is refused separately.
  refuseIf(
    sql`EXISTS (SELECT 1 FROM ${among(idsOf(seen))} seen
      WHERE NOT EXISTS (SELECT 1 FROM entries WHERE transaction_id = seen.value))`,
    unbalanced,
  ),
]

/** True if a header `t` has lines only in accounts that the caller sees, or would see once they are restored. */
const isWhollyKept = (ctx: SignedIn) =>
  sql`NOT EXISTS (SELECT 1 FROM unbooked_entries o WHERE o.transaction_id = t.id
    AND o.account_id NOT IN (${keptAccountIds(ctx)}))`

/** A transaction in the trash, as its first account saw it; none of one that has a line that the caller may not see. */
export const trashedRowById = (ctx: SignedIn, id: string) => trashedRowsAmong(ctx, id)

/** The same of several, by a SELECT of their ids. */
export const trashedRowsAmong = (ctx: SignedIn, ids: SQL | string) =>
  db.all<LedgerRow>(
    sql`SELECT ${columnsFrom('unbooked_entries')}
      FROM unbooked_entries e JOIN transactions t ON t.id = e.transaction_id
      WHERE e.transaction_id IN (${ids}) AND e.line = 1 AND ${ownedBy(ctx.caller, 't.owner_id')}
        AND t.deleted_at IS NOT NULL AND ${isWhollyKept(ctx)}`,
  )

/** The accounts of transactions in the trash, of which `trashedRowsAmong` says whether the caller may see them. */
export const accountsOfTrashed = (ids: SQL | string) =>
  db.all<{ id: string; status: 'open' | 'closed'; deletedAt: number | null }>(
    sql`SELECT id, status, deleted_at AS deletedAt FROM accounts
      WHERE id IN (SELECT account_id FROM unbooked_entries WHERE transaction_id IN (${ids}))`,
  )

/** Erases a transaction in the trash for good, as it was read, else refuses. */
export const eraseTrashed = (
  { id, version, ownerId }: TransactionAsRead,
  changed: Refusal,
): Statement[] => [
  db.run(sql`DELETE FROM transactions
    WHERE id = ${id} AND owner_id = ${ownerId} AND version = ${version} AND deleted_at IS NOT NULL`),
  requireChangedOne(changed),
]

/** Erases transactions, in the trash or not, for good; what hangs on them goes by a trigger. */
export const eraseTransactions = (all: OwnedTransaction[]): Statement[] => [
  db.run(sql`DELETE FROM entries WHERE ${isLineOf(all)}`),
  db.run(sql`DELETE FROM transactions WHERE id IN ${among(idsOf(all))}
    AND owner_id IN ${among([...new Set(all.map(({ ownerId }) => ownerId))])}`),
]

/** Erases transactions of one owner for good. */
export const eraseTransactionsOf = (ids: string[], ownerId: string): Statement[] =>
  eraseTransactions(ids.map((id) => ({ id, ownerId })))

/**
 * True if a header `t` is in the caller's trash. For callers without accounts that are hidden or being erased, the
 * first conditions are enough.
 */
const isTrashed = (ctx: SignedIn, kind: TrashKind | undefined) =>
  sql`${ownedBy(ctx.caller, 't.owner_id')} AND t.deleted_at IS NOT NULL
    ${kind === undefined ? sql`` : sql`AND substr(t.id, 1, 4) = ${kind === 'transfer' ? 'trf_' : 'txn_'}`}
    AND (${isUnrestricted(ctx)} AND NOT EXISTS (SELECT 1 FROM accounts going
        WHERE ${ownedBy(ctx.caller, 'going.owner_id')} AND going.erased_at IS NOT NULL)
      OR ${isWhollyKept(ctx)})`

export const trashedTransactions: TrashShelf = {
  kinds: ['transaction', 'transfer'],
  page: (ctx, kind, request) =>
    db.all(sql`SELECT CASE t.kind WHEN 'transfer' THEN 'transfer' ELSE 'transaction' END AS kind, t.id,
        t.description AS name, t.deleted_at AS deletedAt, e.account_id AS accountId, e.date,
        e.amount_minor AS amountMinor, e.currency, NULL AS transactionCount, t.version
      FROM transactions t JOIN unbooked_entries e ON e.transaction_id = t.id AND e.line = 1
      WHERE ${isTrashed(ctx, kind)} ${trashPage(sql`t`, request)}`),
  count: (ctx, kind) => sql`(SELECT count(*) FROM transactions t WHERE ${isTrashed(ctx, kind)})`,
  due: dueRows('transactions', transactions),
}

/** Selects trashed rows that belong to no account. Only callers with access to all accounts can see them. */
export const isTrashedRow = (ctx: SignedIn, kind: TrashKind | undefined) =>
  sql`${ownedBy(ctx.caller, 'r.owner_id')} AND ${isUnrestricted(ctx)}
    ${kind === undefined ? sql`` : sql`AND r.kind = ${kind}`}`

/** Each row may be as large as one can be. */
export const trashedImages: TrashShelf = {
  kinds: Object.keys(SNAPSHOT_PREFIXES) as SnapshotKind[],
  page: (ctx, kind, request) =>
    db.all(sql`SELECT r.kind, r.id, r.name, r.deleted_at AS deletedAt, NULL AS accountId, NULL AS date,
        NULL AS amountMinor, NULL AS currency, NULL AS transactionCount, iif(json_type(r.image, '$.row.version') = 'integer', r.image ->> '$.row.version', 1) AS version
      FROM trashed_rows r WHERE ${isTrashedRow(ctx, kind)} ${trashPage(sql`r`, request)}`),
  count: (ctx, kind) => sql`(SELECT count(*) FROM trashed_rows r WHERE ${isTrashedRow(ctx, kind)})`,
  due: dueRows('rows', trashedRows),
}
