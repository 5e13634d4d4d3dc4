import { and, eq, sql } from 'drizzle-orm'
import { imports } from '../../../../../drizzle/schema/imports.ts'
import type { Kind } from '../../../../domain/ledger.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  among,
  db,
  type Statement,
  inParameters,
} from '../../../../platform/database/statements.ts'
import { accessLevel, ownedBy, viewerOf } from '../../../identity/access/access.public.ts'
import type { StoredImport } from '../imports.queries.ts'
import { IS_IN_TRASH } from '../identities.queries.ts'
import type { Reverted, Layer } from './reverting.rules.ts'

/** A transaction that an import booked, with what keeps it. */
export interface BookedRow {
  id: string
  kind: Kind
  version: number
  isInTrash: number
  matchedInto: string | null
  /** The version of the transfer that it was matched into, or of the transaction whose part it is the other side of. */
  intoVersion: number | null
  isOfPart: number
  /** 1 if rows are the other sides of its parts. */
  hasMatched: number
  /** 1 if everything that it is joined with was booked by the same import. */
  isWithin: number
  isReconciled: number
  isLinked: number
  accountId: string
  /** The account of the second leg, for a transfer that it booked as a whole. */
  otherAccountId: string | null
  /** The earliest day of a line of an account. */
  date: string
}

const FACTS = sql.raw(`t.id, t.kind, ifnull((SELECT first.account_id FROM entries first
    WHERE first.transaction_id = t.id AND first.line = 1), '') AS accountId,
  (SELECT second.account_id FROM entries second
    WHERE second.transaction_id = t.id AND second.line = 2 AND t.kind = 'transfer') AS otherAccountId, t.date, t.version, t.deleted_at IS NOT NULL AS isInTrash, t.matched_into AS matchedInto,
  (SELECT m.version FROM transactions m WHERE m.id = t.matched_into) AS intoVersion,
  t.matched_part IS NOT NULL AS isOfPart,
  EXISTS (SELECT 1 FROM transactions p WHERE p.matched_into = t.id AND p.matched_part IS NOT NULL) AS hasMatched,
  CASE WHEN t.matched_part IS NOT NULL
      THEN EXISTS (SELECT 1 FROM transactions w WHERE w.id = t.matched_into AND w.import_id = t.import_id)
    WHEN t.matched_into IS NOT NULL
      THEN (SELECT count(*) FROM transactions h WHERE h.matched_into = t.matched_into AND h.import_id = t.import_id) = 2
    ELSE NOT EXISTS (SELECT 1 FROM transactions q WHERE q.matched_into = t.id AND q.import_id IS NOT t.import_id)
    END AS isWithin,
  EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id IN (t.id, t.matched_into) AND e.status = 'reconciled') AS isReconciled,
  EXISTS (SELECT 1 FROM transaction_links l WHERE l.source_id IN (t.id, t.matched_into))
    OR EXISTS (SELECT 1 FROM transaction_links k WHERE k.target_id IN (t.id, t.matched_into)) AS isLinked`)

/** Some of the transactions that an import of the caller booked, on own accounts or those of others, the last first. */
export const rowsBookedBy = (
  { caller }: SignedIn,
  importId: string,
  before: string | null,
  limit: number,
) =>
  db.all<BookedRow>(
    sql`SELECT ${FACTS} FROM transactions t
      WHERE t.import_id = ${importId} AND (${ownedBy(caller, '+t.owner_id')} OR t.created_by = ${caller.userId}) ${before === null ? sql`` : sql`AND t.id < ${before}`}
      ORDER BY t.id DESC LIMIT ${limit}`,
  )

/** A transaction that an import found, with what it was before, or a row that it was to skip. */
export interface AddedRow {
  accountId: string
  /** The owner of the account. */
  ownerId: string
  identity: string
  transactionId: string | null
  added: string | null
}

/**
 * Finds the rows on accounts that the caller may book on. No others have anything that an import of the caller
 * stored.
 * @param after the account and the identity of the last one that was looked at
 */
export const addedBy = (
  ctx: SignedIn,
  importId: string,
  after: Reverted['afterAdded'],
  limit: number,
) =>
  db.all<AddedRow>(
    sql`SELECT i.account_id AS accountId, accounts.owner_id AS ownerId, i.identity, i.transaction_id AS transactionId, i.added
      FROM import_identities i CROSS JOIN accounts ON accounts.id = i.account_id
      WHERE i.import_id = ${importId} AND (i.added IS NOT NULL OR i.transaction_id IS NULL)
        ${after ? sql`AND (i.account_id, i.identity) > (${after[0]}, ${after[1]})` : sql``}
        AND ${accessLevel(viewerOf(ctx))} >= ${MAY_BOOK}
      ORDER BY i.account_id, i.identity LIMIT ${limit}`,
  )

const MAY_BOOK = sql.raw(String(rankOf('write')))

/** The fields of transactions that somebody changed. */
export const editedFields = (ids: string[]) =>
  db.all<{ id: string; field: string }>(
    sql`SELECT DISTINCT l.resource_id AS id, f.key AS field FROM log_entries l, json_each(l.content, '$.after') f
      WHERE l.resource_id IN ${among(ids)} AND l.type = 'transaction.updated'
      ORDER BY l.resource_id, f.key`,
  )

/**
 * Counts how often transactions or their parts were matched into a transfer or unmatched. Each time raised their
 * version.
 */
export const matchingsOf = (ids: string[]) =>
  db.all<{ id: string; count: number }>(
    sql`SELECT resource_id AS id, count(*) AS count FROM log_entries WHERE resource_id IN ${among(ids)}
      AND type IN ('transfer.matched', 'transfer.unmatched', 'transaction.splitMatched', 'transaction.splitUnmatched')
      GROUP BY resource_id`,
  )

export const saveReverted = (
  { id, ownerId }: Pick<StoredImport, 'id' | 'ownerId'>,
  reverted: object,
): Statement =>
  db
    .update(imports)
    .set({ reverted: JSON.stringify(reverted) })
    .where(and(eq(imports.id, id), eq(imports.ownerId, ownerId)))

/** The changes of an import to a transaction, and its present place. */
export interface LayerRow {
  accountId: string
  /** The owner of the account. */
  ownerId: string
  identity: string
  importId: string
  transactionId: string
  /** JSON of `Before`. */
  added: string
  /** The transaction, or what it was matched into. */
  nowId: string
  /** The line of the part, if it is the other side of a part. */
  partLine: number | null
  isInTrash: number
}

/** Finds what any import wrote on these transactions, or on what they were matched into and its other halves. */
export const layersOf = (transactionIds: string[]) =>
  db.all<LayerRow>(
    sql`WITH present AS (SELECT DISTINCT ifnull(t.matched_into, t.id) AS id FROM ${among(transactionIds)} wanted
        CROSS JOIN transactions t ON t.id = wanted.value),
      every AS (SELECT id FROM present UNION SELECT h.id FROM present CROSS JOIN transactions h ON h.matched_into = present.id)
      SELECT i.account_id AS accountId, t.owner_id AS ownerId, i.identity, i.import_id AS importId, i.transaction_id AS transactionId, i.added,
        ifnull(t.matched_into, t.id) AS nowId, t.matched_part->>'line' AS partLine, ${IS_IN_TRASH} AS isInTrash
      FROM every CROSS JOIN import_identities i ON i.transaction_id = every.id JOIN transactions t ON t.id = every.id
      WHERE i.added IS NOT NULL`,
  )

/** Stores what layers stand on now. */
export const saveLayers = (layers: Layer[]): Statement[] =>
  inParameters(layers.map(({ before, ...key }) => ({ ...key, added: JSON.stringify(before) }))).map(
    ({ json }) =>
      db.run(sql`UPDATE import_identities SET added = w.value->>'added' FROM json_each(${json}) w
      WHERE account_id = w.value->>'accountId' AND EXISTS (SELECT 1 FROM accounts a
          WHERE a.id = import_identities.account_id AND a.owner_id = w.value->>'ownerId') AND identity = w.value->>'identity' AND added IS NOT NULL`),
  )
