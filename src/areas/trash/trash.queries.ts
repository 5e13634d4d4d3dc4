import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../drizzle/schema/accounts.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { db, nothing, type Statement } from '../../platform/statements.ts'
import { isUnrestricted, keptAccountIds } from '../access/access.public.ts'
import { isWhollyKept } from '../../ledger/trash/trash.public.ts'
import { type RowKind, ROW_KINDS, type TrashItem, type TrashKind } from './trash.rules.ts'

export interface TrashFilter {
  kind?: TrashKind | undefined
}

/** A position is `[deletedAt, id]`. */
const page = (column: SQL, { after, limit }: PageRequest) =>
  sql`${
    after === undefined
      ? sql``
      : sql`AND (${column}.deleted_at, ${column}.id) < (CAST(${after[0]} AS INTEGER), ${after[1]})`
  } ORDER BY ${column}.deleted_at DESC, ${column}.id DESC LIMIT ${limit + 1}`

const wants = ({ kind }: TrashFilter, ...kinds: TrashKind[]) =>
  kind === undefined || kinds.includes(kind)

/** Whether a header `t` is in the caller's trash. Who has no account that is hidden or going need not look further. */
const isTrashed = (ctx: SignedIn, { kind }: TrashFilter) =>
  sql`t.owner_id = ${ctx.caller.userId} AND t.deleted_at IS NOT NULL
    ${kind === undefined ? sql`` : sql`AND substr(t.id, 1, 4) = ${kind === 'transfer' ? 'trf_' : 'txn_'}`}
    AND (${isUnrestricted(ctx)} AND NOT EXISTS (SELECT 1 FROM accounts going
        WHERE going.owner_id = ${ctx.caller.userId} AND going.erased_at IS NOT NULL)
      OR ${isWhollyKept(ctx)})`

export const trashedTransactions = (
  ctx: SignedIn,
  filter: TrashFilter,
  request: PageRequest,
): Statement<TrashItem[]> =>
  wants(filter, 'transaction', 'transfer')
    ? db.all(
        sql`SELECT CASE t.kind WHEN 'transfer' THEN 'transfer' ELSE 'transaction' END AS kind, t.id,
            t.description AS name, t.deleted_at AS deletedAt, e.account_id AS accountId, e.date,
            e.amount_minor AS amountMinor, e.currency, NULL AS transactionCount, t.version
          FROM transactions t JOIN trashed_entries e ON e.transaction_id = t.id AND e.line = 1
          WHERE ${isTrashed(ctx, filter)} ${page(sql`t`, request)}`,
      )
    : nothing()

export const countOfTrashedTransactions = (
  ctx: SignedIn,
  filter: TrashFilter,
): Statement<{ count: number }[]> =>
  wants(filter, 'transaction', 'transfer')
    ? db.all(sql`SELECT count(*) AS count FROM transactions t WHERE ${isTrashed(ctx, filter)}`)
    : nothing()

const isTrashedAccount = (ctx: SignedIn) =>
  sql`a.deleted_at IS NOT NULL AND a.id IN (${keptAccountIds(ctx)})`

export const trashedAccounts = (
  ctx: SignedIn,
  filter: TrashFilter,
  request: PageRequest,
): Statement<TrashItem[]> =>
  wants(filter, 'account')
    ? db.all(
        sql`SELECT 'account' AS kind, a.id, a.name, a.deleted_at AS deletedAt, a.id AS accountId, NULL AS date,
            b.balance_minor AS amountMinor, a.currency, b.transaction_count AS transactionCount, a.version
          FROM accounts a JOIN account_balances b ON b.account_id = a.id
          WHERE ${isTrashedAccount(ctx)} ${page(sql`a`, request)}`,
      )
    : nothing()

export const trashedAccountById = (ctx: SignedIn, id: string) =>
  db.select().from(accounts).where(sql`${accounts.id} = ${id} AND ${accounts.deletedAt} IS NOT NULL
      AND ${accounts.id} IN (${keptAccountIds(ctx)})`)

export const countOfTrashedAccounts = (
  ctx: SignedIn,
  filter: TrashFilter,
): Statement<{ count: number }[]> =>
  wants(filter, 'account')
    ? db.all(sql`SELECT count(*) AS count FROM accounts a WHERE ${isTrashedAccount(ctx)}`)
    : nothing()

/** What is no account's is only for who sees all accounts. */
const isTrashedRow = (ctx: SignedIn, { kind }: TrashFilter) =>
  sql`r.owner_id = ${ctx.caller.userId} AND ${isUnrestricted(ctx)}
    ${kind === undefined ? sql`` : sql`AND r.kind = ${kind}`}`

export const trashedRows = (
  ctx: SignedIn,
  filter: TrashFilter,
  request: PageRequest,
): Statement<TrashItem[]> =>
  wants(filter, ...ROW_KINDS)
    ? db.all(
        sql`SELECT r.kind, r.id, r.name, r.deleted_at AS deletedAt, NULL AS accountId, NULL AS date,
            NULL AS amountMinor, NULL AS currency, NULL AS transactionCount, r.image ->> '$.row.version' AS version
          FROM trashed_rows r WHERE ${isTrashedRow(ctx, filter)} ${page(sql`r`, request)}`,
      )
    : nothing()

export const countOfTrashedRows = (
  ctx: SignedIn,
  filter: TrashFilter,
): Statement<{ count: number }[]> =>
  wants(filter, ...ROW_KINDS)
    ? db.all(sql`SELECT count(*) AS count FROM trashed_rows r WHERE ${isTrashedRow(ctx, filter)}`)
    : nothing()

export const trashedRowOf = (ctx: SignedIn, kind: RowKind, id: string) =>
  db.all<{ image: string }>(
    sql`SELECT r.image FROM trashed_rows r WHERE r.id = ${id} AND ${isTrashedRow(ctx, { kind })}`,
  )
