import { sql, type SQL } from 'drizzle-orm'
import { db, type Statement } from '../../platform/database/statements.ts'
import { transactionLacksCategory } from '../books/lines.queries.ts'
import type { projectionChecks } from './checks.queries.ts'
import {
  balancesOf,
  flowSums,
  keptDaysOf,
  movedByLine,
  periodsOf,
  IS_KEPT,
} from './truth.queries.ts'

const only = (accountId: string) => sql`SELECT ${accountId}`

/** Months are made of days, so they go with them. */
const rebuildMonths = (accountId: string): Statement[] => [
  db.run(sql`DELETE FROM flow_periods WHERE account_id = ${accountId} AND grain = 'month'`),
  db.run(sql`${INTO_FLOWS} ${flowSums('month', keptDaysOf(only(accountId)))}`),
]

const INTO_FLOWS =
  sql.raw(`INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id,
  amount_minor, pending_minor, entry_count, inflow_minor)`)

/** For each projection, what makes it of an account anew from the entries; nothing of an account that is gone. */
export const rebuild: Record<keyof typeof projectionChecks, (accountId: string) => Statement[]> = {
  balances: (accountId) => [
    db.run(sql`DELETE FROM account_balances WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_balances (account_id, balance_minor, cleared_minor, reconciled_minor,
      opening_minor, transaction_count, last_date) ${balancesOf(only(accountId))}`),
  ],
  flowDays: (accountId) => [
    db.run(sql`DELETE FROM flow_periods WHERE account_id = ${accountId} AND grain = 'day'`),
    db.run(sql`${INTO_FLOWS} ${flowSums('day', movedByLine(only(accountId)))}`),
    ...rebuildMonths(accountId),
  ],
  flowMonths: rebuildMonths,
  periods: (accountId) => [
    db.run(sql`DELETE FROM account_periods WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor,
      cleared_minor, reconciled_minor, entry_count) ${periodsOf(only(accountId))}`),
  ],
  uncategorised: (accountId) => [
    db.run(sql`UPDATE entries AS e SET uncategorised = ${transactionLacksCategory('entries')}
      WHERE account_id = ${accountId} AND side = 'account' AND uncategorised <> ${transactionLacksCategory('entries')}`),
  ],
}

/** The part of the ledger that one step reads. */
export interface StepSize {
  /** Accounts, however little is booked on them. */
  accounts: number
  /** Transactions. An account with more of them is a step of its own. */
  transactions: number
}

/** A step holds the database for some 15 ms, and for some 25 ms where an account has 10,000 transactions. */
export const STEP_SIZE: StepSize = { accounts: 100, transactions: 3_000 }

/**
 * The next accounts by id, also those in the trash: at least one, and no further one once those before it have half
 * of the transactions of a step.
 */
export const accountsAfter = (id: string, size: StepSize) =>
  db.all<{ id: string; ownerId: string }>(
    sql`SELECT id, ownerId FROM (
        SELECT a.id, a.owner_id AS ownerId, sum(ifnull(b.transaction_count, 0))
          OVER (ORDER BY a.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS booked
        FROM (SELECT id, owner_id FROM accounts WHERE id > ${id} ORDER BY id LIMIT ${size.accounts}) a
          LEFT JOIN account_balances b ON b.account_id = a.id)
      WHERE ifnull(booked, 0) < CAST(${Math.ceil(size.transactions / 2)} AS INTEGER) ORDER BY id`,
  )

/** Accounts as a subquery of their ids, without those that are being erased. */
export const accountsWith = (ids: string[]): SQL =>
  sql`SELECT a.id FROM json_each(${JSON.stringify(ids)}) CROSS JOIN accounts a ON a.id = value WHERE ${IS_KEPT}`

/** The last transaction of the step after one; none where fewer are left than a step has. */
export const endOfStepAfter = (id: string, size: StepSize) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM transactions WHERE id > ${id} ORDER BY id LIMIT 1 OFFSET ${size.transactions - 1}`,
  )

/** The next transactions of somebody. */
export const nextTransactionsOf = (ownerId: string, after: string) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM transactions WHERE owner_id = ${ownerId} AND id > ${after} ORDER BY id LIMIT 1000`,
  )

export const accountsOfOwner = (ownerId: string) =>
  db.all<{ id: string }>(sql`SELECT id FROM accounts WHERE owner_id = ${ownerId}`)
