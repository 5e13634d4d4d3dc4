import { sql } from 'drizzle-orm'
import type { Computed } from '../../platform/log/events.ts'

/** The facts of an event that the history of an account shows. */
export interface HistoryFacts {
  /** Calendar date that the event counts for. */
  date: string
  changeMinor: number
  /** The change of the account by later facts of the same commit. */
  laterMinor?: number
  transactionId: string | null
}

const WITH_BALANCE = sql`(SELECT json_object('date', value->'history'->>'date', 'currency', a.currency,
    'changeMinor', value->'history'->'changeMinor',
    'balanceAfterMinor', b.balance_minor - ifnull(value->'history'->>'laterMinor', 0),
    'transactionId', value->'history'->>'transactionId')
  FROM accounts a JOIN account_balances b ON b.account_id = a.id WHERE a.id = value->>'accountId')`

/** Adds to the facts the balance of the account after the writes of the commit. */
export const historyFacts = (values: HistoryFacts): Computed => ({ values, sql: WITH_BALANCE })
