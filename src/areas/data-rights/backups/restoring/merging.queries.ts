import { sql } from 'drizzle-orm'
import {
  type ArchivedTable,
  type ArchivedRow,
} from '../../../../platform/owned-data/archived-tables.ts'
import { emptinessOf } from '../../../../platform/owned-data/archived-merging.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import {
  among,
  db,
  inParameters,
  itemsOf,
  type Statement,
} from '../../../../platform/database/statements.ts'

/**
 * The id under which a row of the archive is stored: its own if it was added, that of an existing row that stands for
 * it, or null if it was left out.
 */
export interface RestoredRow {
  id: string
  becomes: string | null
}

export const insertRestoredRows = (
  restoreId: string,
  ownerId: string,
  rows: RestoredRow[],
): Statement[] =>
  inParameters(rows).map(({ json }) =>
    db.run(sql`INSERT INTO restored_rows (restore_id, owner_id, row_id, becomes)
      SELECT ${restoreId}, ${ownerId}, value->>'id', value->>'becomes' FROM ${itemsOf(json)}
      WHERE true ON CONFLICT DO NOTHING`),
  )

export const RESTORED_ROWS_AT_ONCE = 10_000

/** A page of what became of rows, by their ids. */
export const restoredRowsOf = (restoreId: string, after: string) =>
  db.all<RestoredRow>(sql`SELECT row_id AS id, becomes FROM restored_rows
    WHERE restore_id = ${restoreId} AND row_id > ${after} ORDER BY row_id
    LIMIT ${sql.raw(String(RESTORED_ROWS_AT_ONCE))}`)

/** Rows of restores that have ended. */
export const endedRows = (limit: number) =>
  db.all<{ restoreId: string; id: string }>(
    sql`SELECT o.restore_id AS restoreId, o.row_id AS id FROM restored_rows o
      WHERE NOT EXISTS (SELECT 1 FROM restores r WHERE r.id = o.restore_id AND r.state NOT IN ('done', 'failed'))
      LIMIT ${limit}`,
  )

export const deleteEndedRows = (rows: { restoreId: string; id: string }[]): Statement[] =>
  inParameters(rows).map(({ json }) =>
    db.run(sql`DELETE FROM restored_rows WHERE (restore_id, row_id) IN (
      SELECT value->>'restoreId', value->>'id' FROM ${itemsOf(json)})`),
  )

/** An account that the user has. */
export interface AccountHere {
  id: string
  name: string
  currency: string
  status: 'open' | 'closed'
  deletedAt: number | null
  erasedAt: number | null
  lockedThrough: string | null
}

export const accountsHere = (ownerId: string) =>
  db.all<AccountHere>(sql`SELECT a.id, a.name, a.currency, a.status, a.deleted_at AS deletedAt,
      a.erased_at AS erasedAt, a.locked_through AS lockedThrough
    FROM accounts a WHERE a.owner_id = ${ownerId}`)

/** The last day on which all accounts of somebody are locked, those to come included. */
export const lockOfAll = (ownerId: string) =>
  db.all<{ through: string | null }>(sql`SELECT max(k.through) AS through FROM period_locks k
    WHERE k.owner_id = ${ownerId} AND k.account_id IS NULL`)

/** Categories, payees and tags in the trash. */
export const labelsInTrash = (ids: string[], ownerId: string) =>
  db.all<{ id: string; kind: string; name: string }>(
    sql`SELECT w.id, w.kind, w.name FROM trashed_rows w WHERE w.id IN ${among(ids)} AND w.owner_id = ${ownerId}`,
  )

export const categoryPlaces = (ids: string[], ownerId: string) =>
  db.all<{ id: string; depth: number; kind: string }>(
    sql`SELECT c.id, c.depth, c.kind FROM categories c WHERE c.id IN ${among(ids)} AND c.owner_id = ${ownerId}`,
  )

/** A line of an archive that may be booked already, under another transaction. */
export interface KnownLine extends ArchivedRow {
  id: string
  account: string
  /** The bank's id. */
  external: string
  scope: string
}

/** Finds those of the transactions whose bank id another transaction of the user has. */
export const knownByBank = (lines: KnownLine[]) =>
  db.all<{
    id: string
    by: string
  }>(sql`SELECT value->>'id' AS id, e.transaction_id AS "by" FROM ${itemsOf(JSON.stringify(lines))}
    CROSS JOIN entries e ON e.account_id = value->>'account' AND e.external_id = value->>'external'
      AND e.external_scope = value->>'scope' AND e.transaction_id <> value->>'id'`)

/** Finds those of the transactions that an import booked under another id. */
export const knownByImport = (lines: Omit<KnownLine, 'scope'>[]) =>
  db.all<{
    id: string
    by: string
  }>(sql`SELECT value->>'id' AS id, k.transaction_id AS "by" FROM ${itemsOf(JSON.stringify(lines))}
    CROSS JOIN import_identities k ON k.account_id = value->>'account' AND k.identity = value->>'external'
      AND k.transaction_id <> value->>'id'`)

/** Refuses where the user has a row of a table with one row of each. */
export const mustBeAbsent = (table: ArchivedTable, ownerId: string): Statement =>
  refuseIf(sql`EXISTS (${emptinessOf(table, ownerId)})`, changedMeanwhile)
