import { type SQL, sql } from 'drizzle-orm'
import { unbalanced } from '../../domain/ledger.ts'
import { refuseIf } from '../../platform/premises.ts'
import { among, db, type Statement } from '../../platform/statements.ts'

/** The table of lines: booked entries, or those of transactions in the trash. */
export type Lines = 'entries' | 'unbooked_entries'

/** The columns that lines have in both tables. */
export const LINE =
  sql.raw(`transaction_id, line, owner_id, account_id, side, date, amount_minor, currency,
    status, category_id, note, external_id`)

/** Whether something of the transaction of a line `e` that could have a category has none, on the account of that line. */
export const lacksCategory = (table: Lines): SQL =>
  sql.raw(`EXISTS (SELECT 1 FROM ${table} part WHERE part.transaction_id = e.transaction_id
    AND part.account_id = e.account_id AND part.side IN ('expense', 'income') AND part.category_id IS NULL)`)

/** The other account line of the transaction of a line `e`; none where that has one only. */
const counterOf = (table: Lines, column: string) =>
  `(SELECT other.${column} FROM ${table} other WHERE other.transaction_id = e.transaction_id
    AND other.side = 'account' AND other.line <> e.line AND e.side = 'account')`

/** The fields of a transfer that are kept on a line `e`: the account on the other side, and the amount without fees. */
export const flowOf = (table: Lines): { counterAccountId: SQL; flowMinor: SQL } => ({
  counterAccountId: sql.raw(counterOf(table, 'account_id')),
  flowMinor: sql.raw(`iif(${counterOf(table, 'line')} IS NULL, NULL, e.amount_minor
    + (SELECT ifnull(sum(fee.amount_minor), 0) FROM ${table} fee WHERE fee.transaction_id = e.transaction_id
      AND fee.account_id = e.account_id AND fee.side = 'expense'))`),
})

/**
 * Among which lines of its account the external id of one is unique: those that all see, or the private ones of one author.
 * Asked of the header as it is stored by then.
 */
export const externalScopeOf = (transactionId: SQL, externalId: SQL): SQL =>
  sql`CASE WHEN ${externalId} IS NULL THEN '' ELSE (SELECT iif(h.private, h.created_by, '')
    FROM transactions h WHERE h.id = ${transactionId}) END`

/** Puts the lines of transactions away, to where nothing counts them. */
export function deactivateEntries(
  transactionIds: string[],
  reason: 'trash' | 'match',
): Statement[] {
  const those = sql`FROM entries WHERE transaction_id IN ${among(transactionIds)}`
  return [
    db.run(sql`INSERT INTO unbooked_entries (${LINE}, reason) SELECT ${LINE}, ${reason} ${those}`),
    db.run(sql`DELETE ${those}`),
  ]
}

const PUT_AWAY = flowOf('unbooked_entries')

/** Books the lines of transactions again, as they were when they were put away. */
export const reactivateEntries = (transactionIds: string[]): Statement[] => [
  db.run(sql`INSERT INTO entries (${LINE}, uncategorised, external_scope, counter_account_id, flow_minor)
    SELECT ${LINE}, side = 'account' AND ${lacksCategory('unbooked_entries')},
      ${externalScopeOf(sql`e.transaction_id`, sql`e.external_id`)}, ${PUT_AWAY.counterAccountId}, ${PUT_AWAY.flowMinor}
    FROM unbooked_entries e WHERE transaction_id IN ${among(transactionIds)}`),
  removeUnbooked(transactionIds),
]

/** Removes the lines of transactions that are booked again. */
export const removeUnbooked = (transactionIds: string[]): Statement =>
  db.run(sql`DELETE FROM unbooked_entries WHERE transaction_id IN ${among(transactionIds)}`)

/**
 * Whether the account lines of a transaction, in a group, say wrongly which was the other account, or what the money was moved
 * for: the two of a transfer name each other's account and the same category, the one of any other transaction says neither.
 */
const CONTRADICTS = sql.raw(`(min(counter_account_id), max(counter_account_id))
    IS NOT (iif(count(*) > 1, min(account_id), NULL), iif(count(*) > 1, max(account_id), NULL))
  OR max(counter_account_id = account_id) IS 1 OR count(counter_account_id) NOT IN (0, count(*))
  OR min(ifnull(category_id, '')) <> max(ifnull(category_id, '')) OR count(*) < 2 AND max(category_id) IS NOT NULL`)

/**
 * Fails unless the lines that meet a condition sum to zero per transaction and currency, what each account says to have
 * moved to another one is what is left of its lines without those of the exchange, and both accounts of a transfer say the same
 * of it.
 */
export const mustBalanceWhere = (condition: SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM entries WHERE ${condition}
        GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0 OR count(*) < 2)
      OR EXISTS (SELECT 1 FROM entries WHERE ${condition} GROUP BY transaction_id, account_id
        HAVING ifnull(sum(amount_minor) FILTER (WHERE side <> 'exchange'), 0) <> ifnull(sum(flow_minor), 0))
      OR EXISTS (SELECT 1 FROM entries WHERE ${condition} AND side = 'account' GROUP BY transaction_id
        HAVING ${CONTRADICTS})`,
    unbalanced,
  )
