import { type SQL, sql } from 'drizzle-orm'

/** What the history of an account says of an event. */
export interface HistoryFacts {
  /** Calendar date that the event counts for. */
  date: string
  changeMinor: number
  /** What later facts of the same commit change of the same account. */
  laterMinor?: number
  transactionId: string | null
}

/** Those facts as JSON, with the balance that the account has after the writes of the commit. */
export const historyFacts = (accountId: string, facts: HistoryFacts): SQL =>
  sql`(SELECT json_object('date', ${facts.date}, 'currency', a.currency,
      'changeMinor', CAST(${facts.changeMinor} AS INTEGER), 'balanceAfterMinor', b.balance_minor - CAST(${facts.laterMinor ?? 0} AS INTEGER),
      'transactionId', ${facts.transactionId})
    FROM accounts a JOIN account_balances b ON b.account_id = a.id WHERE a.id = ${accountId})`
