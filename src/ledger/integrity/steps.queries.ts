import { type SQL, sql } from 'drizzle-orm'
import { db } from '../../platform/database/statements.ts'
import { IS_KEPT } from './truth.queries.ts'

/** How much of the ledger one step looks at. */
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
export const transactionsOf = (ownerId: string, after: string) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM transactions WHERE owner_id = ${ownerId} AND id > ${after} ORDER BY id LIMIT 1000`,
  )

export const accountsOf = (ownerId: string) =>
  db.all<{ id: string }>(sql`SELECT id FROM accounts WHERE owner_id = ${ownerId}`)
