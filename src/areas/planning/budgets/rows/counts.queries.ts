import { sql } from 'drizzle-orm'
import { db, prepared } from '../../../../platform/statements.ts'
import { type AskedRows, askedTables, isOfAccount } from './asked-lines.queries.ts'
import { labelledTable } from './candidates.queries.ts'
import { IS_HIDDEN } from '../figures/figures.queries.ts'
import {
  isAmong,
  isHidden,
  isShown,
  keyOf,
  NOT_HIDDEN,
  ofEntry,
  ofFlow,
  ofLateRows,
} from './counting.queries.ts'

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
  sql`(${sql.raw(`${isAmong('seen_ids', `${i}.id`)} AND (${p}`)}.how = 'category' OR ${isOfAccount(p, i)}))`

/** SQL that is true if a line that is counted by flows would count an entry `e` that is not shown. */
const WOULD_COUNT = sql`e.status <> 'void' AND ${isCovered("ifnull(e.category_id, '')")} AND ${keyOf(ofEntry('e'), NOT_HIDDEN)} IS NOT NULL`

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
          WHERE ${isCovered('f.category_id')} AND ${keyOf(ofFlow('f'), NOT_HIDDEN)} IS NOT NULL
        UNION ALL SELECT at, -1 FROM (${UNSHOWN}))
    SELECT asked.slot, asked.card, sum(found.count) AS count FROM found JOIN asked ON asked.at = found.at GROUP BY 1, 2`),
)
