import { type SQL, sql } from 'drizzle-orm'
import { refuseIf } from '../../platform/database/premises.ts'
import type { Refusal } from '../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../platform/database/statements.ts'
import { columnsFrom, type LedgerRow } from '../rows/rows.queries.ts'
import type { LineTable } from '../books/lines.queries.ts'
import { eraseTransactions } from './trash.queries.ts'

/** The most transactions that one commit erases: each transfer leaves an adjustment on another account. */
const ERASED_WITH_ACCOUNT = 100

/** Some of the transactions of an account, given as a SELECT: those that are booked, or those in the trash or matched. */
export const someTransactionsOf = (accountId: SQL, table: LineTable) => {
  const lines = sql.raw(table)
  return db.all<LedgerRow>(
    sql`SELECT ${columnsFrom(table)}
      FROM (SELECT DISTINCT transaction_id FROM ${lines} WHERE account_id = (${accountId}) LIMIT ${ERASED_WITH_ACCOUNT}) some
        CROSS JOIN ${lines} e ON e.transaction_id = some.transaction_id AND e.line = 1
        JOIN transactions t ON t.id = e.transaction_id`,
  )
}

/**
 * Finds the ids among these remainders' ids that a transaction already has, whoever owns it. The row that became the
 * transfer itself does not count, because it is erased with it.
 */
export const takenTransactionIds = (ids: string[]) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM transactions WHERE id IN ${among(ids)} AND matched_into IS NOT 'trf_' || substr(id, 5)`,
  )

/** Erases transactions, booked or not, as they were read, for good. */
export function eraseAsRead(
  rows: Pick<LedgerRow, 'transactionId' | 'version' | 'ownerId'>[],
  changed: Refusal,
): Statement[] {
  const seen = JSON.stringify(rows.map(({ transactionId, version }) => [transactionId, version]))
  return [
    refuseIf(
      sql`(SELECT count(*) FROM json_each(${seen}) seen JOIN transactions t
        ON t.id = seen.value->>0 AND t.version = seen.value->>1) <> CAST(${rows.length} AS INTEGER)`,
      changed,
    ),
    ...eraseTransactions(rows.map(({ transactionId: id, ownerId }) => ({ id, ownerId }))),
  ]
}
