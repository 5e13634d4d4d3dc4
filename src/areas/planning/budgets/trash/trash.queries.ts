import type { StoredBudget } from '../budgets.rules.ts'
import { and, type SQL, sql } from 'drizzle-orm'
import {
  budgetAlerts,
  budgetAmounts,
  budgetCheckpointAccounts,
  budgetCheckpoints,
  budgetClosings,
  budgetLineChanges,
  budgetLines,
  budgetLineScopes,
  budgetMovements,
  budgetPeriods,
  budgets,
  budgetTemplates,
  budgetWatch,
} from '../../../../../drizzle/schema/budgets.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  dueRowsAfter,
  type OwnedRows,
  ownRows,
  trashPage,
  type TrashScope,
  type TrashShelf,
  isNotRestored,
} from '../../../../platform/owned-data/owned-data.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { isForAllInside, ownedBy, viewerOf } from '../../../identity/access/access.public.ts'
import { ownGroupIds } from '../../../identity/memberships/memberships.public.ts'
import { selectBudgets } from '../budgets.queries.ts'

/** A budget as it was read. */
type BudgetAsRead = Pick<StoredBudget, 'id' | 'ownerId' | 'version'>

/** The budget as it was read: of its owner, or, without one, of a group. */
const isAsRead = ({ id, ownerId, version }: BudgetAsRead): SQL =>
  sql`id = ${id} AND owner_id IS ${ownerId} AND version = ${version}`

/** Puts a budget in the trash. Refuses when it was changed since it was read. */
export const trashBudget = (ctx: SignedIn, budget: BudgetAsRead, changed: Refusal): Statement[] => [
  db.run(sql`UPDATE budgets SET deleted_at = ${ctx.now}, version = version + 1, updated_at = ${ctx.now}
    WHERE ${isAsRead(budget)} AND deleted_at IS NULL`),
  requireChangedOne(changed),
]

/** Takes a budget out of the trash. Refuses unless it is there as it was read. */
export const restoreBudget = (
  ctx: SignedIn,
  budget: BudgetAsRead,
  changed: Refusal,
): Statement[] => [
  db.run(sql`UPDATE budgets SET deleted_at = NULL, version = version + 1, updated_at = ${ctx.now}
    WHERE ${isAsRead(budget)} AND deleted_at IS NOT NULL`),
  requireChangedOne(changed),
]

/** Erases a budget in the trash. Refuses unless it is there as it was read. */

/** The tables that refer to a budget, in the order in which they can be erased. */
const CONTENTS = [
  budgetAlerts.budgetId,
  budgetAmounts.budgetId,
  budgetCheckpointAccounts.budgetId,
  budgetCheckpoints.budgetId,
  budgetClosings.budgetId,
  budgetLineChanges.budgetId,
  budgetLineScopes.budgetId,
  budgetMovements.budgetId,
  budgetPeriods.budgetId,
  budgetTemplates.budgetId,
  budgetLines.budgetId,
  budgetWatch.id,
]

/** A budget goes with all that was decided about it. */
const BUDGETS_PER_STEP = 10

/** Erases those of these budgets that meet a condition, which says whose they are. */
const eraseBudgets = (ids: string[], isWhose: SQL): Statement[] => {
  const those = sql`(SELECT id FROM budgets WHERE id IN ${among(ids)} AND ${isWhose})`
  return [
    ...CONTENTS.map((column) => db.delete(column.table).where(sql`${column} IN ${those}`)),
    db.run(sql`DELETE FROM budgets WHERE id IN ${those}`),
  ]
}

/** Erases a budget in the trash. Refuses unless it is there as it was read. */
export const eraseTrashedBudget = (budget: BudgetAsRead, changed: Refusal): Statement[] => [
  ...eraseBudgets([budget.id], sql`${isAsRead(budget)} AND deleted_at IS NOT NULL`),
  requireChangedOne(changed),
]

export const ownBudgets: OwnedRows = ownRows('budgets', budgets, {
  limit: BUDGETS_PER_STEP,
  erase: (ids, { ownerId }) => eraseBudgets(ids, sql`owner_id = ${ownerId}`),
  wipedWith: ['budgets'],
})

/** Finds the budgets of groups that are erased with their last member. */
export const budgetsOfLastMember: OwnedRows = {
  name: 'groupBudgets',
  find: ({ ownerId }) =>
    db.all(sql`SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id
      WHERE m.user_id = ${ownerId} AND NOT EXISTS (SELECT 1 FROM group_members other
        WHERE other.group_id = m.group_id AND other.user_id <> m.user_id)
      LIMIT ${BUDGETS_PER_STEP}`),
  erase: (ids, { ownerId }) =>
    eraseBudgets(
      ids,
      sql`group_id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ${ownerId})`,
    ),
}

/** A group's budget is in the trash of the owner of the group. */
const isTrashed = (ctx: SignedIn): SQL =>
  sql`budgets.deleted_at IS NOT NULL AND (${and(ownedBy(ctx.caller, budgets.ownerId), isForAllInside(viewerOf(ctx)))}
    OR budgets.group_id IN (${ownGroupIds(ctx, 'owner')}))`

export const trashedBudgetById = (ctx: SignedIn, id: string) =>
  selectBudgets(ctx).where(sql`${budgets.id} = ${id} AND ${isTrashed(ctx)}`)

/** Tells whether the time of a budget in the trash has come. */
const isDue = ({ ownerId, before }: TrashScope): SQL =>
  sql`deleted_at IS NOT NULL AND deleted_at <= ${before} ${
    ownerId === undefined
      ? sql`AND ${isNotRestored(budgets.ownerId)}`
      : sql`AND (owner_id = ${ownerId} OR group_id IN (SELECT m.group_id FROM group_members m
          WHERE m.user_id = ${ownerId} AND m.role = 'owner'))`
  }`

export const trashedBudgets: TrashShelf = {
  kinds: ['budget'],
  page: (ctx, _, request) =>
    db.all(sql`SELECT 'budget' AS kind, budgets.id, budgets.name, budgets.deleted_at AS deletedAt, NULL AS accountId,
        NULL AS date, NULL AS amountMinor, NULL AS currency, NULL AS transactionCount, budgets.version
      FROM budgets WHERE ${isTrashed(ctx)} ${trashPage(sql`budgets`, request)}`),
  count: (ctx) => sql`(SELECT count(*) FROM budgets WHERE ${isTrashed(ctx)})`,
  due: {
    name: 'rows',
    atOnce: BUDGETS_PER_STEP,
    find: (scope, after) =>
      db.all(
        sql`SELECT id, deleted_at AS deletedAt FROM budgets
          WHERE ${isDue(scope)} ${dueRowsAfter(after, BUDGETS_PER_STEP)}`,
      ),
    erase: (ids, scope) => eraseBudgets(ids, isDue(scope)),
  },
}
