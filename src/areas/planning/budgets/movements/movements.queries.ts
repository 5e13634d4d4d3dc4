import { type SQL, sql } from 'drizzle-orm'
import { budgetMovements } from '../../../../../drizzle/schema/budgets.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../../platform/database/wide-sums.ts'
import {
  sharedWithMeIds,
  viewerOf,
  visibleAccountIds,
} from '../../../identity/access/access.public.ts'
import type { StoredMovement } from '../amounts/changes.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'

export interface MovementFilter {
  period?: string | undefined
  lineId?: string | undefined
  kind?: StoredMovement['kind'] | undefined
}

/**
 * True unless a movement is of a payment line that the caller, whom a person shares the budget with, does not see.
 */
const isOfSeenLines = (ctx: SignedIn, m = 'budget_movements'): SQL => sql`NOT (
  ${sql.raw(m)}.budget_id IN (${sharedWithMeIds(viewerOf(ctx), 'budget_id')})
  AND EXISTS (SELECT 1 FROM budget_lines l WHERE l.id IN (${sql.raw(m)}.from_line_id, ${sql.raw(m)}.to_line_id)
    AND l.account_id NOT IN (${visibleAccountIds(ctx)})))`

const matches = (
  ctx: SignedIn,
  budgetId: string,
  { period, lineId, kind }: MovementFilter,
): SQL => {
  const conditions = [
    sql`${budgetMovements.budgetId} = ${budgetId}`,
    isOfSeenLines(ctx),
    ...(period === undefined ? [] : [sql`${budgetMovements.period} = ${period}`]),
    ...(kind === undefined ? [] : [sql`${budgetMovements.kind} = ${kind}`]),
    ...(lineId === undefined
      ? []
      : [
          sql`(${budgetMovements.fromLineId} = ${lineId} OR ${budgetMovements.toLineId} = ${lineId})`,
        ]),
  ]
  return sql.join(conditions, sql` AND `)
}

/** Newest first; one row more than the page. */
export const pageOfMovements = (
  ctx: SignedIn,
  budgetId: string,
  filter: MovementFilter,
  { after, limit }: PageRequest,
): Statement<StoredMovement[]> =>
  db
    .select()
    .from(budgetMovements)
    .where(
      after === undefined
        ? matches(ctx, budgetId, filter)
        : sql`${matches(ctx, budgetId, filter)} AND ${budgetMovements.id} < ${after[0]}`,
    )
    .orderBy(sql`${budgetMovements.id} DESC`)
    .limit(limit + 1)

export const countOfMovements = (
  ctx: SignedIn,
  budgetId: string,
  filter: MovementFilter,
): Statement<{ count: number }[]> =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(budgetMovements)
    .where(matches(ctx, budgetId, filter))

/** SQL of the amount that later movements of the period, except one, assigned to the target line of the movement `m`. */
const toSince = (except: string): SQL =>
  sql`(SELECT ${wideSum(MOVED_TO)} FROM budget_movements n
    WHERE n.budget_id = m.budget_id AND n.period = m.period AND n.id > m.id AND n.id <> ${except}
      AND (n.to_line_id = m.to_line_id OR n.from_line_id = m.to_line_id))`

const MOVED_TO = sql`iif(n.to_line_id = m.to_line_id, n.amount_minor, 0 - n.amount_minor)`

/** A movement, with how much more the line that it went to was assigned in the period since. */
export type MovementSince = StoredMovement & { toSince: WideSum }

/** The period of a movement, for a statement that cannot wait for the movement to be read. */
export const periodOfMovement = (id: string): SQL =>
  sql`(SELECT moved.period FROM budget_movements moved WHERE moved.id = ${id})`

export const movementById = (
  ctx: SignedIn,
  budgetId: string,
  id: string,
): Statement<MovementSince[]> =>
  db.all(sql`SELECT m.id, m.budget_id AS budgetId, m.period, m.from_line_id AS fromLineId, m.to_line_id AS toLineId,
      m.amount_minor AS amountMinor, m.kind, m.note, m.actor_id AS actorId, m.created_at AS createdAt,
      m.undone_by AS undoneBy, ${toSince('')} AS toSince
    FROM budget_movements m WHERE m.budget_id = ${budgetId} AND m.id = ${id} AND ${isOfSeenLines(ctx, 'm')}`)

/**
 * Marks a movement as undone by one that is stored before. Refuses one that is undone already, and one whose line was
 * assigned another amount since the movement was read: what it was checked against is read before the figures.
 */
export const setUndone = (
  { id, budgetId, toSince: seen }: MovementSince,
  undoneBy: string,
): Statement[] => [
  db.run(sql`UPDATE budget_movements SET undone_by = ${undoneBy}
    WHERE id = ${id} AND budget_id = ${budgetId} AND undone_by IS NULL`),
  requireChangedOne(() => budgetErrors.nothingToUndo({ why: 'The movement is undone already' })),
  refuseIf(
    sql`(SELECT ${toSince(undoneBy)} FROM budget_movements m WHERE m.id = ${id}) <> ${seen}`,
    () => budgetErrors.changedMeanwhile(),
  ),
]
