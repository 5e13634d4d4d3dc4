import { type SQL, sql, type Placeholder } from 'drizzle-orm'
import {
  type Viewer,
  viewerParams,
  visibleAccountIdsOf,
} from '../../../identity/access/access.public.ts'
import { budgetRow, budgetWithAccounts } from '../figures/figures.queries.ts'
import type { WhichRows } from './rows.rules.ts'

/** The rows that are asked for. What counts on the line, and when, the statement finds out. */
export type AskedRows = Viewer & {
  id: string
  lineId: string
  which: WhichRows
  /** Nominal start of the period, or `current`. */
  named: string
  /** JSON list of the days that today may be where the budget is. */
  days: string
}

const value = (name: keyof AskedRows) => sql.placeholder(name)

/** Cards of the budget `b` that have a payment line. */
const CARDS =
  sql.raw(`SELECT i.id FROM b CROSS JOIN inside i WHERE b.mode = 'envelope' AND ifnull((SELECT handled.value
  FROM json_each(b.cards) handled WHERE handled.key = i.id), iif(i.type = 'creditCard', 'payment', 'cash')) = 'payment'`)

/**
 * The lines that are asked of: the one that is stored, or else all payment lines, as the id of one that nobody has used does not
 * tell its card.
 */
const LINES = sql`SELECT asked_of.id, asked_of.archived_from, ifnull(asked_of.account_id, '') AS card,
    CASE WHEN asked_of.kind = 'cardPayment' THEN 'card' WHEN asked_of.scope_kind = 'everything' THEN 'account'
      ELSE asked_of.scope_kind END AS how, asked_of.scope_kind = 'everything' AS is_everything
  FROM budget_lines asked_of WHERE asked_of.budget_id = ${value('id')} AND asked_of.id = ${value('lineId')}
  UNION ALL SELECT '', NULL, id, 'card', 0 FROM cards
  WHERE NOT EXISTS (SELECT 1 FROM budget_lines known WHERE known.id = ${value('lineId')})`

/**
 * The lines in each period in which they are there, the newest first. What lines name changes in few periods: an `era` begins with each of these, and
 * what lines cover is worked out once for each.
 */
const ASKED = sql`SELECT row_number() OVER (ORDER BY lines.card, p.nominal DESC) AS at, lines.id AS line_id, lines.card, lines.how, lines.is_everything,
    p.nominal, p.start, p."end", p.closed_at, p.slot,
    (SELECT ifnull(max(change.at), '') FROM (SELECT from_period AS at FROM budget_line_scopes WHERE budget_id = ${value('id')}
      UNION SELECT until_period FROM budget_line_scopes WHERE budget_id = ${value('id')}) change WHERE change.at <= p.nominal) AS era
  FROM lines CROSS JOIN periods p ON lines.archived_from IS NULL OR p.nominal < lines.archived_from`

/**
 * Selects the things that lines name in each era, the categories that they cover there, and those that count nowhere.
 * A category counts on the line that names it or the nearest one above it; on limits, which do not consider other
 * lines, it counts on all of these.
 */
const COVERED = sql`
  named AS MATERIALIZED (SELECT of_era.era, scope.line_id, scope.target_id, naming.scope_kind
    FROM b CROSS JOIN (SELECT DISTINCT era FROM asked) of_era CROSS JOIN budget_line_scopes scope ON scope.budget_id = b.id
        AND scope.from_period <= of_era.era AND (scope.until_period IS NULL OR of_era.era < scope.until_period)
      CROSS JOIN budget_lines naming ON naming.id = scope.line_id
    WHERE b.mode = 'envelope' OR scope.line_id = ${value('lineId')}),
  covered(era, id, line_id) AS MATERIALIZED (
    SELECT era, target_id, line_id FROM named WHERE scope_kind = 'category'
    UNION SELECT above.era, below.id, above.line_id FROM b CROSS JOIN covered above
      CROSS JOIN categories below ON below.parent_id = above.id
    WHERE b.mode = 'limit' OR (above.era, below.id) NOT IN (SELECT era, target_id FROM named WHERE scope_kind = 'category')),
  excluded(id) AS MATERIALIZED (
    SELECT alone.id FROM (SELECT owner_id FROM inside UNION SELECT of_line.owner_id FROM named
        CROSS JOIN categories of_line ON of_line.id = named.target_id) owners
      CROSS JOIN categories alone ON alone.owner_id = owners.owner_id WHERE alone.exclude_from_budget = 1
    UNION SELECT child.id FROM excluded CROSS JOIN categories child ON child.parent_id = excluded.id)`

/**
 * The budget with what each row is compared with, as JSON: SQLite plans a table of a WITH anew in each place that names it, with all
 * that it stands on, and a row is compared in many.
 */
const KNOWN = sql`SELECT b.*, (SELECT json_group_array(id) FROM inside) AS inside_ids,
    (SELECT json_group_array(id) FROM inside WHERE id IN (${visibleAccountIdsOf(viewerParams)})) AS seen_ids,
    (SELECT json_group_array(id) FROM cards) AS card_ids, (SELECT json_group_array(id) FROM excluded) AS excluded_ids,
    (SELECT json_group_object(era || '/' || id, line_id) FROM covered) AS line_ids
  FROM b`

// The rule of periods of `domain/budgets/periods.ts` in SQL, for a statement that cannot wait for the budget to be read.

/** The nominal start with an index. */
const nominalOf = (index: string): SQL =>
  sql.raw(`iif(by_month, date(anchor_month, (${index} * step) || ' months', (min(anchor_day, CAST(strftime('%d',
    date(anchor_month, (${index} * step + 1) || ' months', '-1 day')) AS INTEGER)) - 1) || ' days'),
  date(anchor, (${index} * step) || ' days'))`)

/** A nominal start that is moved off a Saturday, 6, or a Sunday, 0. */
const offWeekend = (nominal: string): SQL =>
  sql.raw(`date(${nominal}, CASE weekend || strftime('%w', ${nominal})
  WHEN 'before6' THEN '-1 day' WHEN 'before0' THEN '-2 days'
  WHEN 'after6' THEN '+2 days' WHEN 'after0' THEN '+1 day' ELSE '+0 days' END)`)

/**
 * The table `periods` of the budget `b`, of a statement's WITH: the one that is named, or those that contain one of the days that
 * today may be; of what came late, all closed ones, each with the moment of its closing. A `slot` tells those apart of which only
 * one is meant.
 * @param days JSON list
 */
export const periodTables = ({
  which,
  named,
  days,
}: Record<'which' | 'named' | 'days', Placeholder>): SQL => sql`
  rule AS MATERIALIZED (SELECT id, mode, first_day, anchor, weekend, unit IN ('month', 'year') AS by_month,
      unit_count * CASE unit WHEN 'week' THEN 7 WHEN 'year' THEN 12 ELSE 1 END AS step,
      substr(anchor, 1, 7) || '-01' AS anchor_month, CAST(substr(anchor, 9) AS INTEGER) AS anchor_day FROM b),
  wanted AS (SELECT max(today.value, first_day) AS day, 0 AS is_name, -1 AS closed_at
      FROM rule CROSS JOIN json_each(${days}) today WHERE ${which} <> 'late' AND ${named} = 'current'
    UNION SELECT ${named}, 1, -1 WHERE ${which} <> 'late' AND ${named} <> 'current'
    UNION SELECT closed.period, 1, closed.closed_at FROM rule CROSS JOIN budget_closings closed
      ON closed.budget_id = rule.id AND ${which} = 'late' AND rule.mode = 'envelope'),
  distances AS (SELECT *, CAST(iif(by_month, (substr(day, 1, 4) - substr(anchor, 1, 4)) * 12 + substr(day, 6, 2) - substr(anchor, 6, 2),
      julianday(day) - julianday(anchor)) AS INTEGER) AS distance FROM rule CROSS JOIN wanted),
  indexes AS (SELECT *, (distance - (distance % step + step) % step) / step + near.value AS at
    FROM distances CROSS JOIN json_each('[-1,0,1]') near),
  nominals AS (SELECT *, ${nominalOf('at')} AS nominal, ${nominalOf('(at + 1)')} AS following FROM indexes),
  bounds AS (SELECT *, ${offWeekend('nominal')} AS start, date(${offWeekend('following')}, '-1 day') AS "end" FROM nominals),
  periods AS MATERIALIZED (SELECT DISTINCT nominal, start, "end", closed_at, iif(${which} = 'late', '', nominal) AS slot
    FROM bounds WHERE iif(is_name, nominal = day, day BETWEEN start AND "end"))`

/**
 * The tables that statements about the rows of a line begin with: the budget `b`, the accounts `inside`, those that are `cards`, the
 * lines and periods that are `asked` of, what is `named` and `covered` in them, the categories that are `excluded`, and `known`.
 */
export const askedTables = sql`${budgetWithAccounts({ budgets: budgetRow(value('id')), now: value('now') })},
  ${periodTables({ which: value('which'), named: value('named'), days: value('days') })},
  cards AS MATERIALIZED (${CARDS}),
  lines AS MATERIALIZED (${LINES}),
  asked AS MATERIALIZED (${ASKED}),
  ${COVERED},
  known AS MATERIALIZED (${KNOWN})`

/** SQL that is true if the line `p`, which is by account or of a card, counts the flows of the account `i`. */
export const isOfAccount = (p: string, i: string): SQL =>
  sql.raw(`(${p}.how = 'card' AND ${i}.id = ${p}.card OR ${p}.is_everything
    OR (${p}.era, ${p}.line_id, ${i}.id, 'account') IN (SELECT era, line_id, target_id, scope_kind FROM named))`)

// The rows that count on a line, as conditions on the tables of `askedTables`: `p` is a row of `asked`, and `b` that
// of `known`.

/** The columns of an entry, or of a row of `flow_periods`, that decide how money counts. */
interface Moved {
  accountId: string
  flow: string
  categoryId: string
  counterAccountId: string
}

/** The columns of a row of `flow_periods` that decide how it counts. */
export const ofFlow = (f: string): Moved => ({
  accountId: `${f}.account_id`,
  flow: `${f}.flow`,
  categoryId: `${f}.category_id`,
  counterAccountId: `${f}.counter_account_id`,
})

/** The columns of an entry that decide how it counts, in the form of `flow_periods`. */
export const ofEntry = (e: string): Moved => ({
  accountId: `${e}.account_id`,
  flow: `iif(${e}.flow_minor IS NULL, ${e}.side, 'transfer')`,
  categoryId: `ifnull(${e}.category_id, '')`,
  counterAccountId: `ifnull(${e}.counter_account_id, '')`,
})

/** Tells whether a JSON list of ids that `b` has names an id; '' is none. */
export const isNamedAmong = (
  list: 'inside_ids' | 'seen_ids' | 'card_ids' | 'excluded_ids',
  id: string,
) => `instr(b.${list}, '"' || ${id} || '"') > 0`

/** SQL that is true if not everybody who sees the budget may see an entry. */
export const isHidden = (e: string): SQL =>
  sql.raw(`((b.is_shared OR ${e}.owner_id <> b.owner_id) AND EXISTS (SELECT 1 FROM transactions hidden_${e}
    WHERE hidden_${e}.id = ${e}.transaction_id AND hidden_${e}.private = 1
      AND (b.is_shared OR hidden_${e}.created_by <> b.owner_id)))`)

/** SQL that is true if an entry counts in budgets by its status. */
export const hasCountedStatus = (e: string): SQL =>
  sql.raw(`(${e}.status <> 'void' AND (b.count_pending OR ${e}.status <> 'pending'))`)

/**
 * SQL that is true if a transaction was booked or changed after the closing of the period, or if the list is not about
 * late rows.
 */
export const isLateEnough = (e: string, p = 'p'): SQL =>
  sql.raw(`(${p}.closed_at < 0 OR EXISTS (SELECT 1 FROM transactions late_${e}
    WHERE late_${e}.id = ${e}.transaction_id AND late_${e}.updated_at > ${p}.closed_at))`)

/**
 * The key by which something counts on the line `p`, or null where it does not: rows of one day, currency and key share out the
 * rounded sum of each. A row that is hidden counts on lines of accounts, and on a card where it was paid.
 */
export function countingKey(
  { accountId, flow, categoryId, counterAccountId }: Moved,
  hidden: SQL,
): SQL {
  const isOutward = `NOT ${isNamedAmong('inside_ids', counterAccountId)}`
  const isSpending = sql.raw(`(${flow} = 'expense' OR (${flow} = 'transfer' AND ${isOutward}
    AND (b.mode = 'envelope' OR b.count_transfers)))`)
  const isExcluded = sql.raw(isNamedAmong('excluded_ids', categoryId))
  const covering = sql.raw(`(b.line_ids ->> (p.era || '/' || ${categoryId}))`)
  const onCard = sql`CASE WHEN ${sql.raw(flow)} NOT IN ('expense', 'income', 'transfer') THEN NULL
    WHEN ${sql.raw(`${flow} = 'transfer' AND NOT (${isOutward})`)} THEN iif(${WHICH} = 'moved', NULL, 'payments')
    WHEN ${hidden} THEN NULL
    WHEN ${WHICH} = 'moved' THEN iif(${sql.raw(flow)} = 'income' OR ${isExcluded}, NULL, ${covering})
    WHEN ${sql.raw(flow)} = 'income'
      THEN iif(${sql.raw(categoryId)} IN (SELECT value FROM json_each(b.income_in_next_period)), 'deferred', 'income')
    WHEN ${sql.raw(categoryId)} = '' THEN iif(${sql.raw(flow)} = 'transfer', 'transfers', 'uncategorised')
    WHEN ${isExcluded} THEN 'excluded' WHEN ${covering} IS NOT NULL THEN NULL ELSE 'uncovered' END`
  return sql`CASE WHEN p.how = 'card' THEN ${onCard} WHEN NOT ${isSpending} THEN NULL
    WHEN p.how = 'account' THEN iif(${isExcluded} AND NOT ${hidden}, NULL, '')
    WHEN ${isExcluded} OR ${hidden} THEN NULL
    WHEN p.how = 'category' THEN iif(${sql.raw(isNamedAmong('card_ids', accountId))}, ${sql.raw(accountId)}, '') ELSE '' END`
}

/** SQL that is true if an entry counts on the line `p` and is shown. */
export const isShown = (
  e: string,
): SQL => sql`${hasCountedStatus(e)} AND ${sql.raw(isNamedAmong('seen_ids', `${e}.account_id`))}
  AND NOT ${isHidden(e)} AND ${countingKey(ofEntry(e), NOT_HIDDEN)} IS NOT NULL`

export const NOT_HIDDEN = sql.raw('0')

/**
 * A value of the entries `e` that came late in the period of `p`, and are shown. Only envelopes and payment lines have such.
 * @param aggregate of all of them
 * @param condition on each
 */
export const ofLateRows = (aggregate: string, condition: SQL): SQL => {
  // Most were changed last before the closing: of these no more is read.
  const changedSince = sql.raw(
    `CROSS JOIN transactions changed ON changed.id = a.transaction_id AND changed.updated_at > p.closed_at`,
  )
  return sql`iif(p.how = 'category',
    (SELECT ${sql.raw(aggregate)} FROM covered counted_in
        CROSS JOIN entries a ON a.category_id = counted_in.id AND a.date BETWEEN p.start AND p."end" ${changedSince}
        CROSS JOIN entries e ON e.transaction_id = a.transaction_id AND e.line = a.line
      WHERE counted_in.era = p.era AND counted_in.line_id = p.line_id AND ${condition} AND ${isShown('e')}),
    (SELECT ${sql.raw(aggregate)} FROM entries a ${changedSince}
        CROSS JOIN entries e ON e.transaction_id = a.transaction_id AND e.account_id = a.account_id
      WHERE a.side = 'account' AND a.account_id = p.card AND a.date BETWEEN p.start AND p."end"
        AND ${condition} AND ${isShown('e')}))`
}

const WHICH = sql.placeholder('which' satisfies keyof AskedRows)
