import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import type { Context } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { isInside } from '../../../identity/access/access.public.ts'
import { type PackedRate, ratesOf } from '../../../money/exchange-rates/exchange-rates.public.ts'
import type {
  CategoryRow,
  ChangeRow,
  DecisionRow,
  InsideRow,
  LabelledFlow,
  ScopeRow,
} from './figures.rules.ts'

/** Shares that ended by then are none. */
type Moment = Pick<Context, 'now'>

/** The periods that figures are asked of. */
export interface Span {
  /** Any day of the first one, or of one before it. */
  from: CalendarDate | SQL
  /** Any day of the last one. */
  to: CalendarDate
}

/** Nominal starts move by two days at most, and the day in UTC is off by one from that of the budget. */
export const MARGIN_DAYS = sql.raw('4')

/** Days of a period of a budget `b`, or some more. */
export const DAYS_OF_PERIOD =
  sql.raw(`(b.unit_count * CASE b.unit WHEN 'day' THEN 1 WHEN 'week' THEN 7
  WHEN 'month' THEN 31 ELSE 366 END)`)

/** A day of the period that is so many periods before that of a day, or of one before it. */
export const dayOfPeriodBefore = (day: CalendarDate, periods: number): SQL =>
  sql`date(${day}, '-' || (${periods} * ${DAYS_OF_PERIOD}) || ' days')`

/** Whether the periods of a budget `b` are whole months. */
const IS_WHOLE_MONTHS = sql.raw(
  `b.unit IN ('month', 'year') AND b.weekend = 'keep' AND substr(b.anchor, 9) = '01'`,
)

/** The accounts that a checkpoint was made from, as text: those in `inside`. */
export const ACCOUNTS_OF_CHECKPOINT =
  sql.raw(`(SELECT ifnull(group_concat(made_from, ','), '') FROM (
  SELECT id || ' ' || currency || ' ' || (type = 'creditCard') AS made_from FROM inside ORDER BY id))`)

/** The budget `b` and the accounts `inside`, as tables of a statement's WITH. */
export const budgetWithAccounts = (ctx: Moment, budgetId: string): SQL => sql`
  b AS MATERIALIZED (SELECT * FROM budgets WHERE id = ${budgetId}),
  inside AS MATERIALIZED (SELECT accounts.id, accounts.name, accounts.type, accounts.currency, accounts.owner_id,
      b.currency <> accounts.currency AS is_foreign
    FROM b CROSS JOIN accounts ON ${isInside(ctx.now, 'b')})`

/**
 * The tables that all statements of figures begin with: the budget `b`, the accounts `inside`, the checkpoint `newest`
 * before the span that was made from these accounts, and in `since` the day after it, or with which the first period begins.
 * Targets by averages look at some periods before the span.
 */
export const figureTables = (ctx: Moment, budgetId: string, { from, to }: Span): SQL => sql`
  ${budgetWithAccounts(ctx, budgetId)},
  newest AS MATERIALIZED (SELECT k.period, k.period_end, k.image FROM b CROSS JOIN budget_checkpoints k ON k.budget_id = b.id
    WHERE k.period_end < date(${from}, '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD} * (SELECT ifnull(max(l.target ->> 'periods'), 0)
        FROM budget_lines l WHERE l.budget_id = b.id AND l.target ->> 'periods' IS NOT NULL)) || ' days')
      AND k.accounts = ${ACCOUNTS_OF_CHECKPOINT}
    ORDER BY k.period DESC LIMIT 1),
  since AS MATERIALIZED (SELECT ifnull((SELECT date(period_end, '+1 day') FROM newest), b.first_day) AS day,
    ifnull((SELECT period FROM newest), '') AS after_period,
    CASE b.mode WHEN 'limit' THEN date(max(${to}, b.first_day), '+' || (${DAYS_OF_PERIOD} + ${MARGIN_DAYS}) || ' days') ELSE '9999' END AS through
    FROM b)`

/** Budgets of limits have no use for what accounts hold, and checkpoints know it. */
export const accountsOf = (ctx: Moment, id: string, span: Span): Statement<InsideRow[]> =>
  db.all(sql`WITH ${figureTables(ctx, id, span)},
      days AS (SELECT day, substr(day, 1, 7) AS month FROM since)
    SELECT i.id, i.name, i.type, i.currency, i.owner_id AS ownerId,
      CASE WHEN b.mode = 'limit' OR EXISTS (SELECT 1 FROM newest) THEN 0 ELSE ifnull((
        SELECT sum(f.amount_minor - iif(b.count_pending, 0, f.pending_minor)) FROM days CROSS JOIN flow_periods f
        WHERE f.account_id = i.id AND f.grain = 'month' AND f.period < days.month), 0) + ifnull((
        SELECT sum(f.amount_minor - iif(b.count_pending, 0, f.pending_minor)) FROM days CROSS JOIN flow_periods f
        WHERE f.account_id = i.id AND f.grain = 'day' AND f.period >= days.month || '-01' AND f.period < days.day), 0)
      END AS beforeMinor
    FROM b, inside i ORDER BY i.id`)

/** What the accounts moved since the checkpoint: by month where periods are whole months and nothing is converted, else by day. */
export const flowsOf = (ctx: Moment, id: string, span: Span): Statement<Flow[]> =>
  db.all<Flow>(sql`WITH ${figureTables(ctx, id, span)},
      wanted AS MATERIALIZED (SELECT i.id, iif(${IS_WHOLE_MONTHS} AND NOT i.is_foreign, 'month', 'day') AS grain,
        since.day, since.through FROM b, inside i, since)
    SELECT f.account_id AS accountId, iif(f.grain = 'month', f.period || '-01', f.period) AS day, f.flow,
      f.category_id AS categoryId, f.counter_account_id AS counterAccountId,
      f.amount_minor AS amountMinor, f.pending_minor AS pendingMinor
    FROM wanted w CROSS JOIN flow_periods f ON f.account_id = w.id AND f.grain = w.grain
      AND f.period >= iif(w.grain = 'month', substr(w.day, 1, 7), w.day) AND f.period <= w.through`)

/** What the accounts moved on each day from the one of the span on. */
export const flowsFrom = (
  ctx: Moment,
  id: string,
  span: Span & { from: CalendarDate },
): Statement<Flow[]> =>
  db.all<Flow>(sql`WITH ${figureTables(ctx, id, span)}
    SELECT f.account_id AS accountId, f.period AS day, f.flow, f.category_id AS categoryId,
      f.counter_account_id AS counterAccountId, f.amount_minor AS amountMinor, f.pending_minor AS pendingMinor
    FROM since CROSS JOIN inside i CROSS JOIN flow_periods f ON f.account_id = i.id AND f.grain = 'day'
      AND f.period >= ${span.from} AND f.period <= since.through`)

/** What an entry `e` of a transaction counts as, as its line in `flow_periods` does. */
export const flowColumns = sql.raw(`e.account_id AS accountId, e.date AS day,
  iif(e.flow_minor IS NULL, e.side, 'transfer') AS flow, ifnull(e.category_id, '') AS categoryId,
  ifnull(e.counter_account_id, '') AS counterAccountId, ifnull(e.flow_minor, 0 - e.amount_minor) AS amountMinor,
  iif(e.status = 'pending', ifnull(e.flow_minor, 0 - e.amount_minor), 0) AS pendingMinor`)

/** Whether a transaction `t` is one that not everybody who sees the budget `b` may see. */
export const IS_HIDDEN = sql.raw(`(t.private = 1
  AND (b.group_id IS NOT NULL OR (t.owner_id <> b.owner_id AND t.created_by <> b.owner_id)))`)

/** The part of the flows that not everybody who sees the budget may see: private transactions of others. */
export const hiddenFlowsOf = (ctx: Moment, id: string, span: Span): Statement<Flow[]> =>
  db.all<Flow>(sql`WITH ${figureTables(ctx, id, span)}
    SELECT ${flowColumns}
    FROM since CROSS JOIN b CROSS JOIN inside i
      CROSS JOIN transactions t ON t.owner_id = i.owner_id AND t.private = 1 AND ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = t.id AND e.account_id = i.id
    WHERE (e.side IN ('expense', 'income', 'opening', 'adjustment') OR e.flow_minor IS NOT NULL)
      AND e.status <> 'void' AND e.date >= since.day AND e.date <= since.through`)

/** Whether an entry has a tag as a whole, or as the part that it is a side of. */
export const hasTagOf = (entry: string, label: string): SQL =>
  sql.raw(
    `(${label}.line = 0 OR ${entry}.line = ${label}.line OR ${entry}.side = 'exchange' AND ${entry}.pair = ${label}.line)`,
  )

/** Whether an entry has a payee; a part that is a transfer has none. */
export const hasPayeeOf = (entry: string, label: string): SQL =>
  sql.raw(`(${label}.line = 0 OR ${entry}.line = ${label}.line) AND ${entry}.side <> 'exchange'`)

/** What has a label that a line by tag or payee names or named, each entry once for each label of a line. */
export const labelledFlowsOf = (ctx: Moment, id: string, span: Span): Statement<LabelledFlow[]> => {
  const labelled = (kind: 'tag' | 'payee') => {
    const [table, column] =
      kind === 'tag'
        ? [sql.raw('transaction_tags'), sql.raw('tag_id')]
        : [sql.raw('transaction_payees'), sql.raw('payee_id')]
    return sql`SELECT labels.id AS line_id, s.target_id, labels.scope_kind AS kind, x.transaction_id, x.line FROM labels
      JOIN budget_line_scopes s ON s.line_id = labels.id CROSS JOIN ${table} x ON x.${column} = s.target_id
      WHERE labels.scope_kind = ${kind}`
  }
  return db.all(sql`WITH ${figureTables(ctx, id, span)},
      labels AS MATERIALIZED (SELECT id, scope_kind FROM budget_lines
        WHERE budget_id = ${id} AND scope_kind IN ('tag', 'payee')),
      labelled AS (${labelled('tag')} UNION ${labelled('payee')})
    SELECT DISTINCT hit.line_id AS lineId, hit.target_id AS targetId, e.transaction_id AS transactionId, e.line, ${flowColumns},
      ${IS_HIDDEN} AS isHidden
    FROM labelled hit CROSS JOIN since CROSS JOIN b CROSS JOIN transactions t ON t.id = hit.transaction_id
      CROSS JOIN entries e ON e.transaction_id = t.id
        AND iif(hit.kind = 'tag', ${hasTagOf('e', 'hit')}, ${hasPayeeOf('e', 'hit')})
      CROSS JOIN inside i ON i.id = e.account_id
    WHERE (e.side = 'expense' OR e.flow_minor IS NOT NULL)
      AND e.status <> 'void' AND e.date >= since.day AND e.date <= since.through`)
}

/** The categories that are below others or excluded: of all whose accounts are inside, and of all whose categories lines name. */
export const categoriesOf = (ctx: Moment, id: string, span: Span): Statement<CategoryRow[]> =>
  db.all<CategoryRow>(sql`WITH ${figureTables(ctx, id, span)}
    SELECT x.id, x.parent_id AS parentId, x.exclude_from_budget AS isExcluded FROM categories x
    WHERE x.owner_id IN (SELECT owner_id FROM inside UNION SELECT c.owner_id
        FROM budget_line_scopes s CROSS JOIN categories c ON c.id = s.target_id WHERE s.budget_id = ${id})
      AND (x.parent_id IS NOT NULL OR x.exclude_from_budget = 1)`)

export const scopesOf = (id: string): Statement<ScopeRow[]> =>
  db.all<ScopeRow>(sql`SELECT line_id AS lineId, target_id AS targetId, from_period AS fromPeriod,
      until_period AS untilPeriod
    FROM budget_line_scopes WHERE budget_id = ${id} ORDER BY line_id, target_id`)

export const changesOf = (id: string): Statement<ChangeRow[]> =>
  db.all<ChangeRow>(sql`SELECT line_id AS lineId, from_period AS fromPeriod, policy, cap_minor AS capMinor,
      amount_minor AS amountMinor
    FROM budget_line_changes WHERE budget_id = ${id} ORDER BY from_period`)

/** The checkpoint, and what was decided in the periods after it and in all later ones. */
export const decisionsOf = (ctx: Moment, id: string, span: Span): Statement<DecisionRow[]> =>
  db.all(sql`WITH ${figureTables(ctx, id, span)}
    SELECT 'checkpoint' AS kind, period, '' AS lineId, 0 AS minor, NULL AS note, 0 AS version, image FROM newest
    UNION ALL SELECT 'amount', a.period, a.line_id, a.amount_minor, a.note, 0, ''
    FROM since CROSS JOIN budget_amounts a WHERE a.budget_id = ${id} AND a.period > since.after_period
    UNION ALL SELECT 'period', p.period, '', p.held_minor, p.note, p.version, ''
    FROM since CROSS JOIN budget_periods p WHERE p.budget_id = ${id} AND p.period > since.after_period
    UNION ALL SELECT 'closing', k.period, '', 0, NULL, 0, k.image
    FROM since CROSS JOIN budget_closings k WHERE k.budget_id = ${id} AND k.period > since.after_period`)

/** The rates since the checkpoint: those of the budget's owner, or of the owner of its group, and of the system. */
export const ratesFor = (ctx: Moment, id: string, span: Span): Statement<PackedRate[]> =>
  db.all<PackedRate>(
    ratesOf(
      {
        holds: sql`r.owner_id = (SELECT ifnull(b.owner_id, (SELECT o.user_id FROM group_members o
          WHERE o.group_id = b.group_id AND o.role = 'owner')) FROM b)`,
        base: sql`SELECT ifnull((SELECT g.base_currency FROM groups g WHERE g.id = b.group_id),
          (SELECT u.base_currency FROM users u WHERE u.id = b.owner_id)) AS code FROM b`,
      },
      {
        first: sql`(SELECT date(day, '-1 day') FROM since)`,
        last: sql`'9999'`,
        interval: 'day',
      },
      sql`SELECT currency FROM inside WHERE is_foreign`,
      sql`SELECT currency FROM b`,
      figureTables(ctx, id, span),
    ),
  )
