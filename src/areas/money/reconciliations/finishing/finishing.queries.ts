import { sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import {
  db,
  inParameters,
  itemsOf,
  type Statement,
} from '../../../../platform/database/statements.ts'
import { assertionsAmong } from '../../balance-assertions/balance-assertions.public.ts'
import { lastOf } from '../reconciliations.queries.ts'
import type { ReconciliationRow } from '../reconciliations.rules.ts'
import { addressOfRow, deleteTicks } from '../rows.queries.ts'
import type { FinishedRow } from './finishing.rules.ts'

export const storedRows = (id: string) =>
  db.all<FinishedRow>(sql`SELECT ${addressOfRow('k')} AS id, k.transaction_id AS transactionId, k.line,
      k.status_before AS statusBefore, k.amount_minor AS amountMinor, k.date
    FROM reconciliation_rows k WHERE k.reconciliation_id = ${id} ORDER BY k.date, k.transaction_id, k.line`)

/** The last day on which the account of a session has a reconciled row, where that is after the statement. */
export const lastReconciledDay = (id: string) =>
  db.all<{ date: string | null }>(sql`SELECT max(e.date) AS date FROM reconciliations s
    CROSS JOIN entries e ON e.account_id = s.account_id AND e.side = 'account' AND e.date > s.statement_date
      AND e.status = 'reconciled'
    WHERE s.id = ${id}`)

/** Stores rows in the place of all that are ticked in a session: as they are when it is finished, or as open ticks. */
export const replaceRows = (
  session: Pick<ReconciliationRow, 'id' | 'ownerId'>,
  rows: (Pick<FinishedRow, 'transactionId' | 'line'> &
    Partial<Pick<FinishedRow, 'statusBefore' | 'amountMinor' | 'date'>>)[],
): Statement[] => [
  deleteTicks(session),
  ...inParameters(rows).map(({ json }) =>
    db.run(sql`INSERT INTO reconciliation_rows (reconciliation_id, transaction_id, line, status_before, amount_minor, date)
      SELECT ${session.id}, value->>'transactionId', value->>'line', value->>'statusBefore', value->>'amountMinor', value->>'date'
      FROM ${itemsOf(json)}`),
  ),
]

/** Sums the account once more, and refuses unless it has what the statement says. */
export const mustReconcileTo = ({
  accountId,
  closingMinor,
}: Pick<ReconciliationRow, 'accountId' | 'closingMinor'>): Statement =>
  refuseIf(
    sql`(SELECT kept.reconciled_minor FROM account_balances kept WHERE kept.account_id = ${accountId})
      <> CAST(${closingMinor} AS INTEGER)`,
    changedMeanwhile,
  )

/** Refuses unless it is the last finished session of its account. */
export const mustBeLast = ({
  id,
  accountId,
}: Pick<ReconciliationRow, 'id' | 'accountId'>): Statement =>
  refuseIf(sql`${lastOf(sql`${accountId}`, sql.raw('l.id'))} IS NOT ${id}`, changedMeanwhile)

/** The days from the statement of a session on for which somebody has stated what is reconciled. */
export const daysStated = (id: string) =>
  db.all<{ date: string }>(sql`SELECT b.date FROM reconciliations s
    CROSS JOIN balance_assertions b ON b.account_id = s.account_id AND b.date >= s.statement_date
      AND b.edge = 'endOfDay' AND b.basis = 'reconciled'
    WHERE s.id = ${id}`)

/** The balance assertion that was stored with a session, if it is still there: one of the same account. */
export const assertionWith = (id: string) =>
  assertionsAmong(sql`SELECT b.id FROM reconciliations s JOIN balance_assertions b ON b.id = s.assertion_id
      AND b.owner_id = s.owner_id AND b.account_id = s.account_id
    WHERE s.id = ${id}`)
