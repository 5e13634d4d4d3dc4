import { sql } from 'drizzle-orm'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { db } from '../../../../platform/database/statements.ts'
import { packedItem } from '../../recurring/recurring.public.ts'
import {
  DAYS_OF_PERIOD,
  figureTables,
  type FiguresRequest,
  flowColumns,
  IS_HIDDEN,
  IS_ITEM_COUNTABLE,
  knownSince,
  MARGIN_DAYS,
  ofOne,
} from '../figures/figures.queries.ts'

/** The rows of `recurring` that the budget `b` can count. */
const COUNTABLE_ITEMS = sql`(SELECT owner_id FROM inside UNION SELECT owner_id FROM b) owner
  CROSS JOIN recurring ON recurring.owner_id = owner.owner_id AND ${IS_ITEM_COUNTABLE}`

/** Reads the active recurring items that the budget can count, as JSON for `unpackItem`. */
export const activeItems = ofOne((asked: FiguresRequest) =>
  db.all<{ image: string }>(sql`WITH ${figureTables(asked)}
    SELECT ${packedItem(knownSince(asked))} AS image FROM b CROSS JOIN ${COUNTABLE_ITEMS} WHERE recurring.active = 1`),
)

/** A flow of a transaction that is linked to a recurring item. */
export interface LinkedFlow extends Flow {
  transactionId: string
}

/** Reads the flows around a period of transactions that are linked to items which the budget can count. */
export const linkedFlows = ofOne((asked: FiguresRequest) =>
  db.all<LinkedFlow>(sql`WITH ${figureTables(asked)},
      span AS MATERIALIZED (SELECT date(${asked.from}, '-' || (${DAYS_OF_PERIOD} + ${MARGIN_DAYS}) || ' days') AS first,
        date(${asked.to}, '+' || (${DAYS_OF_PERIOD} + ${MARGIN_DAYS}) || ' days') AS last FROM b)
    SELECT ${flowColumns}, t.id AS transactionId
    FROM b CROSS JOIN span CROSS JOIN ${COUNTABLE_ITEMS}
      CROSS JOIN transactions linked ON linked.recurring_id = recurring.id AND linked.deleted_at IS NULL
        AND linked.recurring_date BETWEEN date(span.first, '-1 year') AND date(span.last, '+1 year')
      CROSS JOIN transactions t ON t.id = ifnull(linked.matched_into, linked.id) AND t.deleted_at IS NULL AND NOT ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = t.id AND e.account_id IN (SELECT id FROM inside)
    WHERE (e.side = 'expense' OR e.flow_minor IS NOT NULL) AND e.status <> 'void' AND e.date BETWEEN span.first AND span.last`),
)
