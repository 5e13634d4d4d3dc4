import { type SQL, sql } from 'drizzle-orm'
import { unbalanced } from '../../domain/ledger.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { among, db, type Statement } from '../../platform/database/statements.ts'

/** The table of lines: booked entries, or those of transactions in the trash. */
export type LineTable = 'entries' | 'unbooked_entries'

/** The columns that lines have in both tables. */
export const LINE =
  sql.raw(`transaction_id, line, owner_id, account_id, side, date, amount_minor, currency,
    status, category_id, note, external_id, pair, payee_raw`)

/** True if the transaction of a line `e` has something on the account of that line that could have a category and has none. */
export const transactionLacksCategory = (table: LineTable): SQL =>
  sql.raw(`EXISTS (SELECT 1 FROM ${table} part WHERE part.transaction_id = e.transaction_id
    AND part.account_id = e.account_id AND part.side IN ('expense', 'income') AND part.category_id IS NULL)`)

/**
 * The line on the other account that a line `e` moves money to or from: the other account line of a transfer, or what a line
 * of the exchange of a part is met by. None where it moves nothing between accounts.
 */
const counterOf = (table: LineTable, column: string) =>
  `CASE e.side WHEN 'account' THEN (SELECT other.${column} FROM ${table} other
      WHERE other.transaction_id = e.transaction_id AND other.side = 'account' AND other.line <> e.line
        AND other.pair IS NULL AND e.pair IS NULL)
    WHEN 'exchange' THEN (SELECT other.${column} FROM ${table} other
      WHERE other.transaction_id = e.transaction_id
        AND iif(e.pair IS NULL, other.side = 'account' AND other.pair = e.line, other.line = e.pair)) END`

/** The columns of a line `e` about movements between accounts: the account on the other side, and the amount without fees. */
export const flowColumnsOfLine = (table: LineTable): { counterAccountId: SQL; flowMinor: SQL } => ({
  counterAccountId: sql.raw(counterOf(table, 'account_id')),
  flowMinor: sql.raw(`CASE WHEN (${counterOf(table, 'line')}) IS NULL THEN NULL
    WHEN e.side = 'exchange' THEN 0 - e.amount_minor
    ELSE e.amount_minor + (SELECT ifnull(sum(fee.amount_minor), 0) FROM ${table} fee
      WHERE fee.transaction_id = e.transaction_id AND fee.account_id = e.account_id AND fee.side = 'expense') END`),
})

/**
 * Among which lines of its account the external id of one is unique: those that all see, or the private ones of one author.
 * Asked of the header as it is stored by then.
 */
export const externalScopeOf = (transactionId: SQL, externalId: SQL): SQL =>
  sql`CASE WHEN ${externalId} IS NULL THEN '' ELSE (SELECT iif(h.private, h.created_by, '')
    FROM transactions h WHERE h.id = ${transactionId}) END`

/**
 * A transaction as it was found, with its owner. What changes transactions by their ids names both, so that no id out of stored
 * data leads to those of somebody else.
 */
export interface OwnedTransaction {
  id: string
  ownerId: string
}

/** True if a line belongs to one of these transactions. */
export const isLineOf = (all: OwnedTransaction[]): SQL =>
  sql`transaction_id IN ${among(all.map(({ id }) => id))}
    AND owner_id IN ${among([...new Set(all.map(({ ownerId }) => ownerId))])}`

/** Puts the lines of transactions away, to where nothing counts them. */
export function deactivateEntries(all: OwnedTransaction[], reason: 'trash' | 'match'): Statement[] {
  const those = sql`FROM entries WHERE ${isLineOf(all)}`
  return [
    db.run(sql`INSERT INTO unbooked_entries (${LINE}, reason) SELECT ${LINE}, ${reason} ${those}`),
    db.run(sql`DELETE ${those}`),
  ]
}

const PUT_AWAY = flowColumnsOfLine('unbooked_entries')

/** Books the lines of transactions again, as they were when they were put away. */
export const reactivateEntries = (all: OwnedTransaction[]): Statement[] => [
  db.run(sql`INSERT INTO entries (${LINE}, uncategorised, external_scope, counter_account_id, flow_minor)
    SELECT ${LINE}, side = 'account' AND ${transactionLacksCategory('unbooked_entries')},
      ${externalScopeOf(sql`e.transaction_id`, sql`e.external_id`)}, ${PUT_AWAY.counterAccountId}, ${PUT_AWAY.flowMinor}
    FROM unbooked_entries e WHERE ${isLineOf(all)}`),
  removeUnbooked(all),
]

/** Removes the lines of transactions that are booked again. */
export const removeUnbooked = (all: OwnedTransaction[]): Statement =>
  db.run(sql`DELETE FROM unbooked_entries WHERE ${isLineOf(all)}`)

/**
 * True if the account lines of a transaction, in a group without those of parts, name a wrong other account or a
 * wrong category. The two lines of a transfer name each other's account and the same category; the line of any other
 * transaction names neither.
 */
const CONTRADICTS = sql.raw(`(min(counter_account_id), max(counter_account_id))
    IS NOT (iif(count(*) > 1, min(account_id), NULL), iif(count(*) > 1, max(account_id), NULL))
  OR max(counter_account_id = account_id) IS 1 OR count(counter_account_id) NOT IN (0, count(*))
  OR min(ifnull(category_id, '')) <> max(ifnull(category_id, '')) OR count(*) < 2 AND max(category_id) IS NOT NULL`)

/**
 * True if the lines of one account of a transaction, in a group, do not balance. Without the lines of the exchange,
 * they sum to the amount that they state as moved to other accounts; they sum to zero unless they are a side of a
 * transfer.
 */
const IS_OFF =
  sql.raw(`ifnull(sum(amount_minor) FILTER (WHERE side <> 'exchange'), 0) <> ifnull(sum(flow_minor), 0)
  OR sum(amount_minor) <> 0 AND count(*) FILTER (WHERE side = 'account' AND flow_minor IS NOT NULL) = 0`)

/** True if a line `e` of the other account of a part contradicts the line `o` of the part. */
const IS_UNPAIRED = `o.line IS NULL OR o.side <> 'exchange' OR o.pair IS NOT NULL OR o.account_id = e.account_id
  OR (o.status = 'void') <> (e.status = 'void') OR o.counter_account_id IS NOT e.account_id OR o.owner_id <> e.owner_id
  OR e.side = 'exchange' AND (e.counter_account_id IS NOT o.account_id OR e.category_id IS NOT o.category_id
    OR iif(e.currency = o.currency, e.flow_minor + o.flow_minor <> 0, (e.flow_minor < 0) = (o.flow_minor < 0)))`

/** The lines `e` of other accounts that are not those of a part, and the parts without such lines, of some transactions. */
export const unpairedWhere = (isOne: SQL): SQL =>
  sql`SELECT e.transaction_id, e.line FROM entries e
      LEFT JOIN entries o ON o.transaction_id = e.transaction_id AND o.line = e.pair
    WHERE ${isOne} AND e.pair IS NOT NULL AND (${sql.raw(IS_UNPAIRED)})
  UNION ALL SELECT e.transaction_id, e.line FROM entries e WHERE ${isOne} AND e.side = 'exchange' AND e.pair IS NULL
    AND e.flow_minor IS NOT NULL AND (SELECT group_concat(p.side ORDER BY p.line) FROM entries p
      WHERE p.transaction_id = e.transaction_id AND p.pair = e.line) IS NOT 'account,exchange'`

/**
 * Fails unless the lines that meet a condition sum to zero per transaction and currency, each account balances,
 * both accounts of a transfer say the same of it, and so do both sides of a part. Only what moves money by lines of the exchange is
 * looked at for the last.
 */
export const mustBalanceWhere = (condition: SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM entries WHERE ${condition}
        GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0 OR count(*) < 2
          OR (max(pair) IS NOT NULL OR max(iif(side = 'exchange', flow_minor, NULL)) IS NOT NULL)
            AND EXISTS (${unpairedWhere(sql.raw('e.transaction_id = entries.transaction_id'))}))
      OR EXISTS (SELECT 1 FROM entries WHERE ${condition} GROUP BY transaction_id, account_id HAVING ${IS_OFF})
      OR EXISTS (SELECT 1 FROM entries WHERE ${condition} AND side = 'account' AND pair IS NULL GROUP BY transaction_id
        HAVING ${CONTRADICTS})`,
    unbalanced,
  )
