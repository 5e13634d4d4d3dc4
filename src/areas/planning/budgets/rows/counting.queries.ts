import { type SQL, sql } from 'drizzle-orm'
import type { AskedRows } from './asked-lines.queries.ts'

// What counts on a line, as conditions on the tables of `askedTables`, of which `p` is a row of `asked` and `b` that of `known`.

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
export const isAmong = (
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
export function keyOf({ accountId, flow, categoryId, counterAccountId }: Moved, hidden: SQL): SQL {
  const isOutward = `NOT ${isAmong('inside_ids', counterAccountId)}`
  const isSpending = sql.raw(`(${flow} = 'expense' OR (${flow} = 'transfer' AND ${isOutward}
    AND (b.mode = 'envelope' OR b.count_transfers)))`)
  const isExcluded = sql.raw(isAmong('excluded_ids', categoryId))
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
    WHEN p.how = 'category' THEN iif(${sql.raw(isAmong('card_ids', accountId))}, ${sql.raw(accountId)}, '') ELSE '' END`
}

/** SQL that is true if an entry counts on the line `p` and is shown. */
export const isShown = (
  e: string,
): SQL => sql`${hasCountedStatus(e)} AND ${sql.raw(isAmong('seen_ids', `${e}.account_id`))}
  AND NOT ${isHidden(e)} AND ${keyOf(ofEntry(e), NOT_HIDDEN)} IS NOT NULL`

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
