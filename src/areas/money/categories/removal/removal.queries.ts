import { type SQL, sql } from 'drizzle-orm'
import { categories } from '../../../../../drizzle/schema/categories.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import {
  changedMeanwhile,
  conflicting,
  type Refusal,
} from '../../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { asOneChange } from '../../../../ledger/ledger.public.ts'
import type { LabelledLine } from '../../../../ledger/labels/labels.public.ts'
import { restoreLines } from './budget-lines.queries.ts'
import { requireRoom, settleTree, type CategoryRow } from '../categories.queries.ts'
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

/** Counts the lines with the category in locked periods. Those can get another category, because no sum of a kind changes. */
export const lockedLinesOf = ({ caller }: SignedIn, id: string) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM entries e
    JOIN accounts locked ON locked.id = e.account_id AND e.date <= locked.locked_through
    WHERE e.category_id = ${id} AND ${ownedBy(caller, 'e.owner_id')}`)

type CategoryAsRead = Pick<CategoryRow, 'id' | 'version'>

/** Deletes a category that nothing hangs on; what does stops it by its foreign key. */
export const deleteCategoryRow = (
  { caller }: SignedIn,
  { id, version }: CategoryAsRead,
): Statement[] => [
  db.run(sql`DELETE FROM categories
    WHERE id = ${id} AND ${ownedBy(caller, 'owner_id')} AND version = ${version}`),
  requireChangedOne(changedMeanwhile),
]

/** The usage of a category that moves to another one. */
export interface Belongings {
  lines: LabelledLine[]
  childIds: string[]
  payeeIds: string[]
  /** Lines of budgets that count the other category for it. */
  takers: string[]
}

/** Makes a category the usual one of payees, of which there may be thousands. */
const changeUsual = (
  { caller, now }: SignedIn,
  id: string,
  payeeIds: string[],
  isMeant: SQL,
): Statement[] =>
  payeeIds.length === 0
    ? []
    : asOneChange(caller.userId, [
        db.run(sql`UPDATE payees SET default_category_id = ${id}, version = version + 1, updated_at = ${now}
          WHERE ${isMeant} AND ${ownedBy(caller, '+owner_id')}`),
      ])

/** Hands everything of one category over to another, and deletes it; `moved` are the statements that move its lines. */
export const absorb = (
  ctx: SignedIn,
  from: CategoryAsRead,
  to: CategoryAsRead,
  { childIds, payeeIds, moved }: Omit<Belongings, 'lines' | 'takers'> & { moved: Statement[] },
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
  ...changeUsual(ctx, to.id, payeeIds, sql`default_category_id = ${from.id}`),
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
  { row, into, childIds, payeeIds, takers }: CategoryImage,
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
    ...changeUsual(
      ctx,
      id,
      payeeIds,
      sql`id IN ${among(payeeIds)} AND default_category_id = ${into}`,
    ),
    ...(into === null ? [] : restoreLines(ctx, { id, into, takers })),
    requireRoom(ctx, tooMany),
    ...settleTree(ctx, misshapen),
  ]
}
