import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../platform/database/statements.ts'
import { lacksCategory } from '../books/lines.queries.ts'
import type { projectionChecks } from './checks.queries.ts'
import { balancesOf, flowsOf, keptDaysOf, movedOf, periodsOf } from './truth.queries.ts'

const only = (accountId: string) => sql`SELECT ${accountId}`

/** Months are made of days, so they go with them. */
const rebuildMonths = (accountId: string): Statement[] => [
  db.run(sql`DELETE FROM flow_periods WHERE account_id = ${accountId} AND grain = 'month'`),
  db.run(sql`${INTO_FLOWS} ${flowsOf('month', keptDaysOf(only(accountId)))}`),
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
    db.run(sql`${INTO_FLOWS} ${flowsOf('day', movedOf(only(accountId)))}`),
    ...rebuildMonths(accountId),
  ],
  flowMonths: rebuildMonths,
  periods: (accountId) => [
    db.run(sql`DELETE FROM account_periods WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_periods (account_id, grain, period, inflow_minor, outflow_minor,
      cleared_minor, reconciled_minor, entry_count) ${periodsOf(only(accountId))}`),
  ],
  uncategorised: (accountId) => [
    db.run(sql`UPDATE entries AS e SET uncategorised = ${lacksCategory('entries')}
      WHERE account_id = ${accountId} AND side = 'account' AND uncategorised <> ${lacksCategory('entries')}`),
  ],
}
