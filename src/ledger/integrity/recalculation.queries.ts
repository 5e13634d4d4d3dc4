import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../platform/statements.ts'
import { lacksCategory } from '../books/lines.queries.ts'
import type { projectionChecks } from './checks.queries.ts'
import { balancesOf, flowsOf, type Grain, periodsOf } from './truth.queries.ts'

const only = (accountId: string) => sql`SELECT ${accountId}`

const rebuildFlows = (grain: Grain, accountId: string): Statement[] => [
  db.run(sql`DELETE FROM flow_periods WHERE account_id = ${accountId} AND grain = ${grain}`),
  db.run(sql`INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id,
    amount_minor, pending_minor, entry_count) ${flowsOf(grain, only(accountId))}`),
]

/** For each projection, what makes it of an account anew from the entries; nothing of an account that is gone. */
export const rebuild: Record<keyof typeof projectionChecks, (accountId: string) => Statement[]> = {
  balances: (accountId) => [
    db.run(sql`DELETE FROM account_balances WHERE account_id = ${accountId}`),
    db.run(sql`INSERT INTO account_balances (account_id, balance_minor, cleared_minor, reconciled_minor,
      opening_minor, transaction_count, last_date) ${balancesOf(only(accountId))}`),
  ],
  flowDays: (accountId) => rebuildFlows('day', accountId),
  flowMonths: (accountId) => rebuildFlows('month', accountId),
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
