import { sql } from 'drizzle-orm'
import { categories } from '../../../../../drizzle/schema/categories.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/premises.ts'
import { changedMeanwhile, conflicting, type Refusal } from '../../../../platform/refusals.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import type { LabelledLine } from '../../../../ledger/labels/labels.public.ts'
import { type CategoryRow, requireRoom, settleTree } from '../categories.queries.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'

export const childrenOf = (ctx: SignedIn, id: string) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM categories WHERE ${ownedBy(ctx.caller, 'owner_id')} AND parent_id = ${id}`,
  )

/** Payees whose usual category it is. */
export const payeesOf = ({ caller }: SignedIn, id: string) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM payees WHERE ${ownedBy(caller, 'owner_id')} AND default_category_id = ${id}`,
  )

/** How many lines with the category are in locked periods: those can have another one, as no sum of a kind changes. */
export const lockedLinesOf = ({ caller }: SignedIn, id: string) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM entries e
    JOIN accounts locked ON locked.id = e.account_id AND e.date <= locked.locked_through
    WHERE e.category_id = ${id} AND ${ownedBy(caller, 'e.owner_id')}`)

type Seen = Pick<CategoryRow, 'id' | 'version'>

/** Deletes a category that nothing hangs on; what does stops it by its foreign key. */
export const deleteCategoryRow = ({ caller }: SignedIn, { id, version }: Seen): Statement[] => [
  db.run(sql`DELETE FROM categories
    WHERE id = ${id} AND ${ownedBy(caller, 'owner_id')} AND version = ${version}`),
  requireChangedOne(changedMeanwhile),
]

/**
 * Has the lines of budgets that count a category count another one instead. Where a line of the budget, or of a limit budget the
 * line itself, counts that one already in some of the same periods, it alone goes on counting it: the line itself in the periods of both.
 */
export const followInBudgets = (
  { caller, now }: SignedIn,
  { from, to }: { from: string; to: string },
): Statement[] => [
  db.run(sql`UPDATE budget_lines SET version = version + 1, updated_at = ${now}
    WHERE id IN (SELECT line_id FROM budget_line_scopes WHERE target_id = ${from})`),
  db.run(sql`UPDATE budget_line_scopes SET from_period = gone.from_period FROM budget_line_scopes gone
    WHERE budget_line_scopes.target_id = ${to} AND budget_line_scopes.exclusive = 0
      AND gone.target_id = ${from} AND gone.line_id = budget_line_scopes.line_id
      AND gone.from_period < budget_line_scopes.from_period
      AND budget_line_scopes.until_period IS gone.until_period`),
  db.run(sql`UPDATE OR IGNORE budget_line_scopes SET target_id = ${to}
    WHERE target_id = ${from} AND NOT EXISTS (SELECT 1 FROM budget_line_scopes other
      WHERE other.target_id = ${to} AND other.budget_id = budget_line_scopes.budget_id
        AND (budget_line_scopes.exclusive = 1 OR other.line_id = budget_line_scopes.line_id)
        AND other.from_period < ifnull(budget_line_scopes.until_period, '~')
        AND budget_line_scopes.from_period < ifnull(other.until_period, '~'))`),
  db.run(sql`DELETE FROM budget_line_scopes WHERE target_id = ${from}`),
  // The budgets that can name income categories of the caller.
  db.run(sql`UPDATE budgets SET income_in_next_period = (SELECT json_group_array(DISTINCT
        iif(named.value = ${from}, ${to}, named.value)) FROM json_each(budgets.income_in_next_period) named),
      version = version + 1, updated_at = ${now}
    WHERE id IN (SELECT b.id FROM budgets b WHERE ${ownedBy(caller, 'b.owner_id')}
        UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = ${caller.userId}
        UNION SELECT b.id FROM accounts a JOIN account_receivers r ON r.account_id = a.id
          JOIN budgets b ON b.owner_id = r.user_id WHERE ${ownedBy(caller, 'a.owner_id')})
      AND EXISTS (SELECT 1 FROM json_each(budgets.income_in_next_period) named WHERE named.value = ${from})`),
]

/** The usage of a category that moves to another one. */
export interface Belongings {
  lines: LabelledLine[]
  childIds: string[]
  payeeIds: string[]
}

/** Hands everything of one category over to another, and deletes it; `moved` are the statements that move its lines. */
export const absorb = (
  ctx: SignedIn,
  from: Seen,
  to: Seen,
  { childIds, payeeIds, moved }: Omit<Belongings, 'lines'> & { moved: Statement[] },
): Statement[] => [
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM categories WHERE id = ${to.id} AND version = ${to.version})`,
    changedMeanwhile,
  ),
  refuseIf(
    sql`(SELECT json_group_array(id ORDER BY id) FROM categories WHERE parent_id = ${from.id})
      <> ${JSON.stringify(childIds.toSorted())}
      OR (SELECT json_group_array(id ORDER BY id) FROM payees WHERE default_category_id = ${from.id})
      <> ${JSON.stringify(payeeIds.toSorted())}`,
    conflicting,
  ),
  ...moved,
  db.run(sql`UPDATE categories SET parent_id = ${to.id}, version = version + 1, updated_at = ${ctx.now}
    WHERE parent_id = ${from.id} AND ${ownedBy(ctx.caller, '+owner_id')}`),
  db.run(sql`UPDATE payees SET default_category_id = ${to.id}, version = version + 1,
    updated_at = ${ctx.now} WHERE default_category_id = ${from.id}
      AND ${ownedBy(ctx.caller, '+owner_id')}`),
  ...deleteCategoryRow(ctx, from),
  ...settleTree(ctx),
]

/** A category as it was when it was deleted, with what went over to another one. */
export interface CategoryImage extends Omit<Belongings, 'lines'> {
  row: CategoryRow
  into: string | null
}

/**
 * Stores it again, with what stood below it and is where it was put then; at the top when what it stood under is
 * gone. Refuses when there are too many, and when the tree may not look like this.
 */
export const restoreCategory = (
  ctx: SignedIn,
  { row, into, childIds, payeeIds }: CategoryImage,
  { tooMany, misshapen }: { tooMany: Refusal; misshapen: Refusal },
): Statement[] => {
  const { id } = row
  const isOwn = ownedBy(ctx.caller, 'owner_id')
  return [
    db.insert(categories).values({
      ...row,
      ownerId: ctx.caller.userId,
      parentId: sql`(SELECT id FROM categories
        WHERE id = ${row.parentId} AND ${isOwn} AND kind = ${row.kind})`,
      version: row.version + 1,
      updatedAt: ctx.now,
    }),
    db.run(sql`UPDATE categories SET parent_id = ${id}, version = version + 1, updated_at = ${ctx.now}
      WHERE id IN ${among(childIds)} AND parent_id = ${into} AND ${isOwn}`),
    db.run(sql`UPDATE payees SET default_category_id = ${id}, version = version + 1, updated_at = ${ctx.now}
      WHERE id IN ${among(payeeIds)} AND default_category_id = ${into} AND ${isOwn}`),
    requireRoom(ctx, tooMany),
    ...settleTree(ctx, misshapen),
  ]
}
