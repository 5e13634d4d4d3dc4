import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { db, prepared, type Statement } from '../../../../platform/database/statements.ts'
import { wideRunningSum } from '../../../../platform/database/wide-sums.ts'
import { viewerParams, visibleAccountIdsOf } from '../../../identity/access/access.public.ts'
import { hasPayeeOf, hasTagOf, IS_HIDDEN } from '../figures/figures.queries.ts'
import {
  type AskedRows,
  askedTables,
  isOfAccount,
  isShown,
  ofLateRows,
  hasCountedStatus,
  isNamedAmong,
  isHidden,
  isLateEnough,
  countingKey,
  ofEntry,
  NOT_HIDDEN,
  ofFlow,
} from './asked-lines.queries.ts'
import type { CountedRow } from './rows.rules.ts'

/** The position of a page: behind a row, or the first one where there is none. */
type Position = {
  date: CalendarDate | null
  transactionId: string | null
  line: string | null
  limit: number
}

const value = (name: keyof Position) => sql.placeholder(name)

/** One row more than the page has. */
const ENOUGH = sql`CAST(${value('limit')} AS INTEGER) + 1`

/** `asked` with the row that the page is behind, or else, on the first page or in an earlier period, the end of the period. */
const PAGED = sql`SELECT asked.*, iif(is_within, ${value('date')}, "end") AS behind_date,
    iif(is_within, ${value('transactionId')}, '~') AS behind_id, iif(is_within, CAST(${value('line')} AS INTEGER), 0) AS behind_line
  FROM (SELECT *, ifnull(${value('date')} <= "end", 0) AS is_within FROM asked) asked`

const isBehind = (e: string) =>
  sql.raw(
    `(${e}.date, ${e}.transaction_id, ${e}.line) < (p.behind_date, p.behind_id, p.behind_line)`,
  )

/** The days of so many rows of a query as a page may have. SQLite takes a query that depends on others before it only as a value. */
const daysOf = (newest: SQL): SQL =>
  sql`json_each((SELECT json_group_array(date) FROM (${newest} LIMIT ${ENOUGH})))`

/**
 * The days of the newest rows behind the page's position, of each category and account as many as the page may have: an index has
 * them in this order, so that no more are read, wherever in the period that is. Of what came late see `LATE`.
 */
const NEWEST = sql`
  SELECT p.at, day.value FROM known b CROSS JOIN paged p
      CROSS JOIN covered counted_in ON counted_in.era = p.era AND counted_in.line_id = p.line_id
      CROSS JOIN ${daysOf(sql`SELECT f.date FROM entries f
        WHERE f.category_id = counted_in.id AND f.date >= p.start AND ${isBehind('f')} AND ${isShown('f')}
        ORDER BY f.date DESC, f.transaction_id DESC, f.line DESC`)} day
    WHERE p.how = 'category' AND p.closed_at < 0
  UNION ALL SELECT p.at, e.date FROM known b CROSS JOIN paged p CROSS JOIN labelled ON labelled.at = p.at
      CROSS JOIN entries e ON e.transaction_id = labelled.transaction_id AND e.line = labelled.line
    WHERE ${isBehind('e')} AND ${isShown('e')}
  UNION ALL SELECT p.at, day.value FROM known b CROSS JOIN paged p CROSS JOIN inside i ON ${isOfAccount('p', 'i')}
      CROSS JOIN ${daysOf(sql`SELECT a.date FROM entries a
        WHERE a.side = 'account' AND a.account_id = i.id AND a.date >= p.start
          AND (a.date, a.transaction_id) <= (p.behind_date, p.behind_id)
          AND EXISTS (SELECT 1 FROM entries part WHERE part.transaction_id = a.transaction_id AND part.account_id = a.account_id
            AND ${isBehind('part')} AND ${isShown('part')})
        ORDER BY a.date DESC, a.transaction_id DESC`)} day
    WHERE p.how IN ('account', 'card') AND p.closed_at < 0
  UNION ALL SELECT late.at, day.value FROM late CROSS JOIN json_each(late.days) day`

const LATE_DAYS = ofLateRows('json_group_array(e.date)', isBehind('e'))

/** The days of what came late, period by period from the newest closed one, until a page is full: no index tells what is late. */
const LATE = sql`SELECT p.at, p.card, ${LATE_DAYS}, 0 FROM known b CROSS JOIN paged p ON p.closed_at >= 0
    WHERE p.at IN (SELECT min(at) FROM asked GROUP BY card)
  UNION ALL SELECT p.at, p.card, ${LATE_DAYS}, late.found + json_array_length(late.days)
    FROM late CROSS JOIN known b CROSS JOIN paged p ON p.at = late.at + 1 AND p.card = late.card
    WHERE late.found + json_array_length(late.days) < ${ENOUGH}`

/** `asked` with the days of the page alone. */
const SPANS = sql`SELECT paged.at, paged.line_id, paged.card, paged.how, paged.is_everything, paged.era, paged.closed_at,
    on_page.first AS start, on_page.last AS "end" FROM (
    SELECT at, min(date) AS first, max(date) AS last FROM (
      SELECT newest.at, newest.date, row_number() OVER (PARTITION BY paged.slot, paged.card ORDER BY newest.date DESC) AS place
      FROM newest JOIN paged ON paged.at = newest.at)
    WHERE place <= ${ENOUGH} GROUP BY at) on_page JOIN paged ON paged.at = on_page.at`

/** The description of an entry `e`: who sees only the other side of a part sees the note of that. */
const DESCRIPTION = sql`CASE WHEN e.pair IS NULL OR EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
    AND w.account_id IN (${visibleAccountIdsOf(viewerParams)})) THEN t.description
  ELSE ifnull((SELECT noted.note FROM entries noted WHERE noted.transaction_id = e.transaction_id AND noted.line = e.pair), '') END`

/** The columns of an entry `e` of the page. */
const SHOWN = sql`shown.slot, shown.card, e.transaction_id AS transactionId, e.line, e.account_id AS accountId, e.date,
  iif(e.pair IS NULL, t.kind, 'transfer') AS kind, ${DESCRIPTION} AS description, e.category_id AS categoryId,
  t.created_by AS createdBy, e.currency, shown.minor, shown.running,
  iif(e.side = 'exchange', NULL, ifnull(
    (SELECT of_part.payee_id FROM transaction_payees of_part WHERE of_part.transaction_id = e.transaction_id AND of_part.line = e.line),
    (SELECT whole.payee_id FROM transaction_payees whole WHERE whole.transaction_id = e.transaction_id AND whole.line = 0))) AS payeeId,
  (SELECT o.line FROM entries o WHERE o.transaction_id = e.transaction_id AND o.account_id = e.account_id
    AND o.side = 'account' AND o.pair IS e.pair) AS accountLine,
  (SELECT count(*) FROM entries other WHERE other.transaction_id = e.transaction_id
    AND (other.side IN ('expense', 'income', 'adjustment') OR other.side = 'exchange' AND other.pair IS NULL)) AS parts`

/** The entries in the periods that are asked of, with a label that the line names. */
function withLabel(kind: 'tag' | 'payee'): SQL {
  const [label, entry] = kind === 'tag' ? ['tagged', 'of_tag'] : ['paid', 'of_payee']
  const isOne = kind === 'tag' ? hasTagOf(entry, label) : hasPayeeOf(entry, label)
  const [by, wanted] = [`by_${kind}`, `wanted_${kind}`]
  return sql`${sql.raw(`SELECT ${by}.at, ${entry}.transaction_id, ${entry}.line, ${entry}.date FROM asked ${by}
      CROSS JOIN named ${wanted} ON ${wanted}.era = ${by}.era AND ${wanted}.line_id = ${by}.line_id
      CROSS JOIN transaction_${kind}s ${label} ON ${label}.${kind}_id = ${wanted}.target_id
      CROSS JOIN entries ${entry} ON ${entry}.transaction_id = ${label}.transaction_id`)} AND ${isOne}
    ${sql.raw(`WHERE ${by}.how = '${kind}' AND ${entry}.date BETWEEN ${by}.start AND ${by}."end"`)}`
}

/** The table `labelled` of the entries with a label that lines by label name: all of their periods, as no index has them by date. */
const labelledTable = sql`labelled(at, transaction_id, line, date) AS MATERIALIZED (${withLabel('tag')} UNION ${withLabel('payee')})`

/** Entries as JSON, each once. */
const entriesOf = (e: string) =>
  sql.raw(`json_group_array(DISTINCT json_array(${e}.transaction_id, ${e}.line))`)

/**
 * The table `counted` of the entries of the table `spans` that count where their `key` is not null, those that nobody is shown
 * included. Spans are rows of `asked`, maybe with fewer days.
 */
const countedTable = sql`
  candidates(at, transaction_id, line) AS (
    SELECT span.at, found.value ->> 0, found.value ->> 1 FROM spans span CROSS JOIN json_each(CASE
      WHEN span.how = 'category' THEN (SELECT ${entriesOf('f')} FROM covered counted_in
          CROSS JOIN entries f ON f.category_id = counted_in.id AND f.date BETWEEN span.start AND span."end"
        WHERE counted_in.era = span.era AND counted_in.line_id = span.line_id AND ${isLateEnough('f', 'span')})
      WHEN span.how IN ('account', 'card') THEN (SELECT ${entriesOf('part')} FROM inside i
          CROSS JOIN entries a ON a.side = 'account' AND a.account_id = i.id AND a.date BETWEEN span.start AND span."end"
          CROSS JOIN entries part ON part.transaction_id = a.transaction_id AND part.account_id = a.account_id
        WHERE ${isOfAccount('span', 'i')} AND ${isLateEnough('a', 'span')})
      ELSE (SELECT ${entriesOf('labelled')} FROM labelled
        WHERE labelled.at = span.at AND labelled.date BETWEEN span.start AND span."end") END) found),
  counted AS (SELECT p.at, p.slot, p.card, e.transaction_id, e.line, e.date, of_entry.currency,
      iif(p.how = 'card', -1, 1) * ifnull(e.flow_minor, 0 - e.amount_minor) AS minor,
      ${isHidden('e')} OR NOT ${sql.raw(isNamedAmong('seen_ids', 'e.account_id'))} AS is_hidden, ${countingKey(ofEntry('e'), isHidden('e'))} AS key
    FROM known b CROSS JOIN candidates CROSS JOIN asked p ON p.at = candidates.at
      CROSS JOIN entries e ON e.transaction_id = candidates.transaction_id AND e.line = candidates.line
      CROSS JOIN inside of_entry ON of_entry.id = e.account_id
    WHERE ${hasCountedStatus('e')})`

/** First the days of the page are found, then all that counts on these, which shares out the rounded sums, and then what to show. */
const page = prepared<AskedRows & Position, CountedRow[]>(() =>
  db.all(sql`WITH RECURSIVE ${askedTables}, ${labelledTable},
      paged AS MATERIALIZED (${PAGED}),
      late(at, card, days, found) AS (${LATE}),
      newest(at, date) AS MATERIALIZED (${NEWEST}),
      spans AS MATERIALIZED (${SPANS}),
      ${countedTable},
      shared AS (SELECT counted.*, ${wideRunningSum(sql`minor`, sql`of_day`)} AS running
        FROM counted WHERE key IS NOT NULL
        WINDOW of_day AS (PARTITION BY slot, card, date, currency, key ORDER BY is_hidden DESC, transaction_id, line)),
      placed AS (SELECT shared.*, row_number() OVER (PARTITION BY shared.slot, shared.card
          ORDER BY shared.date DESC, shared.transaction_id DESC, shared.line DESC) AS place
        FROM shared CROSS JOIN paged p ON p.at = shared.at WHERE is_hidden = 0 AND ${isBehind('shared')})
    SELECT ${SHOWN} FROM placed shown
      CROSS JOIN entries e ON e.transaction_id = shown.transaction_id AND e.line = shown.line CROSS JOIN transactions t ON t.id = e.transaction_id
    WHERE shown.place <= ${ENOUGH}
    ORDER BY e.date DESC, e.transaction_id DESC, e.line DESC`),
)

/** The rows that make up a figure of a line, newest first: of each period that may be meant, and card, one more than the page. */
export const pageOfBudgetRows = (
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

/**
 * The keys of `flow_periods` in a period: whole months by month, the days before and after these by day. Flows tell
 * neither labels nor what came late.
 */
const KEYS = sql`
  by_flow AS MATERIALIZED (SELECT *, iif(first < after, first, past) AS whole_from, iif(first < after, after, past) AS whole_to
    FROM (SELECT *, date("end", '+1 day') AS past, date(start, '-1 day', 'start of month', '+1 month') AS first,
        date("end", '+1 day', 'start of month') AS after FROM asked)
    WHERE closed_at < 0 AND how IN ('category', 'account', 'card')),
  keys(at, grain, low, high) AS MATERIALIZED (SELECT at, 'day', start, date(whole_from, '-1 day') FROM by_flow
    UNION ALL SELECT at, 'month', substr(whole_from, 1, 7), substr(date(whole_to, '-1 day'), 1, 7) FROM by_flow WHERE whole_from < whole_to
    UNION ALL SELECT at, 'day', whole_to, "end" FROM by_flow)`

/** SQL that is true unless the line `p` is by categories and does not cover the category. */
const isCovered = (categoryId: string) =>
  sql.raw(
    `(p.how <> 'category' OR (p.era, p.line_id, ${categoryId}) IN (SELECT era, line_id, id FROM covered))`,
  )

/** Tells whether a line `p` may count what the account `i` moves, and the caller sees the account. */
const isOfLine = (p: string, i: string) =>
  sql`(${sql.raw(`${isNamedAmong('seen_ids', `${i}.id`)} AND (${p}`)}.how = 'category' OR ${isOfAccount(p, i)}))`

/** SQL that is true if a line that is counted by flows would count an entry `e` that is not shown. */
const WOULD_COUNT = sql`e.status <> 'void' AND ${isCovered("ifnull(e.category_id, '')")} AND ${countingKey(ofEntry('e'), NOT_HIDDEN)} IS NOT NULL`

/** Entries that flows count but a list does not show: those that are hidden, and others that are pending where that does not count. */
const UNSHOWN = sql`SELECT p.at, e.transaction_id, e.line FROM known b CROSS JOIN (SELECT DISTINCT owner_id FROM inside) owners
      CROSS JOIN transactions t ON t.owner_id = owners.owner_id AND t.private = 1 AND ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = t.id CROSS JOIN by_flow p ON e.date BETWEEN p.start AND p."end"
      CROSS JOIN inside i ON i.id = e.account_id AND ${isOfLine('p', 'i')}
    WHERE (b.is_shared OR owners.owner_id <> b.owner_id) AND ${WOULD_COUNT}
  UNION ALL SELECT DISTINCT p.at, e.transaction_id, e.line FROM known b CROSS JOIN by_flow p CROSS JOIN inside i ON ${isOfLine('p', 'i')}
      CROSS JOIN entries a ON a.side = 'account' AND a.account_id = i.id AND a.status = 'pending' AND a.date BETWEEN p.start AND p."end"
      CROSS JOIN entries e ON e.transaction_id = a.transaction_id AND e.account_id = a.account_id
    WHERE NOT b.count_pending AND NOT ${isHidden('e')} AND ${WOULD_COUNT}`

/** Counts the rows of a list for each card and each period that may be meant. */
export const countOfRows = prepared<AskedRows, RowCount[]>(() =>
  db.all(sql`WITH RECURSIVE ${askedTables}, ${labelledTable}, ${KEYS},
      found(at, count) AS (
        SELECT p.at, ${ofLateRows('count(*)', sql.raw('true'))} FROM known b CROSS JOIN asked p ON p.closed_at >= 0
        UNION ALL SELECT p.at, 1 FROM known b CROSS JOIN labelled CROSS JOIN asked p ON p.at = labelled.at
            CROSS JOIN entries e ON e.transaction_id = labelled.transaction_id AND e.line = labelled.line
          WHERE ${isShown('e')}
        UNION ALL SELECT p.at, f.entry_count FROM known b CROSS JOIN keys CROSS JOIN by_flow p ON p.at = keys.at
            CROSS JOIN inside i ON ${isOfLine('p', 'i')}
            CROSS JOIN flow_periods f ON f.account_id = i.id AND f.grain = keys.grain AND f.period BETWEEN keys.low AND keys.high
          WHERE ${isCovered('f.category_id')} AND ${countingKey(ofFlow('f'), NOT_HIDDEN)} IS NOT NULL
        UNION ALL SELECT at, -1 FROM (${UNSHOWN}))
    SELECT asked.slot, asked.card, sum(found.count) AS count FROM found JOIN asked ON asked.at = found.at GROUP BY 1, 2`),
)
