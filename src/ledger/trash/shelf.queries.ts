import { sql } from 'drizzle-orm'
import { transactions, trashedRows } from '../../../drizzle/schema/ledger.ts'
import type { TrashKind } from '../../domain/owned-data.ts'
import type { SignedIn } from '../../platform/context.ts'
import { dueRows, trashPage, type TrashShelf } from '../../platform/owned-data/owned-data.ts'
import { db } from '../../platform/database/statements.ts'
import { isUnrestricted, ownedBy } from '../../areas/identity/access/access.public.ts'
import { isWhollyKept } from './trash.queries.ts'

/** Whether a header `t` is in the caller's trash. Who has no account that is hidden or going need not look further. */
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
  kinds: trashedRows.kind.enumValues,
  page: (ctx, kind, request) =>
    db.all(sql`SELECT r.kind, r.id, r.name, r.deleted_at AS deletedAt, NULL AS accountId, NULL AS date,
        NULL AS amountMinor, NULL AS currency, NULL AS transactionCount, iif(json_type(r.image, '$.row.version') = 'integer', r.image ->> '$.row.version', 1) AS version
      FROM trashed_rows r WHERE ${isTrashedRow(ctx, kind)} ${trashPage(sql`r`, request)}`),
  count: (ctx, kind) => sql`(SELECT count(*) FROM trashed_rows r WHERE ${isTrashedRow(ctx, kind)})`,
  due: dueRows('rows', trashedRows),
}
