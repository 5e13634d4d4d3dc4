import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'
import { ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'
import { isPrivateToOthers } from '../reconciliations.queries.ts'
import { addressOfRow } from '../ticks/ticks.queries.ts'
import type { DriftRow } from './drift.rules.ts'

/** Rows of sessions that are compared with the books, the latest statements first. */
const MOST_COMPARED = sql.raw('20000')
const MOST_SHOWN = sql.raw('500')

/**
 * SQL that is true if the caller sees the texts of a row: on the account, and in the own trash. The other side of a part
 * has none.
 */
const showsTexts = ({ caller }: SignedIn): SQL => {
  const isOwn = caller.tokenHash === null ? ownedBy(caller, 'c.owner_id') : sql.raw('FALSE')
  return sql`kept.line <= 2 AND (e.line IS NOT NULL OR c.deleted_at IS NOT NULL AND ${isOwn})`
}

/**
 * Reads the current state of the rows of a finished session. For an open session, reads all rows of finished sessions of
 * its account that were changed since the last one was finished.
 */
export function driftOf(ctx: SignedIn, id: string) {
  const isShown = showsTexts(ctx)
  return db.all<DriftRow>(sql`WITH picked AS MATERIALIZED (SELECT s.id, s.account_id, s.state,
        iif(s.state = 'open', (SELECT max(f.finished_at) FROM reconciliations f
          WHERE f.account_id = s.account_id AND f.state = 'finished'), 0) AS since
      FROM reconciliations s WHERE s.id = ${id} AND s.account_id IN (${visibleAccountIds(ctx)})),
    kept AS MATERIALIZED (SELECT k.transaction_id, k.line, k.amount_minor, k.date, picked.account_id, picked.since
      FROM picked CROSS JOIN reconciliations z ON z.account_id = picked.account_id AND z.state = 'finished'
          AND (z.id = picked.id OR picked.state = 'open')
        CROSS JOIN reconciliation_rows k ON k.reconciliation_id = z.id
      ORDER BY z.statement_date DESC, z.finished_at DESC LIMIT ${MOST_COMPARED})
    SELECT kept.transaction_id AS transactionId, kept.line, kept.amount_minor AS amountMinor, kept.date,
      e.amount_minor AS nowAmountMinor, e.date AS nowDate, e.status AS nowStatus, iif(kept.line > 2, 'transfer', c.kind) AS kind,
      iif(${isShown}, c.description, NULL) AS description, iif(${isShown}, c.payee_raw, NULL) AS payeeRaw,
      iif(${isShown}, (SELECT y.payee_id FROM transaction_payees y
        WHERE y.transaction_id = c.id AND y.line = 0), NULL) AS payeeId,
      c.deleted_at IS NOT NULL AS isInTrash, max(c.updated_at, ifnull(c.deleted_at, 0)) AS at,
      (SELECT l.actor_id FROM log_entries l WHERE l.resource_id = ${addressOfRow('kept')} ORDER BY l.number DESC LIMIT 1) AS actorId
    FROM kept CROSS JOIN transactions c ON c.id = kept.transaction_id
      LEFT JOIN entries e ON e.transaction_id = kept.transaction_id AND e.line = kept.line
        AND e.account_id = kept.account_id AND e.side = 'account'
    WHERE (e.line IS NULL OR e.amount_minor <> kept.amount_minor OR e.date <> kept.date OR e.status <> 'reconciled')
      AND max(c.updated_at, ifnull(c.deleted_at, 0)) >= kept.since
      AND NOT ${isPrivateToOthers(ctx, sql.raw('kept.transaction_id'))}
    ORDER BY kept.date, kept.transaction_id, kept.line LIMIT ${MOST_SHOWN}`)
}
