import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps, within } from '../columns.ts'
import { groups } from './groups.ts'
import { users } from './system.ts'

// The decisions of people about their budgets. No sum of booked amounts is kept here, except those that a closed
// period froze and those of checkpoints. Accounts, categories, tags and payees may belong to others, so they are
// named here by id.

const POLICIES = ['none', 'surplus', 'deficit', 'both'] as const

/** A budget of a person or of a group. */
export const budgets = sqliteTable(
  'budgets',
  {
    id: id(),
    /** Null for a budget of a group. */
    ownerId: text('owner_id').references(() => users.id),
    groupId: text('group_id').references(() => groups.id),
    createdBy: text('created_by').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    mode: text('mode', { enum: ['envelope', 'limit'] }).notNull(),
    currency: text('currency').notNull(),
    unit: text('unit', { enum: ['day', 'week', 'month', 'year'] }).notNull(),
    /** Units in a period. */
    unitCount: integer('unit_count').notNull(),
    anchor: text('anchor').notNull(),
    weekend: text('weekend', { enum: ['keep', 'before', 'after'] }).notNull(),
    /** Nominal start of the first period. */
    firstPeriod: text('first_period').notNull(),
    /** Start of the first period. */
    firstDay: text('first_day').notNull(),
    startsOn: text('starts_on').notNull(),
    timeZone: text('time_zone').notNull(),
    accounts: text('accounts', { enum: ['onBudget', 'chosen'] }).notNull(),
    /** JSON list of ids, if they are chosen. */
    accountIds: text('account_ids').notNull().default('[]'),
    /** JSON object of how cards are handled, by account. */
    cards: text('cards').notNull().default('{}'),
    strict: flag('strict').notNull(),
    countPending: flag('count_pending').notNull(),
    countTransfers: flag('count_transfers').notNull(),
    /** JSON list of categories. */
    incomeInNextPeriod: text('income_in_next_period').notNull().default('[]'),
    /** JSON list of percents. */
    thresholds: text('thresholds').notNull().default('[]'),
    note: text('note'),
    archived: flag('archived').notNull().default(false),
    order: integer('sort_order').notNull().default(0),
    color: text('color'),
    icon: text('icon'),
    ...stamps,
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    uniqueIndex('budgets_name_of_owner')
      .on(table.ownerId, table.nameKey)
      .where(sql`owner_id IS NOT NULL AND deleted_at IS NULL`),
    uniqueIndex('budgets_name_of_group')
      .on(table.groupId, table.nameKey)
      .where(sql`group_id IS NOT NULL AND deleted_at IS NULL`),
    index('budgets_of_owner').on(table.ownerId, table.id),
    index('budgets_of_group').on(table.groupId, table.id),
    index('budgets_to_purge')
      .on(table.deletedAt, table.id)
      .where(sql`deleted_at IS NOT NULL`),
    check('budget_one_owner', sql`(owner_id IS NULL) + (group_id IS NULL) = 1`),
  ],
)

const budgetId = () =>
  text('budget_id')
    .notNull()
    .references(() => budgets.id)

/** An envelope or a limit. */
export const budgetLines = sqliteTable(
  'budget_lines',
  {
    id: id(),
    budgetId: budgetId(),
    kind: text('kind', { enum: ['line', 'cardPayment'] }).notNull(),
    /** The card of a payment line. */
    accountId: text('account_id'),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    scopeKind: text('scope_kind', {
      enum: ['category', 'tag', 'payee', 'account', 'everything'],
    }).notNull(),
    parentLineId: text('parent_line_id'),
    /** JSON list of percents; null for those of the budget. */
    thresholds: text('thresholds'),
    /** JSON. */
    target: text('target'),
    note: text('note'),
    order: integer('sort_order').notNull().default(0),
    color: text('color'),
    icon: text('icon'),
    /** Nominal start of the first period without the line. */
    archivedFrom: text('archived_from'),
    /** The line that has what this one had when it was archived; null for the pool. */
    archivedInto: text('archived_into'),
    ...stamps,
  },
  (table) => [
    uniqueIndex('budget_lines_name')
      .on(table.budgetId, table.nameKey)
      .where(sql`archived_from IS NULL`),
    index('budget_lines_of_budget').on(table.budgetId, table.order, table.id),
    // Targets by averages: figures begin so many periods earlier.
    index('budget_lines_by_averages')
      .on(table.budgetId, sql`${table.target} ->> 'periods'`)
      .where(sql`target ->> 'periods' IS NOT NULL`),
    uniqueIndex('budget_lines_of_card')
      .on(table.budgetId, table.accountId)
      .where(sql`account_id IS NOT NULL`),
    check('budget_line_card', sql`(kind = 'cardPayment') = (account_id IS NOT NULL)`),
  ],
)

/** The things that a line counts: ids of the kind of its scope, from one period to another. */
export const budgetLineScopes = sqliteTable(
  'budget_line_scopes',
  {
    lineId: text('line_id')
      .notNull()
      .references(() => budgetLines.id),
    targetId: text('target_id').notNull(),
    /** Nominal start of the first period in which it counts; empty for all. */
    fromPeriod: text('from_period').notNull().default(''),
    /** Nominal start of the first period in which it counts no more. */
    untilPeriod: text('until_period'),
    budgetId: budgetId(),
    /** True if no other line of the budget may name it. */
    exclusive: flag('exclusive').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.targetId, table.fromPeriod] }),
    uniqueIndex('budget_line_scopes_once')
      .on(table.budgetId, table.targetId)
      .where(sql`exclusive = 1 AND until_period IS NULL`),
    index('budget_line_scopes_of_target').on(table.targetId),
    index('budget_line_scopes_of_budget').on(table.budgetId),
  ],
)

/** The settings of a line from a period on. With an empty line they are the defaults of the budget. */
export const budgetLineChanges = sqliteTable(
  'budget_line_changes',
  {
    budgetId: budgetId(),
    lineId: text('line_id').notNull(),
    /** Nominal start; empty for the beginning. */
    fromPeriod: text('from_period').notNull(),
    /** Null for that of the budget. */
    policy: text('policy', { enum: POLICIES }),
    /** The most surplus that a limit carries. */
    capMinor: minor('cap_minor'),
    /** The amount of a limit. */
    amountMinor: minor('amount_minor'),
  },
  (table) => [
    primaryKey({ columns: [table.budgetId, table.lineId, table.fromPeriod] }),
    within('budget_line_amount_range', 'amount_minor'),
  ],
)

/** The amount that was set for a line in one period: assigned to an envelope, or the limit. */
export const budgetAmounts = sqliteTable(
  'budget_amounts',
  {
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    lineId: text('line_id')
      .notNull()
      .references(() => budgetLines.id),
    /** Null where only a note is set. */
    amountMinor: minor('amount_minor'),
    note: text('note'),
  },
  (table) => [
    primaryKey({ columns: [table.budgetId, table.period, table.lineId] }),
    index('budget_amounts_of_line').on(table.lineId, table.period),
    within('budget_amount_range', 'amount_minor'),
  ],
)

/** The decisions about a period as a whole. */
export const budgetPeriods = sqliteTable(
  'budget_periods',
  {
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    heldMinor: minor('held_minor').notNull().default(0),
    note: text('note'),
    /** Raised by every change of amounts in the period. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.budgetId, table.period] }),
    check('budget_held', sql`held_minor BETWEEN 0 AND 9007199254740991`),
  ],
)

/** The frozen figures of a closed period. */
export const budgetClosings = sqliteTable(
  'budget_closings',
  {
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    /** JSON of its figures and of what it carries. */
    image: text('image').notNull(),
    closedBy: text('closed_by').notNull(),
    closedAt: instant('closed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.budgetId, table.period] })],
)

/** Money that was given to a line or moved between lines; null is the pool. */
export const budgetMovements = sqliteTable(
  'budget_movements',
  {
    id: id(),
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    fromLineId: text('from_line_id'),
    toLineId: text('to_line_id'),
    amountMinor: minor('amount_minor').notNull(),
    kind: text('kind', { enum: ['assign', 'move', 'cover', 'auto', 'template', 'undo'] }).notNull(),
    note: text('note'),
    actorId: text('actor_id').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The movement that undid this one. */
    undoneBy: text('undone_by'),
  },
  (table) => [
    index('budget_movements_of_budget').on(table.budgetId, table.id),
    index('budget_movements_of_period').on(table.budgetId, table.period, table.id),
    check('budget_movement_amount', sql`amount_minor BETWEEN 1 AND 9007199254740991`),
    check('budget_movement_ends', sql`from_line_id IS NOT to_line_id`),
  ],
)

/** A list of amounts by line, to be used again. */
export const budgetTemplates = sqliteTable(
  'budget_templates',
  {
    id: id(),
    budgetId: budgetId(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** JSON list of lines with their amounts. */
    items: text('items').notNull(),
    ...stamps,
  },
  (table) => [uniqueIndex('budget_templates_name').on(table.budgetId, table.nameKey)],
)

/** The result of all periods up to one, so that a read need not begin with the first one. Triggers delete what is not true any more. */
export const budgetCheckpoints = sqliteTable(
  'budget_checkpoints',
  {
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    periodEnd: text('period_end').notNull(),
    /** The accounts that it was made from: id, currency and whether it is a credit card, in order of the ids. */
    accounts: text('accounts').notNull(),
    /** True if any of them has another currency than the budget, so that rates matter. */
    converted: flag('converted').notNull(),
    /** JSON of what the period carries. */
    image: text('image').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.budgetId, table.period] }),
    index('budget_checkpoints_converted')
      .on(table.periodEnd)
      .where(sql`converted = 1`),
  ],
)

/** The accounts that the checkpoints of a budget were made from. */
export const budgetCheckpointAccounts = sqliteTable(
  'budget_checkpoint_accounts',
  {
    accountId: text('account_id').notNull(),
    budgetId: budgetId(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.budgetId] }),
    index('budget_checkpoint_accounts_of_budget').on(table.budgetId),
  ],
)

/** A threshold of a line that was reached in a period: its key makes sure that it is notified once. */
export const budgetAlerts = sqliteTable(
  'budget_alerts',
  {
    budgetId: budgetId(),
    /** Nominal start. */
    period: text('period').notNull(),
    lineId: text('line_id')
      .notNull()
      .references(() => budgetLines.id),
    /** Whole percent; 0 for overspent. */
    threshold: integer('threshold').notNull(),
    totalMinor: minor('total_minor').notNull(),
    spentMinor: minor('spent_minor').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.budgetId, table.period, table.lineId, table.threshold] }),
    index('budget_alerts_of_line').on(table.lineId),
    index('budget_alerts_by_time').on(
      ...[table.budgetId, table.createdAt, table.period, table.lineId, table.threshold],
    ),
  ],
)

/** Budgets whose thresholds have to be looked at, and what such budgets follow from; triggers mark them. */
export const budgetWatch = sqliteTable(
  'budget_watch',
  {
    /**
     * The id of a budget, an account, a person or a group. `rates after ` stands for rates of the system, with the
     * last budget that was marked for them.
     */
    id: id(),
    /** The number of times it was marked. A new mark during a check requires another check. */
    marks: integer('marks').notNull().default(1),
    /** From when it is looked at: at once, or when the next period has begun. */
    dueAt: instant('due_at').notNull().default(0),
  },
  (table) => [index('budget_watch_due').on(table.dueAt)],
)
