import { type SQL, sql } from 'drizzle-orm'
import { among, db, type Statement } from '../../platform/database/statements.ts'
import { isLineOf, type OwnedTransaction } from '../books/lines.queries.ts'

/** Rows of a table that one commit erases. */
const ROWS_PER_STEP = sql.raw('2000')

const KEPT = sql.raw(`(EXISTS (SELECT 1 FROM account_balances b WHERE b.account_id = a.id)
  OR EXISTS (SELECT 1 FROM account_periods p WHERE p.account_id = a.id)
  OR EXISTS (SELECT 1 FROM flow_periods f WHERE f.account_id = a.id))`)

/** One row if something is still kept of what is booked on an account, given as a SELECT. */
export const keptOf = (accountId: SQL) =>
  db.all<{ id: string }>(sql`SELECT a.id FROM accounts a WHERE a.id = (${accountId}) AND ${KEPT}`)

/** Some accounts of an owner of which something is kept, from one on. It comes last, as one step may not erase all of theirs. */
export const keptAccountsFrom = (ownerId: string, first: string) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM (SELECT a.id FROM accounts a WHERE a.owner_id = ${ownerId} AND a.id >= ${first} AND ${KEPT}
      ORDER BY a.id LIMIT 25) ORDER BY id DESC`,
  )

/**
 * Erases some of what is kept of accounts that go with all that is booked on them. It goes first, the balances in the first commit:
 * the lines could leave the range of amounts while they are erased, in whatever order, and nobody sees these accounts any more.
 */
export function eraseKept(accountIds: string[], ownerId: string): Statement[] {
  const those = sql`(SELECT a.id FROM accounts a WHERE a.id IN ${among(accountIds)} AND a.owner_id = ${ownerId})`
  return [
    db.run(sql`DELETE FROM account_balances WHERE account_id IN ${those}`),
    db.run(sql`DELETE FROM account_periods WHERE (account_id, grain, period) IN
      (SELECT account_id, grain, period FROM account_periods WHERE account_id IN ${those} LIMIT ${ROWS_PER_STEP})`),
    db.run(sql`DELETE FROM flow_periods WHERE (account_id, grain, period, flow, category_id, counter_account_id) IN
      (SELECT account_id, grain, period, flow, category_id, counter_account_id FROM flow_periods
        WHERE account_id IN ${those} LIMIT ${ROWS_PER_STEP})`),
  ]
}

/**
 * Statements that book many lines on accounts, or take them off. Lines come and go in any order, so only the balances that result
 * must be in the range of amounts.
 * @param accountIds a SELECT, or a list
 */
export const withRangeAtTheEnd = (
  ownerIds: string[],
  accountIds: SQL,
  statements: Statement[],
): Statement[] => [
  db.run(sql`UPDATE account_balances SET is_range_deferred = 1 WHERE account_id IN ${accountIds}`),
  ...statements,
  // The plus has SQLite begin with those that this commit has set: no commit leaves others.
  db.run(sql`UPDATE account_balances SET is_range_deferred = 0 WHERE is_range_deferred = 1
    AND +account_id IN (SELECT a.id FROM accounts a WHERE a.owner_id IN ${among(ownerIds)})`),
]

/** The accounts that transactions are booked on. */
export const accountsOfLines = (all: OwnedTransaction[]): SQL =>
  sql`(SELECT account_id FROM entries WHERE ${isLineOf(all)})`
