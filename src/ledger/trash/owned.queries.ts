import { type SQL, sql } from 'drizzle-orm'
import { MAX_MINOR_SQL } from '../../../drizzle/columns.ts'
import { isOutOfScope, type OwnedScope, rowsOfScope } from '../../platform/owned-data/owned-data.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { conflicting } from '../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../platform/database/statements.ts'
import { isLineOf, type OwnedTransaction } from '../books/lines.queries.ts'
import { eraseTransactionsOf } from './trash.queries.ts'

// The ledger's rows of an owner, to be erased in steps.

/** Transactions of one commit. */
const ROWS_PER_STEP = sql.raw('250')
/** Transactions that are looked at for those that can be erased alone. */
const LOOKED_AT = sql.raw('1000')

/**
 * True if something that is not erased itself was matched into a transaction `t`. A trigger would erase it with the
 * transaction, which therefore stays.
 */
const standsForOthers = (scope: OwnedScope): SQL =>
  sql`EXISTS (SELECT 1 FROM transactions m WHERE m.matched_into = t.id
    AND ${isOutOfScope(scope, sql`m.id`, sql`m.created_at`)})`

/** Some of all that is booked but opening balances, which belong to their accounts. */
export const bookedOf = (scope: OwnedScope, after: string) =>
  db.all<{
    id: string
  }>(sql`SELECT t.id FROM ${rowsOfScope(scope, sql`transactions t`, sql`t.id`, after)}
    WHERE t.owner_id = ${scope.ownerId} AND ${isErasable(scope, after)} ORDER BY ${idsOf(scope)} LIMIT ${ROWS_PER_STEP}`)

/** In this order what was seen to is not looked at again: what is newer than a wipe stays. */
const idsOf = ({ addedBy }: OwnedScope): SQL =>
  addedBy === undefined ? sql`t.id` : sql`added.row_id`

const isErasable = (scope: OwnedScope, after: string): SQL =>
  sql`t.id > ${after} AND t.kind <> 'opening' AND t.created_at <= ${scope.before}
    AND EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id AND e.side = 'account')
    AND NOT ${standsForOthers(scope)}`

/** True if the account `b` would leave the range of amounts without the lines of a transaction on it, in a group. */
const LEAVES_RANGE = sql.raw(
  [
    ['balance', `e.status <> 'void'`],
    ['cleared', `e.status IN ('cleared', 'reconciled')`],
    ['reconciled', `e.status = 'reconciled'`],
  ]
    .map(
      ([part, counts]) =>
        `abs(b.${part}_minor - sum(iif(${counts}, e.amount_minor, 0))) > ${MAX_MINOR_SQL}`,
    )
    .join(' OR '),
)

/** Some of the same, by their ids, with whether each can be erased alone. */
export const erasableOf = (scope: OwnedScope, after: string) =>
  db.all<{
    id: string
    canGo: 0 | 1
  }>(sql`SELECT t.id, NOT EXISTS (SELECT 1 FROM entries e JOIN account_balances b ON b.account_id = e.account_id
        WHERE e.transaction_id = t.id AND e.side = 'account' GROUP BY e.account_id HAVING ${LEAVES_RANGE}) AS canGo
    FROM ${rowsOfScope(scope, sql`transactions t`, sql`t.id`, after)}
    WHERE t.owner_id = ${scope.ownerId} AND ${isErasable(scope, after)} ORDER BY ${idsOf(scope)} LIMIT ${LOOKED_AT}`)

/**
 * Some of what is not booked. What belongs to a transaction in the trash goes with it by a trigger, and so do rows that a
 * transfer stands for: they are its, however much older.
 */
export const unbookedOf = (scope: OwnedScope, after: string) =>
  db.all<{
    id: string
  }>(sql`SELECT t.id FROM ${rowsOfScope(scope, sql`transactions t`, sql`t.id`, after)} WHERE t.owner_id = ${scope.ownerId}
    AND t.id > ${after} AND t.created_at <= ${scope.before} AND t.matched_into IS NULL
    AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id) AND NOT ${standsForOthers(scope)}
    ORDER BY ${idsOf(scope)} LIMIT ${ROWS_PER_STEP}`)

/** Erases transactions. Refuses where something else was matched into one since they were found. */
export const eraseOwned = (ids: string[], scope: OwnedScope): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM transactions t WHERE t.id IN ${among(ids)} AND ${standsForOthers(scope)})`,
    conflicting,
  ),
  ...withRangeAtTheEnd(
    [scope.ownerId],
    accountsOfLines(ids.map((id) => ({ id, ownerId: scope.ownerId }))),
    eraseTransactionsOf(ids, scope.ownerId),
  ),
]

/** Rows of a table that one commit erases. */
const SUMS_PER_STEP = sql.raw('2000')

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
      (SELECT account_id, grain, period FROM account_periods WHERE account_id IN ${those} LIMIT ${SUMS_PER_STEP})`),
    db.run(sql`DELETE FROM flow_periods WHERE (account_id, grain, period, flow, category_id, counter_account_id) IN
      (SELECT account_id, grain, period, flow, category_id, counter_account_id FROM flow_periods
        WHERE account_id IN ${those} LIMIT ${SUMS_PER_STEP})`),
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
const accountsOfLines = (all: OwnedTransaction[]): SQL =>
  sql`(SELECT account_id FROM entries WHERE ${isLineOf(all)})`
