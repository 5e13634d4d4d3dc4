import { type SQL, sql } from 'drizzle-orm'
import { unbalanced } from '../../domain/ledger.ts'
import { refuseIf } from '../../platform/premises.ts'
import { among, db, type Statement } from '../../platform/statements.ts'

/** Where lines are: booked, or put away. */
export type Lines = 'entries' | 'trashed_entries'

/** All columns of a line; both tables have the same. */
export const LINE =
  sql.raw(`transaction_id, line, owner_id, account_id, "end", date, amount_minor, currency,
    status, category_id, note, external_id`)

const move = (from: Lines, to: Lines, transactionIds: string[]): Statement[] => {
  const those = sql`FROM ${sql.raw(from)} WHERE transaction_id IN ${among(transactionIds)}`
  return [
    db.run(sql`INSERT INTO ${sql.raw(to)} (${LINE}) SELECT ${LINE} ${those}`),
    db.run(sql`DELETE ${those}`),
  ]
}

/** Puts the lines of transactions away, to where nothing counts them. */
export const putLinesAway = (transactionIds: string[]): Statement[] =>
  move('entries', 'trashed_entries', transactionIds)

/** Books the lines of transactions again, as they were when they were put away. */
export const bookLinesAgain = (transactionIds: string[]): Statement[] =>
  move('trashed_entries', 'entries', transactionIds)

/** Fails unless the lines that meet a condition sum to zero per transaction and currency. */
export const mustBalanceWhere = (condition: SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM entries WHERE ${condition}
      GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0 OR count(*) < 2)`,
    unbalanced,
  )
