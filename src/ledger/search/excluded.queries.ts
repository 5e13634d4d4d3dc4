import { type SQL, sql } from 'drizzle-orm'

/**
 * The lines of expenses and incomes that are excluded from reports, by the row or by its payee, as the table `excluded` of a WITH,
 * after the table `owners` of the owners of a table `scope` of accounts. It begins with the few rows and payees that are excluded.
 */
export const EXCLUDED_LINES = sql.raw(`owners AS MATERIALIZED (SELECT DISTINCT owner_id FROM scope),
  excluded AS MATERIALIZED (
    SELECT e.transaction_id, e.line FROM owners
      CROSS JOIN transactions t ON t.owner_id = owners.owner_id AND t.exclude_from_reports = 1
      CROSS JOIN entries e ON e.transaction_id = t.id AND e.side IN ('expense', 'income')
    UNION
    SELECT e.transaction_id, e.line FROM owners
      CROSS JOIN payees p ON p.owner_id = owners.owner_id AND p.exclude_from_reports = 1
      CROSS JOIN transaction_payees l ON l.payee_id = p.id
      CROSS JOIN entries e ON e.transaction_id = l.transaction_id AND e.side IN ('expense', 'income')
        AND (e.line = l.line OR l.line = 0 AND NOT EXISTS (SELECT 1 FROM transaction_payees o
          WHERE o.transaction_id = e.transaction_id AND o.line = e.line)))`)

/**
 * True if a line is in the table `excluded`. A pair of values that is not IN a list may be unknown instead of false, and SQLite
 * compares it with each of the list to tell which; what EXISTS is found by a key.
 */
export const isExcludedLine = (line: string): SQL =>
  sql.raw(
    `EXISTS (SELECT 1 FROM excluded x WHERE x.transaction_id = ${line}.transaction_id AND x.line = ${line}.line)`,
  )
