import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
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
} from '../../../../drizzle/schema/budgets.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'
import { toInstant } from '../../../domain/calendar.ts'
import { formatMoney } from '../../../domain/money.ts'
import { type Content, listed, stored } from '../../../platform/owned-data/exports.ts'
import { owns } from '../../identity/access/access.public.ts'
import { presentBudget } from './budgets.contract.ts'
import { MOST as MOST_BUDGETS } from './budgets.queries.ts'
import { listBudgets, readRestoredBudgets } from './budgets.usecases.ts'
import { presentLine } from './lines/lines.contract.ts'
import { LEVELS, MOST_BUDGET_LINES } from './lines/lines.rules.ts'
import { listBudgetLines } from './lines/lines.usecases.ts'
import {
  pageOfAmounts,
  pageOfClosings,
  pageOfLineChanges,
  exportedMovements,
  pageOfPeriods,
  exportedTemplates,
} from './exports.queries.ts'
import * as checks from './stored.contract.ts'
import { MOST_TEMPLATES } from './templates/templates.queries.ts'
import { budgetsOfLastMember, ownBudgets, trashedBudgets } from './trash/trash.queries.ts'
import { trashedBudget } from './trash/trash.usecases.ts'

/** Pages of the caller's budgets, and of those of the groups that the caller owns. */
const ownBudgetPages = listed(
  'budgets',
  async (owner, page) => {
    const { rows, next } = await listBudgets(owner, {}, page)
    const own = rows.filter(({ ownerId, groupOwnerId }) =>
      owns(owner.caller, { ownerId: ownerId ?? groupOwnerId }),
    )
    return { rows: own.map((budget) => presentBudget(budget, owner)), next }
  },
  (budget) => budget,
)

const lines: Content = {
  name: 'budgetLines',
  async *pages(owner, noted) {
    for await (const page of ownBudgetPages.pages(owner, noted)) {
      for (const { id } of page as { id: string }[]) {
        const found = await listBudgetLines(owner, id, undefined)
        yield found.lines.map((line) => ({
          budgetId: id,
          ...presentLine({ line, currency: found.currency }),
        }))
      }
    }
  },
}

/** An amount as text; null where there is none. */
const money = (minor: number | null, currency: string): string | null =>
  minor === null ? null : formatMoney(minor, currency)

/** The lists of budgets in a backup. Figures of closed periods are in minor units, as they are stored. */
const budgetExports: Content[] = [
  ownBudgetPages,
  lines,
  stored(
    'budgetLineChanges',
    pageOfLineChanges,
    ({ lineId, capMinor, amountMinor, ...row }) => ({
      ...row,
      lineId: lineId === '' ? null : lineId,
      cap: money(capMinor, row.currency),
      amount: money(amountMinor, row.currency),
    }),
    ({ budgetId, lineId, fromPeriod }) => [budgetId, lineId, fromPeriod],
  ),
  stored(
    'budgetAmounts',
    pageOfAmounts,
    ({ amountMinor, ...row }) => ({ ...row, amount: money(amountMinor, row.currency) }),
    ({ budgetId, period, lineId }) => [budgetId, period, lineId],
  ),
  stored(
    'budgetPeriods',
    pageOfPeriods,
    ({ heldMinor, ...row }) => ({ ...row, held: money(heldMinor, row.currency) }),
    ({ budgetId, period }) => [budgetId, period],
  ),
  stored(
    'budgetMovements',
    exportedMovements,
    ({ amountMinor, createdAt, ...row }) => ({
      ...row,
      amount: money(amountMinor, row.currency),
      at: toInstant(createdAt),
    }),
    ({ budgetId, id }) => [budgetId, id],
  ),
  stored(
    'budgetClosings',
    pageOfClosings,
    ({ image, closedAt, ...row }) => ({
      ...row,
      // The rest of the image names accounts that may not be shared any more.
      figures: (JSON.parse(image) as { figures: object }).figures,
      closedAt: toInstant(closedAt),
    }),
    ({ budgetId, period }) => [budgetId, period],
  ),
  stored(
    'budgetTemplates',
    exportedTemplates,
    ({ items, createdAt, updatedAt, ...row }) => ({
      ...row,
      items: (JSON.parse(items) as { lineId: string; amountMinor: number }[]).map(
        ({ lineId, amountMinor }) => ({ lineId, amount: money(amountMinor, row.currency) }),
      ),
      createdAt: toInstant(createdAt),
      updatedAt: toInstant(updatedAt),
    }),
    ({ budgetId, id }) => [budgetId, id],
  ),
]

/** Budgets of persons, also of the trash. Those of groups stay with the group. */
const archivedBudgets: ArchivedTable = {
  table: budgets,
  prefixes: ['bud'],
  owner: [budgets.ownerId],
  order: [budgets.id],
  leftOut: [budgets.groupId],
  users: [budgets.createdBy],
  json: checks.budgetJson,
  holds: checks.budgetColumns,
  most: [{ rows: MOST_BUDGETS.ofOwner, counts: (row) => row['deleted_at'] === null }],
  merge: { same: [budgets.nameKey], sameWhere: sql`${budgets.deletedAt} IS NULL` },
}

/** Rows of one kind: those of the most lines for each day of some years. A statement that sorts them is still quick. */
const MOST_OF_BUDGET = 200_000

const ofBudget = (
  table: SQLiteTable,
  column: SQLiteColumn,
  more: Omit<ArchivedTable, 'table' | 'of'>,
): ArchivedTable => ({
  ...{ table, of: { column, parent: archivedBudgets } },
  ...more,
  most: [{ rows: MOST_OF_BUDGET, per: [column] }, ...(more.most ?? [])],
})

const archivedLines = ofBudget(budgetLines, budgetLines.budgetId, {
  prefixes: ['bln'],
  order: [budgetLines.id],
  json: checks.lineJson,
  holds: checks.budgetLineColumns,
  most: [{ rows: MOST_BUDGET_LINES, per: [budgetLines.budgetId] }],
  trees: [budgetLines.parentLineId, budgetLines.archivedInto],
  levels: LEVELS,
})

const archived: ArchivedTable[] = [
  archivedBudgets,
  archivedLines,
  ofBudget(budgetLineScopes, budgetLineScopes.budgetId, {
    order: [budgetLineScopes.lineId, budgetLineScopes.targetId, budgetLineScopes.fromPeriod],
  }),
  ofBudget(budgetLineChanges, budgetLineChanges.budgetId, {
    order: [budgetLineChanges.lineId, budgetLineChanges.fromPeriod],
    holds: checks.changeColumns,
  }),
  ofBudget(budgetAmounts, budgetAmounts.budgetId, {
    order: [budgetAmounts.period, budgetAmounts.lineId],
    holds: checks.amountColumns,
  }),
  ofBudget(budgetPeriods, budgetPeriods.budgetId, {
    order: [budgetPeriods.period],
    holds: checks.periodColumns,
  }),
  ofBudget(budgetClosings, budgetClosings.budgetId, {
    order: [budgetClosings.period],
    users: [budgetClosings.closedBy],
    json: { image: checks.closing },
  }),
  ofBudget(budgetMovements, budgetMovements.budgetId, {
    prefixes: ['bmv'],
    order: [budgetMovements.id],
    holds: checks.movementColumns,
    users: [budgetMovements.actorId],
  }),
  ofBudget(budgetTemplates, budgetTemplates.budgetId, {
    prefixes: ['btp'],
    order: [budgetTemplates.id],
    holds: checks.templateColumns,
    json: { items: checks.templateItems },
    most: [{ rows: MOST_TEMPLATES, per: [budgetTemplates.budgetId] }],
  }),
  ofBudget(budgetAlerts, budgetAlerts.budgetId, {
    order: [budgetAlerts.period, budgetAlerts.lineId, budgetAlerts.threshold],
    holds: checks.alertColumns,
  }),
]

export const budgetData: OwnedData = {
  area: 'budgets',
  tables: [
    budgets,
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
    budgetTemplates,
    budgetWatch,
  ],
  erase: [ownBudgets, budgetsOfLastMember],
  forget: forgetBy(budgetWatch.id),
  reset: {
    wipedWith: 'budgets',
    statements: (_, { ownerId }) => [db.delete(budgetWatch).where(eq(budgetWatch.id, ownerId))],
  },
  archived,
  exports: budgetExports,
  readBack: readRestoredBudgets,
  trash: { kinds: { budget: trashedBudget }, shelves: [trashedBudgets] },
}
