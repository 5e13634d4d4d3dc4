import { type SQL, sql } from 'drizzle-orm'
import { db, type Statement } from '../../../platform/statements.ts'
import { balancesOf, categoryMonthsOf, periodsOf } from '../checks/truth.queries.ts'

/** Accounts of one step: all that is booked on them is summed up at once. */
const AT_ONCE = 10

/** A subquery of the next accounts, by id; also of those in the trash. */
export const idsAfter = (id: string): SQL =>
  sql`SELECT id FROM accounts WHERE id > ${id} ORDER BY id LIMIT ${sql.raw(String(AT_ONCE))}`

export const accountsAfter = (id: string) =>
  db.all<{ id: string; ownerId: string }>(
    sql`SELECT id, owner_id AS ownerId FROM accounts WHERE id IN (${idsAfter(id)}) ORDER BY id`,
  )

/** Makes what is kept of an account anew from its entries; nothing of one that is gone. */
export function rebuild(accountId: string): Statement[] {
  const only = sql`SELECT ${accountId}`
  return [
    db.run(sql`DELETE FROM account_balances WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_balances (account_id, balance_minor, cleared_minor, reconciled_minor,
      opening_minor, transaction_count, last_date) ${balancesOf(only)}`),
    db.run(sql`DELETE FROM category_months WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO category_months (account_id, month, category_id, activity_minor, entry_count)
      ${categoryMonthsOf(only)}`),
    db.run(sql`DELETE FROM account_periods WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor,
      cleared_minor, reconciled_minor, entry_count) ${periodsOf(only)}`),
  ]
}
