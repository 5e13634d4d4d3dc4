import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { db, prepared, type Statement } from '../../../../platform/statements.ts'
import {
  type Viewer,
  viewerParams,
  visibleAccountIdsOf,
} from '../../../identity/access/access.public.ts'
import {
  budgetRow,
  budgetWithAccounts,
  hasPayeeOf,
  hasTagOf,
  IS_HIDDEN,
} from '../figures/figures.queries.ts'
import { periodTables } from './periods-of-rows.queries.ts'
import type { CountedRow, WhichRows } from './rows.rules.ts'

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

/** The position of a page: behind a row, or the first one where there is none. */
type Position = {
  date: CalendarDate | null
  transactionId: string | null
  line: string | null
  limit: number
}

const value = (name: keyof AskedRows | keyof Position) => sql.placeholder(name)

/** Cards of the budget `b` that have a payment line. */
const CARDS =
  sql.raw(`SELECT i.id FROM b CROSS JOIN inside i WHERE b.mode = 'envelope' AND ifnull((SELECT handled.value
  FROM json_each(b.cards) handled WHERE handled.key = i.id), iif(i.type = 'creditCard', 'payment', 'cash')) = 'payment'`)

/**
 * The lines that are asked of: the one that is stored, or else all payment lines, as the id of one that nobody has used does not
 * tell its card.
 */
const LINES = sql`SELECT asked.id, asked.archived_from, ifnull(asked.account_id, '') AS card,
    CASE WHEN asked.kind = 'cardPayment' THEN 'card' WHEN asked.scope_kind = 'everything' THEN 'account'
      ELSE asked.scope_kind END AS how, asked.scope_kind = 'everything' AS is_everything
  FROM budget_lines asked WHERE asked.budget_id = ${value('id')} AND asked.id = ${value('lineId')}
  UNION ALL SELECT '', NULL, id, 'card', 0 FROM cards
  WHERE NOT EXISTS (SELECT 1 FROM budget_lines known WHERE known.id = ${value('lineId')})`

/**
 * What lines name in each period, the categories that they cover there, and those that count nowhere. A category counts on the
 * line that names it or the nearest one above it; on limits it counts on all of these.
 */
const COVERED = sql`
  named AS MATERIALIZED (SELECT p.nominal, scope.line_id, scope.target_id, naming.scope_kind
    FROM periods p CROSS JOIN budget_line_scopes scope ON scope.budget_id = ${value('id')} AND scope.from_period <= p.nominal
        AND (scope.until_period IS NULL OR p.nominal < scope.until_period)
      CROSS JOIN budget_lines naming ON naming.id = scope.line_id),
  covered(nominal, id, line_id) AS MATERIALIZED (
    SELECT nominal, target_id, line_id FROM named WHERE scope_kind = 'category'
    UNION SELECT above.nominal, below.id, above.line_id FROM b CROSS JOIN covered above
      CROSS JOIN categories below ON below.parent_id = above.id
    WHERE b.mode = 'limit' OR (above.nominal, below.id) NOT IN (SELECT nominal, target_id FROM named WHERE scope_kind = 'category')),
  excluded(id) AS MATERIALIZED (
    SELECT alone.id FROM (SELECT owner_id FROM inside UNION SELECT of_line.owner_id FROM named
        CROSS JOIN categories of_line ON of_line.id = named.target_id) owners
      CROSS JOIN categories alone ON alone.owner_id = owners.owner_id WHERE alone.exclude_from_budget = 1
    UNION SELECT child.id FROM excluded CROSS JOIN categories child ON child.parent_id = excluded.id)`

/** What a candidate is listed as. */
const of = (asked: string) =>
  sql.raw(`${asked}.how, ${asked}.card, ${asked}.nominal, ${asked}.slot`)

const withLabel = (kind: 'tag' | 'payee'): SQL => {
  const [table, isOne] =
    kind === 'tag'
      ? ['transaction_tags', hasTagOf('of_tag', 'tagged')]
      : ['transaction_payees', hasPayeeOf('of_payee', 'paid')]
  const [label, entry] = kind === 'tag' ? ['tagged', 'of_tag'] : ['paid', 'of_payee']
  const raw = (text: string) => sql.raw(text)
  return sql`SELECT ${of('p')}, ${raw(entry)}.transaction_id, ${raw(entry)}.line, ''
    FROM asked p CROSS JOIN named n ON n.nominal = p.nominal AND n.line_id = p.line_id
      CROSS JOIN ${raw(table)} ${raw(label)} ON ${raw(`${label}.${kind}_id`)} = n.target_id
      CROSS JOIN entries ${raw(entry)} ON ${raw(entry)}.transaction_id = ${raw(label)}.transaction_id AND ${isOne}
        AND ${raw(entry)}.date BETWEEN p.start AND p."end"
    WHERE p.how = ${raw(`'${kind}'`)}`
}

/** Whether a transaction was booked or changed after the closing of the period, where only these are asked for. */
const isLateEnough = (entry: string) =>
  sql.raw(`(p.closed_at < 0 OR EXISTS (SELECT 1 FROM transactions late_${entry}
  WHERE late_${entry}.id = ${entry}.transaction_id AND late_${entry}.updated_at > p.closed_at))`)

/** The entries that the line may count, found by the index that fits what it counts. */
const CANDIDATES = sql`SELECT ${of('p')}, f.transaction_id, f.line, iif(f.account_id IN cards, f.account_id, '') AS key
    FROM asked p CROSS JOIN covered counted_in ON counted_in.nominal = p.nominal AND counted_in.line_id = p.line_id
      CROSS JOIN entries f ON f.category_id = counted_in.id AND f.date BETWEEN p.start AND p."end"
    WHERE p.how = 'category' AND counted_in.id NOT IN excluded AND ${isLateEnough('f')}
  UNION ${withLabel('tag')} UNION ${withLabel('payee')}
  UNION SELECT ${of('p')}, part.transaction_id, part.line, ''
    FROM asked p CROSS JOIN inside i ON p.how = 'card' AND i.id = p.card OR p.is_everything
        OR (p.nominal, p.line_id, i.id, 'account') IN (SELECT nominal, line_id, target_id, scope_kind FROM named)
      CROSS JOIN entries a ON a.side = 'account' AND a.account_id = i.id AND a.date BETWEEN p.start AND p."end"
      CROSS JOIN entries part ON part.transaction_id = a.transaction_id AND part.account_id = a.account_id
    WHERE p.how IN ('account', 'card') AND ${isLateEnough('a')}`

const IS_OUTWARD = sql.raw('e.counter_account_id NOT IN (SELECT id FROM inside)')

const COUNTS_AS_SPENDING = sql`(e.side = 'expense' OR (e.flow_minor IS NOT NULL AND ${IS_OUTWARD}
  AND (b.mode = 'envelope' OR b.count_transfers)))`

/** Which of the candidates count; hidden ones where they count, too, as they share in the rounding of their day. */
const CONDITION = sql`CASE candidate.how
  WHEN 'card' THEN e.side IN ('expense', 'income') OR e.flow_minor IS NOT NULL
  WHEN 'category' THEN ${COUNTS_AS_SPENDING} AND NOT ${IS_HIDDEN}
  WHEN 'account' THEN ${COUNTS_AS_SPENDING} AND (${IS_HIDDEN} OR ifnull(e.category_id, '') NOT IN excluded)
  ELSE ${COUNTS_AS_SPENDING} AND ifnull(e.category_id, '') NOT IN excluded AND NOT ${IS_HIDDEN} END`

/** The line that covers the category of an entry. */
const COVERING = sql.raw(
  `(SELECT by_line.line_id FROM covered by_line WHERE by_line.nominal = candidate.nominal AND by_line.id = e.category_id)`,
)

/** The key by which a row counts: rows of one day and currency share out the rounded sum of each. Null for no row of the line. */
const KEY = sql`CASE WHEN candidate.how <> 'card' THEN candidate.key
  WHEN e.flow_minor IS NOT NULL AND NOT ${IS_OUTWARD} THEN iif(${value('which')} = 'moved', NULL, 'payments')
  WHEN ${IS_HIDDEN} THEN NULL
  WHEN ${value('which')} = 'moved' THEN iif(e.side = 'income' OR e.category_id IN excluded, NULL, ${COVERING})
  WHEN e.side = 'income' THEN iif(e.category_id IN (SELECT value FROM json_each(b.income_in_next_period)), 'deferred', 'income')
  WHEN e.category_id IS NULL THEN iif(e.flow_minor IS NULL, 'uncategorised', 'transfers')
  WHEN e.category_id IN excluded THEN 'excluded'
  WHEN ${COVERING} IS NOT NULL THEN NULL
  ELSE 'uncovered' END`

/** The description of an entry `e`: who sees only the other side of a part is told the note of that. */
const DESCRIPTION = sql`CASE WHEN e.pair IS NULL OR EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
    AND w.account_id IN (${visibleAccountIdsOf(viewerParams)})) THEN t.description
  ELSE ifnull((SELECT noted.note FROM entries noted WHERE noted.transaction_id = e.transaction_id AND noted.line = e.pair), '') END`

/** The lines in each period in which they are there. */
const ASKED = sql`SELECT lines.id AS line_id, lines.card, lines.how, lines.is_everything,
    p.nominal, p.start, p."end", p.closed_at, p.slot
  FROM lines CROSS JOIN periods p ON lines.archived_from IS NULL OR p.nominal < lines.archived_from`

/** The table `counted` of all rows of the line, those that nobody is shown included. */
const COUNTED = sql`${budgetWithAccounts({ budgets: budgetRow(value('id')), now: value('now') })},
  ${periodTables({ which: value('which'), named: value('named'), days: value('days') })},
  cards AS MATERIALIZED (${CARDS}),
  lines AS MATERIALIZED (${LINES}),
  asked AS MATERIALIZED (${ASKED}),
  ${COVERED},
  candidates AS MATERIALIZED (${CANDIDATES}),
  counted AS MATERIALIZED (SELECT e.transaction_id, e.line, e.pair, e.account_id, e.date, e.side, e.category_id,
      iif(e.pair IS NULL, t.kind, 'transfer') AS kind, ${DESCRIPTION} AS description, t.created_by, i.currency,
      iif(candidate.how = 'card', -1, 1) * ifnull(e.flow_minor, 0 - e.amount_minor) AS minor,
      ${KEY} AS key, ${IS_HIDDEN} AS is_hidden, candidate.slot, candidate.card
    FROM b CROSS JOIN candidates candidate
      CROSS JOIN entries e ON e.transaction_id = candidate.transaction_id AND e.line = candidate.line
      CROSS JOIN inside i ON i.id = e.account_id CROSS JOIN transactions t ON t.id = e.transaction_id
    WHERE e.status <> 'void' AND (b.count_pending OR e.status <> 'pending') AND ${CONDITION})`

const page = prepared<AskedRows & Position, CountedRow[]>(() =>
  db.all(sql`WITH RECURSIVE ${COUNTED},
      shared AS (SELECT *, sum(minor) OVER (PARTITION BY slot, card, date, currency, key
          ORDER BY is_hidden DESC, transaction_id, line) AS running
        FROM counted WHERE key IS NOT NULL),
      placed AS (SELECT *, row_number() OVER (PARTITION BY slot, card
          ORDER BY date DESC, transaction_id DESC, line DESC) AS place
        FROM shared WHERE is_hidden = 0 AND (${value('date')} IS NULL
          OR (date, transaction_id, line) < (${value('date')}, ${value('transactionId')}, CAST(${value('line')} AS INTEGER))))
    SELECT shown.slot, shown.card, shown.transaction_id AS transactionId, shown.line, shown.account_id AS accountId, shown.date,
      shown.kind, shown.description,
      shown.category_id AS categoryId, shown.created_by AS createdBy, shown.currency, shown.minor, shown.running,
      iif(shown.side = 'exchange', NULL, ifnull((SELECT own.payee_id FROM transaction_payees own WHERE own.transaction_id = shown.transaction_id AND own.line = shown.line),
        (SELECT whole.payee_id FROM transaction_payees whole WHERE whole.transaction_id = shown.transaction_id AND whole.line = 0))) AS payeeId,
      (SELECT o.line FROM entries o WHERE o.transaction_id = shown.transaction_id AND o.account_id = shown.account_id
        AND o.side = 'account' AND o.pair IS shown.pair) AS accountLine,
      (SELECT count(*) FROM entries other WHERE other.transaction_id = shown.transaction_id
        AND (other.side IN ('expense', 'income', 'adjustment') OR other.side = 'exchange' AND other.pair IS NULL)) AS parts
    FROM placed shown WHERE place <= CAST(${value('limit')} AS INTEGER) + 1
    ORDER BY shown.date DESC, shown.transaction_id DESC, shown.line DESC`),
)

/** The rows that make up a figure of a line, newest first: of each period that may be meant, and card, one more than the page. */
export const pageOfRows = (
  asked: AskedRows,
  { after, limit }: { after?: readonly string[] | undefined; limit: number },
): Statement<CountedRow[]> => {
  const [date = null, transactionId = null, line = null] = after ?? []
  return page({ ...asked, date, transactionId, line, limit })
}

export interface RowCount {
  slot: string
  card: string
  count: number
}

export const countOfRows = prepared<AskedRows, RowCount[]>(() =>
  db.all(sql`WITH RECURSIVE ${COUNTED}
    SELECT slot, card, count(*) AS count FROM counted WHERE key IS NOT NULL AND is_hidden = 0 GROUP BY slot, card`),
)
