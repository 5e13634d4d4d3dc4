import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import {
  isNotPrivateTo,
  visibleAccountIds,
  visibleOwnerIds,
  ownAccountIds,
} from '../../identity/access/access.public.ts'
import { legsOf } from '../../../ledger/ledger.public.ts'
import { categoriesWithBelow } from '../../../ledger/search/search.public.ts'

export interface TransferFilter {
  accountId?: string | undefined
  categoryId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A leg in an account that the caller does not see hides the transfer; the other leg stays in its register. */
function matching(ctx: SignedIn, { accountId, categoryId, from, to }: TransferFilter): SQL {
  const conditions = [
    sql`t.kind = 'transfer' AND t.deleted_at IS NULL AND ${isNotPrivateTo(ctx)}`,
    sql`NOT EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id
      AND e.account_id NOT IN (${visibleAccountIds(ctx)}))`,
    ...(from === undefined ? [] : [sql`t.date >= ${from}`]),
    ...(to === undefined ? [] : [sql`t.date <= ${to}`]),
    ...(accountId === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id AND e.account_id = ${accountId})`,
        ]),
    ...(categoryId === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id
            AND +e.category_id IN (${categoriesWithBelow([categoryId])}))`,
        ]),
  ]
  return sql.join(conditions, sql` AND `)
}

/** Both legs of one transfer more than the page, newest first. A position is `[date, id]`. */
export const pageOfTransfers = (ctx: SignedIn, filter: TransferFilter, page: PageRequest) =>
  legsOf(
    ctx,
    // The transfers of one owner stand in the order of their days.
    sql`SELECT p.id FROM (${visibleOwnerIds(ctx)}) owner CROSS JOIN transactions p ON p.id IN (
          SELECT t.id FROM transactions t WHERE t.owner_id = owner.id AND ${matching(ctx, filter)}
            ${page.after ? sql`AND (t.date, t.id) < (${page.after[0]}, ${page.after[1]})` : sql``}
            ORDER BY t.date DESC, t.id DESC LIMIT ${page.limit + 1})
      ORDER BY p.date DESC, p.id DESC LIMIT ${page.limit + 1}`,
  )

export const countOfTransfers = (ctx: SignedIn, filter: TransferFilter) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM transactions t
      WHERE t.owner_id IN (${visibleOwnerIds(ctx)}) AND ${matching(ctx, filter)}`,
  )

export const transferById = (ctx: SignedIn, id: string) => legsOf(ctx, sql`SELECT ${id}`)

/** The caller's own accounts, closed ones too, as texts may name them. */
export const namesOfAccounts = (ctx: SignedIn): Statement<{ id: string; name: string }[]> =>
  db.all(sql`SELECT id, name FROM accounts WHERE id IN (${ownAccountIds(ctx)})`)
