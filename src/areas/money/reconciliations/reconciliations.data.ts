import { sql } from 'drizzle-orm'
import { reconciliationRows, reconciliations } from '../../../../drizzle/schema/reconciliation.ts'
import { formatMoney } from '../../../domain/money.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { lineOrWhole } from '../../../ledger/ledger.public.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { listed, stored } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db } from '../../../platform/database/statements.ts'
import { presentSessionSummary, StartReconciliationRequest } from './reconciliations.contract.ts'
import { MOST_TICKS } from './reconciliations.rules.ts'
import { listReconciliations } from './reconciliations.usecases.ts'

interface ExportedRow {
  reconciliationId: string
  transactionId: string
  line: number
  statusBefore: string | null
  amountMinor: number | null
  date: string | null
  currency: string
}

/** A position is `[reconciliationId, transactionId, line]`. */
const pageOfRows = (ownerId: string, { after = ['', '', '0'], limit }: PageRequest) =>
  db.all<ExportedRow>(sql`SELECT k.reconciliation_id AS reconciliationId, k.transaction_id AS transactionId, k.line,
      k.status_before AS statusBefore, k.amount_minor AS amountMinor, k.date, a.currency
    FROM reconciliations s CROSS JOIN reconciliation_rows k ON k.reconciliation_id = s.id JOIN accounts a ON a.id = s.account_id
    WHERE s.owner_id = ${ownerId}
      AND (k.reconciliation_id, k.transaction_id, k.line) > (${after[0]}, ${after[1]}, CAST(${after[2]} AS INTEGER))
    ORDER BY k.reconciliation_id, k.transaction_id, k.line LIMIT ${limit + 1}`)

/** The most sessions of an account: one for each day of 27 years. */
const MOST_SESSIONS = 10_000

/** In how many sessions a transaction is ticked, also in those that were undone. Erasing it erases all of these ticks. */
const MOST_TICKS_OF_ONE = 100

/** All rows of a session go with it. */
const SESSIONS_PER_STEP = 5

const archivedSessions: ArchivedTable = {
  table: reconciliations,
  prefixes: ['rcn'],
  owner: [reconciliations.ownerId],
  order: [reconciliations.statementDate, reconciliations.id],
  users: [reconciliations.createdBy],
  holds: takenAs(StartReconciliationRequest, ['note']),
  most: [{ rows: MOST_SESSIONS, per: [reconciliations.accountId] }],
  onlyOne: { of: reconciliations.accountId, state: 'open' },
  merge: { with: [reconciliations.accountId] },
}

export const reconciliationData: OwnedData = {
  area: 'reconciliations',
  tables: [reconciliations, reconciliationRows],
  // Its rows go with a session, and with their transactions, by triggers.
  erase: [
    ownRows('reconciliations', reconciliations, {
      limit: SESSIONS_PER_STEP,
      wipedWith: ['transactions', 'accounts'],
    }),
  ],
  goWithAccount: [{ table: reconciliations, atOnce: SESSIONS_PER_STEP }],
  archived: [
    archivedSessions,
    {
      table: reconciliationRows,
      of: { column: reconciliationRows.reconciliationId, parent: archivedSessions },
      order: [reconciliationRows.transactionId, reconciliationRows.line],
      holds: { line: lineOrWhole },
      most: [
        { rows: MOST_TICKS, per: [reconciliationRows.reconciliationId] },
        { rows: MOST_TICKS_OF_ONE, per: [reconciliationRows.transactionId] },
      ],
    },
  ],
  exports: [
    listed(
      'reconciliations',
      (owner, page) => listReconciliations(owner, {}, page),
      presentSessionSummary,
      ({ ownerId: own }, ownerId) => own === ownerId,
    ),
    stored(
      'reconciliationRows',
      pageOfRows,
      ({ amountMinor, currency, ...row }) => ({
        ...row,
        amount: amountMinor === null ? null : formatMoney(amountMinor, currency),
      }),
      ({ reconciliationId, transactionId, line }) => [
        ...[reconciliationId, transactionId, String(line)],
      ],
    ),
  ],
}
