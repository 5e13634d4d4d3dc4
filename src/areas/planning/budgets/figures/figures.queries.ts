import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { db, prepared, type Statement } from '../../../../platform/database/statements.ts'
import { comparableSum } from '../../../../platform/database/wide-sums.ts'
import { isInside } from '../../../identity/access/access.public.ts'
import { packedItem } from '../../recurring/recurring.public.ts'
import { type PackedRate, ratesOf } from '../../../money/exchange-rates/exchange-rates.public.ts'
import type {
  BudgetCategoryRow,
  ChangeRow,
  DecisionRow,
  FlowRow,
  InBudget,
  InsideRow,
  LabelledFlow,
  ScopeRow,
} from './figures.rules.ts'

/** A value, or its placeholder in a prepared statement. */
type Bound<Value> = Value | Placeholder | SQL

/** The budgets, and the span of their periods, of which figures are calculated. */
export interface FiguresRequest {
  /** A query of rows of `budgets`. */
  budgets: SQL
  /** Shares that ended by then are none. */
  now: Bound<number>
  /** Any day of the first period, or of one before it. */
  from: Bound<CalendarDate>
  /** Any day of the last one. */
  to: Bound<CalendarDate>
  /** So many periods before the first one are asked for, too. */
  back: Bound<number>
}

/** The budget, and the span of its periods, of which figures are calculated. */
export interface AskedOfOne {
  id: string
  now: number
  from: CalendarDate
  to: CalendarDate
  back: number
}

export const askedOf = (
  { now }: { now: number },
  id: string,
  { from, to, back = 0 }: FiguresSpan,
): AskedOfOne => ({ id, now, from, to, back })

/** The periods that figures are asked of. */
export interface FiguresSpan {
  /** Any day of the first one, or of one before it. */
  from: CalendarDate
  /** Any day of the last one. */
  to: CalendarDate
  /** So many periods before the first one are asked for, too. */
  back?: number
}

/** One row of `budgets`, as a query. */
export const budgetRow = (id: Bound<string>): SQL => sql`SELECT * FROM budgets WHERE id = ${id}`

/** The placeholders of `AskedOfOne`. */
const ONE: FiguresRequest = {
  budgets: budgetRow(sql.placeholder('id')),
  now: sql.placeholder('now'),
  from: sql.placeholder('from'),
  to: sql.placeholder('to'),
  back: sql.placeholder('back'),
}

/** A query of many budgets as that of one, whose text is built only once. */
export const ofOne = <Name extends keyof FiguresRequest, Row>(
  query: (asked: Pick<FiguresRequest, Name>) => Statement<Row[]>,
): ((asked: Pick<AskedOfOne, 'id' | Exclude<Name, 'budgets'>>) => Statement<Row[]>) =>
  prepared(() => query(ONE))

/** Nominal starts move by two days at most, and the day in UTC is off by one from that of the budget. */
export const MARGIN_DAYS = sql.raw('4')

/** Days of a period of a budget `b`, or some more. */
export const DAYS_OF_PERIOD =
  sql.raw(`(b.unit_count * CASE b.unit WHEN 'day' THEN 1 WHEN 'week' THEN 7
  WHEN 'month' THEN 31 ELSE 366 END)`)

/** SQL that is true if the periods of a budget `b` are whole months. */
const IS_WHOLE_MONTHS = sql.raw(
  `b.unit IN ('month', 'year') AND b.weekend = 'keep' AND substr(b.anchor, 9) = '01'`,
)

/** The accounts that a checkpoint of a budget `b` was made from, as text: those in `inside`. */
export const ACCOUNTS_OF_CHECKPOINT =
  sql.raw(`(SELECT ifnull(group_concat(made_from, ','), '') FROM (
  SELECT id || ' ' || currency || ' ' || (type = 'creditCard') AS made_from FROM inside WHERE budget_id = b.id ORDER BY id))`)

/**
 * The budgets `b` and the accounts `inside` of each, as tables of a statement's WITH. A budget is shared if others than its owner see
 * it, or would see it once they accept.
 */
export const budgetWithAccounts = ({
  budgets,
  now,
}: Pick<FiguresRequest, 'budgets' | 'now'>): SQL => sql`
  b AS MATERIALIZED (SELECT stored.*, stored.group_id IS NOT NULL
      OR EXISTS (SELECT 1 FROM shares of_budget WHERE of_budget.budget_id = stored.id) AS is_shared FROM (${budgets}) stored),
  inside AS MATERIALIZED (SELECT b.id AS budget_id, accounts.id, accounts.name, accounts.type, accounts.currency,
      accounts.owner_id, b.currency <> accounts.currency AS is_foreign
    FROM b CROSS JOIN accounts ON ${isInside(now, 'b')})`

/**
 * SQL that is true if a budget `b` can count a row of `recurring`: its account is inside, and everybody who sees the budget
 * may see what it books.
 */
export const IS_ITEM_COUNTABLE =
  sql.raw(`((b.id, recurring.account_id) IN (SELECT budget_id, id FROM inside)
    OR recurring.account_id IS NULL AND recurring.owner_id = b.owner_id AND NOT b.is_shared)
  AND (recurring.private = 0 OR NOT b.is_shared AND b.owner_id IN (recurring.owner_id, recurring.created_by))`)

/** The items `named` that targets of lines of budgets `b` name, each also as `root`, and those that go on from them. */
const NAMED_ITEMS = sql.raw(`named AS (SELECT l.budget_id, item.value AS root, item.value AS id
    FROM b CROSS JOIN budget_lines l ON l.budget_id = b.id CROSS JOIN json_each(l.target, '$.recurringIds') item
  UNION SELECT named.budget_id, named.root, recurring.id FROM named CROSS JOIN recurring ON recurring.previous_id = named.id)`)

/** The first day of which more is known of items than their schedules say. */
export const knownSince = ({ now }: Pick<FiguresRequest, 'now'>): SQL =>
  sql`date(CAST(${now} AS INTEGER) / 1000, 'unixepoch', '-368 days')`

/**
 * The tables that all statements of figures begin with: the budgets `b`, the accounts `inside`, the checkpoint `newest`
 * before the span that was made from these accounts, and in `since` the day after it, or with which the first period begins.
 * Targets by averages look at some periods before the span.
 */
export const figureTables = (asked: FiguresRequest): SQL => sql`
  ${budgetWithAccounts(asked)},
  made AS MATERIALIZED (SELECT b.id AS budget_id, ${ACCOUNTS_OF_CHECKPOINT} AS accounts,
      date(${asked.from}, '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD} * (CAST(${asked.back} AS INTEGER)
        + (SELECT ifnull(max(l.target ->> 'periods'), 0) FROM budget_lines l
          WHERE l.budget_id = b.id AND l.target ->> 'periods' IS NOT NULL))) || ' days') AS before
    FROM b),
  newest AS MATERIALIZED (SELECT k.budget_id, k.period, k.period_end, k.image FROM made CROSS JOIN budget_checkpoints k
    ON k.budget_id = made.budget_id AND k.period = (SELECT older.period FROM budget_checkpoints older
      WHERE older.budget_id = made.budget_id AND older.period_end < made.before AND older.accounts = made.accounts
      ORDER BY older.period DESC LIMIT 1)),
  since AS MATERIALIZED (SELECT b.id AS budget_id, ifnull(date(newest.period_end, '+1 day'), b.first_day) AS day,
      ifnull(newest.period, '') AS after_period,
      CASE b.mode WHEN 'limit' THEN date(max(${asked.to}, b.first_day), '+' || (${DAYS_OF_PERIOD} + ${MARGIN_DAYS}) || ' days')
        ELSE '9999' END AS through
    FROM b LEFT JOIN newest ON newest.budget_id = b.id)`

/** Flows of an account `i` are read by month where periods are whole months and nothing is converted, else by day. */
const GRAIN = sql`iif(${IS_WHOLE_MONTHS} AND NOT i.is_foreign, 'month', 'day')`

/** Budgets of limits have no use for what accounts hold, and checkpoints know it. */
export const accountsOfBudgets = (asked: FiguresRequest): Statement<InBudget<InsideRow>[]> =>
  db.all(sql`WITH ${figureTables(asked)}
    SELECT i.id, i.name, i.type, i.currency, i.owner_id AS ownerId, ${GRAIN} AS grain, since.day AS since, since.through,
      CASE WHEN b.mode = 'limit' OR since.after_period <> '' THEN 0 ELSE ifnull((
        SELECT ${comparableSum(sql`(f.amount_minor - iif(b.count_pending, 0, f.pending_minor))`)} FROM flow_periods f
        WHERE f.account_id = i.id AND f.grain = 'month' AND f.period < substr(since.day, 1, 7)), 0) + ifnull((
        SELECT ${comparableSum(sql`(d.amount_minor - iif(b.count_pending, 0, d.pending_minor))`)} FROM flow_periods d
        WHERE d.account_id = i.id AND d.grain = 'day' AND d.period >= substr(since.day, 1, 7) || '-01'
          AND d.period < since.day), 0)
      END AS beforeMinor, i.budget_id AS budgetId
    FROM b CROSS JOIN since ON since.budget_id = b.id CROSS JOIN inside i ON i.budget_id = b.id ORDER BY i.id`)

export const accountsOfOneBudget = ofOne(accountsOfBudgets)

/**
 * Reads the flows of the accounts since the checkpoints. The flows of an account are read once, even if it is inside of
 * several budgets; its row in each budget says which flows that budget takes.
 */
export const flowsOfBudgets = (asked: FiguresRequest): Statement<FlowRow[]> =>
  db.all(sql`WITH ${figureTables(asked)},
      of_accounts AS (SELECT i.id, ${GRAIN} AS grain, since.day, since.through
        FROM b CROSS JOIN since ON since.budget_id = b.id CROSS JOIN inside i ON i.budget_id = b.id),
      wanted AS MATERIALIZED (SELECT id, grain, min(day) AS day, max(through) AS through FROM of_accounts GROUP BY id, grain)
    SELECT f.account_id AS accountId, f.grain, iif(f.grain = 'month', f.period || '-01', f.period) AS day, f.flow,
      f.category_id AS categoryId, f.counter_account_id AS counterAccountId,
      f.amount_minor AS amountMinor, f.pending_minor AS pendingMinor
    FROM wanted w CROSS JOIN flow_periods f ON f.account_id = w.id AND f.grain = w.grain
      AND f.period >= iif(w.grain = 'month', substr(w.day, 1, 7), w.day) AND f.period <= w.through`)

export const flowsOfBudget = ofOne(flowsOfBudgets)

/** Reads the daily flows of the accounts from the first day of the span on. */
export const flowsFrom = ofOne((asked: FiguresRequest) =>
  db.all<Flow>(sql`WITH ${figureTables(asked)}
    SELECT f.account_id AS accountId, f.period AS day, f.flow, f.category_id AS categoryId,
      f.counter_account_id AS counterAccountId, f.amount_minor AS amountMinor, f.pending_minor AS pendingMinor
    FROM since CROSS JOIN inside i ON i.budget_id = since.budget_id CROSS JOIN flow_periods f
      ON f.account_id = i.id AND f.grain = 'day' AND f.period >= ${asked.from} AND f.period <= since.through`),
)

/** The columns of an entry `e`, in the form of `flow_periods`. */
export const flowColumns = sql.raw(`e.account_id AS accountId, e.date AS day,
  iif(e.flow_minor IS NULL, e.side, 'transfer') AS flow, ifnull(e.category_id, '') AS categoryId,
  ifnull(e.counter_account_id, '') AS counterAccountId, ifnull(e.flow_minor, 0 - e.amount_minor) AS amountMinor,
  iif(e.status = 'pending', ifnull(e.flow_minor, 0 - e.amount_minor), 0) AS pendingMinor`)

/** SQL that is true if not everybody who sees the budget `b` may see the transaction `t`. */
export const IS_HIDDEN = sql.raw(`(t.private = 1
  AND (b.is_shared OR (t.owner_id <> b.owner_id AND t.created_by <> b.owner_id)))`)

/** The part of the flows that not everybody who sees the budget may see: private transactions of others. */
export const hiddenFlowsOfBudgets = (asked: FiguresRequest): Statement<InBudget<Flow>[]> =>
  db.all(sql`WITH ${figureTables(asked)}
    SELECT ${flowColumns}, b.id AS budgetId
    FROM b CROSS JOIN since ON since.budget_id = b.id CROSS JOIN inside i ON i.budget_id = b.id
      CROSS JOIN transactions t ON t.owner_id = i.owner_id AND t.private = 1 AND ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = t.id AND e.account_id = i.id
    WHERE (e.side IN ('expense', 'income', 'opening', 'adjustment') OR e.flow_minor IS NOT NULL)
      AND e.status <> 'void' AND e.date >= since.day AND e.date <= since.through`)

export const hiddenFlowsOf = ofOne(hiddenFlowsOfBudgets)

/** SQL that is true if the transaction of an entry, or the part to which it belongs, has a tag. */
export const hasTagOf = (entry: string, label: string): SQL =>
  sql.raw(
    `(${label}.line = 0 OR ${entry}.line = ${label}.line OR ${entry}.side = 'exchange' AND ${entry}.pair = ${label}.line)`,
  )

/** SQL that is true if an entry has a payee. A part that is a transfer has none. */
export const hasPayeeOf = (entry: string, label: string): SQL =>
  sql.raw(`(${label}.line = 0 OR ${entry}.line = ${label}.line) AND ${entry}.side <> 'exchange'`)

/** Reads the entries with a label that a line by tag or payee names or named, each entry once for each label of a line. */
export const labelledFlowsOfBudgets = (
  asked: FiguresRequest,
): Statement<InBudget<LabelledFlow>[]> => {
  const labelled = (kind: 'tag' | 'payee') => {
    const [table, column] =
      kind === 'tag'
        ? [sql.raw('transaction_tags'), sql.raw('tag_id')]
        : [sql.raw('transaction_payees'), sql.raw('payee_id')]
    return sql`SELECT labels.budget_id, labels.id AS line_id, scope.target_id, labels.scope_kind AS kind, x.transaction_id, x.line
      FROM labels JOIN budget_line_scopes scope ON scope.line_id = labels.id CROSS JOIN ${table} x ON x.${column} = scope.target_id
      WHERE labels.scope_kind = ${sql.raw(`'${kind}'`)}`
  }
  return db.all(sql`WITH ${figureTables(asked)},
      labels AS MATERIALIZED (SELECT line.budget_id, line.id, line.scope_kind FROM b CROSS JOIN budget_lines line
        ON line.budget_id = b.id AND line.scope_kind IN ('tag', 'payee')),
      labelled AS (${labelled('tag')} UNION ${labelled('payee')})
    SELECT DISTINCT hit.line_id AS lineId, hit.target_id AS targetId, e.transaction_id AS transactionId, e.line, ${flowColumns},
      ${IS_HIDDEN} AS isHidden, b.id AS budgetId
    FROM labelled hit CROSS JOIN b ON b.id = hit.budget_id CROSS JOIN since ON since.budget_id = b.id
      CROSS JOIN transactions t ON t.id = hit.transaction_id
      CROSS JOIN entries e ON e.transaction_id = t.id
        AND iif(hit.kind = 'tag', ${hasTagOf('e', 'hit')}, ${hasPayeeOf('e', 'hit')})
      CROSS JOIN inside i ON i.budget_id = b.id AND i.id = e.account_id
    WHERE (e.side = 'expense' OR e.flow_minor IS NOT NULL)
      AND e.status <> 'void' AND e.date >= since.day AND e.date <= since.through`)
}

export const labelledFlowsOf = ofOne(labelledFlowsOfBudgets)

/** The categories that are below others or excluded: of all whose accounts are inside, and of all whose categories lines name. */
export const categoriesOfBudgets = (
  asked: FiguresRequest,
): Statement<InBudget<BudgetCategoryRow>[]> =>
  db.all(sql`WITH ${budgetWithAccounts(asked)},
      owners AS MATERIALIZED (SELECT budget_id, owner_id FROM inside UNION SELECT scope.budget_id, named.owner_id
        FROM b CROSS JOIN budget_line_scopes scope ON scope.budget_id = b.id CROSS JOIN categories named ON named.id = scope.target_id)
    SELECT x.id, x.parent_id AS parentId, x.exclude_from_budget AS isExcluded, owners.budget_id AS budgetId
    FROM owners CROSS JOIN categories x ON x.owner_id = owners.owner_id
    WHERE x.parent_id IS NOT NULL OR x.exclude_from_budget = 1`)

export const categoriesOf = ofOne(categoriesOfBudgets)

export const scopesOfBudgets = ({
  budgets,
}: Pick<FiguresRequest, 'budgets'>): Statement<InBudget<ScopeRow>[]> =>
  db.all(sql`WITH b AS (${budgets})
    SELECT s.line_id AS lineId, s.target_id AS targetId, s.from_period AS fromPeriod, s.until_period AS untilPeriod,
      s.budget_id AS budgetId
    FROM b CROSS JOIN budget_line_scopes s ON s.budget_id = b.id ORDER BY s.line_id, s.target_id`)

export const scopesOf = ofOne(scopesOfBudgets)

export const changesOfBudgets = ({
  budgets,
}: Pick<FiguresRequest, 'budgets'>): Statement<InBudget<ChangeRow>[]> =>
  db.all(sql`WITH b AS (${budgets})
    SELECT c.line_id AS lineId, c.from_period AS fromPeriod, c.policy, c.cap_minor AS capMinor, c.amount_minor AS amountMinor,
      c.budget_id AS budgetId
    FROM b CROSS JOIN budget_line_changes c ON c.budget_id = b.id ORDER BY c.from_period`)

export const changesOfBudget = ofOne(changesOfBudgets)

/** The checkpoint, what was decided in the periods after it and in all later ones, and the recurring items that targets name. */
export const decisionsOfBudgets = (asked: FiguresRequest): Statement<InBudget<DecisionRow>[]> =>
  db.all(sql`WITH ${figureTables(asked)}, ${NAMED_ITEMS}
    SELECT 'checkpoint' AS kind, period, '' AS lineId, 0 AS minor, NULL AS note, 0 AS version, image, budget_id AS budgetId
    FROM newest
    UNION ALL SELECT 'amount', a.period, a.line_id, a.amount_minor, a.note, 0, '', a.budget_id
    FROM since CROSS JOIN budget_amounts a ON a.budget_id = since.budget_id AND a.period > since.after_period
    UNION ALL SELECT 'period', p.period, '', p.held_minor, p.note, p.version, '', p.budget_id
    FROM since CROSS JOIN budget_periods p ON p.budget_id = since.budget_id AND p.period > since.after_period
    UNION ALL SELECT 'closing', z.period, '', 0, NULL, 0, z.image, z.budget_id
    FROM since CROSS JOIN budget_closings z ON z.budget_id = since.budget_id AND z.period > since.after_period
    UNION ALL SELECT 'item', '', named.root, 0, NULL, 0, ${packedItem(knownSince(asked))}, b.id
    FROM named CROSS JOIN b ON b.id = named.budget_id CROSS JOIN recurring ON recurring.id = named.id WHERE ${IS_ITEM_COUNTABLE}`)

export const decisionsOf = ofOne(decisionsOfBudgets)

/** The rates since the checkpoint: those of the budget's owner, or of the owner of its group, and of the system. */
export const ratesOfBudgets = (asked: FiguresRequest): Statement<InBudget<PackedRate>[]> =>
  db.all(
    sql`SELECT "from", "to", packed, holder AS budgetId FROM (${ratesOf(
      {
        holds: sql`r.owner_id = (SELECT ifnull(b.owner_id, (SELECT o.user_id FROM group_members o
        WHERE o.group_id = b.group_id AND o.role = 'owner')) FROM b WHERE b.id = p.holder)`,
        base: sql`SELECT b.id AS holder, ifnull((SELECT g.base_currency FROM groups g WHERE g.id = b.group_id),
        (SELECT u.base_currency FROM users u WHERE u.id = b.owner_id)) AS code FROM b`,
      },
      {
        first: sql`(SELECT date(day, '-1 day') FROM since WHERE since.budget_id = p.holder)`,
        last: sql`'9999'`,
        interval: 'day',
      },
      sql`SELECT budget_id AS holder, currency AS code FROM inside WHERE is_foreign
        UNION SELECT b.id, recurring.currency FROM named CROSS JOIN b ON b.id = named.budget_id
          CROSS JOIN recurring ON recurring.id = named.id AND recurring.currency <> b.currency`,
      sql`SELECT id AS holder, currency AS code FROM b`,
      sql`${figureTables(asked)}, ${NAMED_ITEMS}`,
    )})`,
  )

export const ratesFor = ofOne(ratesOfBudgets)
