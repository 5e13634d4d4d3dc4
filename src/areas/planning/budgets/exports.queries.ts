import { type SQL, sql } from 'drizzle-orm'
import type { CarryPolicy } from '../../../domain/budgets/policies.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement, upToBytes } from '../../../platform/database/statements.ts'

/** The budgets of somebody, and of the groups that they own. */
const ownBudgets = (userId: string): SQL => sql`(SELECT b.id, b.currency FROM budgets b
  WHERE b.deleted_at IS NULL AND (b.owner_id = ${userId} OR b.group_id IN (
    SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId} AND m.role = 'owner')))`

/** Finds rows `x` of a table of these budgets `b`, in the order of a key: one more than the page, which ends early where `long` is. */
const pageOf =
  <Row>(table: string, columns: string, key: readonly string[], long = 'budgetId') =>
  (userId: string, { after, limit }: PageRequest): Statement<Row[]> => {
    const order = sql.raw(key.map((column) => `x.${column}`).join(', '))
    const follows = after
      ? sql`WHERE (${order}) > (${sql.join(
          after.map((value) => sql`${value}`),
          sql`, `,
        )})`
      : sql``
    return db.all<Row>(
      upToBytes(
        sql`SELECT b.currency, x.budget_id AS budgetId, ${sql.raw(columns)}
          FROM ${ownBudgets(userId)} b JOIN ${sql.raw(table)} x ON x.budget_id = b.id
          ${follows} ORDER BY ${order} LIMIT ${limit + 1}`,
        sql.raw(`octet_length(${long})`),
      ),
    )
  }

interface OfBudget {
  budgetId: string
  currency: string
}

export interface LineChangeRow extends OfBudget {
  /** Empty for the default of the budget. */
  lineId: string
  fromPeriod: string
  policy: CarryPolicy | null
  capMinor: number | null
  amountMinor: number | null
}

export const pageOfLineChanges = pageOf<LineChangeRow>(
  'budget_line_changes',
  `x.line_id AS lineId, x.from_period AS fromPeriod, x.policy, x.cap_minor AS capMinor, x.amount_minor AS amountMinor`,
  ['budget_id', 'line_id', 'from_period'],
)

export interface AmountRow extends OfBudget {
  period: string
  lineId: string
  amountMinor: number | null
  note: string | null
}

export const pageOfAmounts = pageOf<AmountRow>(
  'budget_amounts',
  `x.period, x.line_id AS lineId, x.amount_minor AS amountMinor, x.note`,
  ['budget_id', 'period', 'line_id'],
)

export interface PeriodRow extends OfBudget {
  period: string
  heldMinor: number
  note: string | null
}

export const pageOfPeriods = pageOf<PeriodRow>(
  'budget_periods',
  `x.period, x.held_minor AS heldMinor, x.note`,
  ['budget_id', 'period'],
)

export interface MovementRow extends OfBudget {
  id: string
  period: string
  fromLineId: string | null
  toLineId: string | null
  amountMinor: number
  kind: string
  note: string | null
  actorId: string
  createdAt: number
  undoneBy: string | null
}

export const exportedMovements = pageOf<MovementRow>(
  'budget_movements',
  `x.id, x.period, x.from_line_id AS fromLineId, x.to_line_id AS toLineId, x.amount_minor AS amountMinor, x.kind, x.note,
    x.actor_id AS actorId, x.created_at AS createdAt, x.undone_by AS undoneBy`,
  ['budget_id', 'id'],
)

export interface ClosingRow extends OfBudget {
  period: string
  /** JSON. */
  image: string
  closedBy: string
  closedAt: number
}

export const pageOfClosings = pageOf<ClosingRow>(
  'budget_closings',
  `x.period, x.image, x.closed_by AS closedBy, x.closed_at AS closedAt`,
  ['budget_id', 'period'],
  'image',
)

export interface TemplateRow extends OfBudget {
  id: string
  name: string
  /** JSON. */
  items: string
  createdAt: number
  updatedAt: number
}

export const exportedTemplates = pageOf<TemplateRow>(
  'budget_templates',
  `x.id, x.name, x.items, x.created_at AS createdAt, x.updated_at AS updatedAt`,
  ['budget_id', 'id'],
  'items',
)
