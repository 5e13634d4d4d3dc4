import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { db, prepared, type Statement } from '../../../../platform/statements.ts'
import { wideRunningSum } from '../../../../platform/wide-sums.ts'
import { viewerParams, visibleAccountIdsOf } from '../../../identity/access/access.public.ts'
import { type AskedRows, askedTables, isOfAccount } from './asked-lines.queries.ts'
import { countedTable, labelledTable } from './candidates.queries.ts'
import { isShown, ofLateRows } from './counting.queries.ts'
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

/** The description of an entry `e`: who sees only the other side of a part is told the note of that. */
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
export const pageOfRows = (
  asked: AskedRows,
  { after, limit }: { after?: readonly string[] | undefined; limit: number },
): Statement<CountedRow[]> => {
  const [date = null, transactionId = null, line = null] = after ?? []
  return page({ ...asked, date, transactionId, line, limit })
}
