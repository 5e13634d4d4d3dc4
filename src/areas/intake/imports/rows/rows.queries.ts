import { and, eq, sql } from 'drizzle-orm'
import {
  importChunks,
  importRowNotes,
  importStatements,
} from '../../../../../drizzle/schema/imports.ts'
import type { Verdict } from '../../../../domain/imports/verdicts.ts'
import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  among,
  db,
  inParameters,
  itemsOf,
  nothing,
  type Statement,
} from '../../../../platform/database/statements.ts'
import { withSeen } from '../../../identity/access/access.public.ts'
import type { StoredChunk, StoredNote, StoredStatement } from '../imports.queries.ts'

/** Stores what was found for rows, and keeps what the user decided about them. */
export const insertNotes = (importId: string, all: { row: number; found: string }[]): Statement[] =>
  inParameters(all).map(({ json }) =>
    db.run(sql`INSERT INTO import_row_notes (import_id, "row", found)
      SELECT ${importId}, value->>'row', value->>'found' FROM ${itemsOf(json)} WHERE true
      ON CONFLICT DO UPDATE SET found = excluded.found`),
  )

/** Says what the user decided about rows, and keeps what was found for them. */
export const saveDecisions = (
  importId: string,
  all: Pick<StoredNote, 'row' | 'decision' | 'once' | 'matchId' | 'overrides'>[],
): Statement[] =>
  inParameters(all).map(({ json }) =>
    db.run(sql`INSERT INTO import_row_notes (import_id, "row", decision, once, match_id, overrides)
      SELECT ${importId}, value->>'row', value->>'decision', value->>'once', value->>'matchId',
        value->>'overrides' FROM ${itemsOf(json)} WHERE true
      ON CONFLICT DO UPDATE SET decision = excluded.decision, once = excluded.once,
        match_id = excluded.match_id, overrides = excluded.overrides`),
  )

export const insertStatements = (all: StoredStatement[]): Statement[] =>
  all.map((statement) => db.insert(importStatements).values(statement))

/** The filters of a page of rows. */
export interface RowFilter {
  verdict?: Verdict | undefined
  accountId?: string | undefined
  text?: string | undefined
  fromLine?: number | undefined
}

/** The piece that a page is of, and the ones behind it that a row could be in. */
export const chunksFrom = (
  importId: string,
  afterRow: number,
  { verdict, fromLine }: RowFilter,
): Statement<(StoredChunk & { left: number })[]> =>
  db
    .select({
      ...{ importId: importChunks.importId, number: importChunks.number },
      ...{ objectKey: importChunks.objectKey, offset: importChunks.offset },
      ...{ length: importChunks.length, firstRow: importChunks.firstRow, rows: importChunks.rows },
      ...{ firstLine: importChunks.firstLine, counts: importChunks.counts },
      ...{ oldest: importChunks.oldest, newest: importChunks.newest },
      left: sql<number>`count(*) OVER ()`.as('left'),
    })
    .from(importChunks)
    .where(
      and(
        eq(importChunks.importId, importId),
        sql`${importChunks.firstRow} + ${importChunks.rows} - 1 > CAST(${afterRow} AS INTEGER)`,
        verdict === undefined ? undefined : sql`${importChunks.counts} ->> ${verdict} > 0`,
        fromLine === undefined
          ? undefined
          : sql`${importChunks.number} >= ifnull((SELECT max(l.number) FROM import_chunks l
              WHERE l.import_id = ${importId} AND l.first_line <= CAST(${fromLine} AS INTEGER)), 0)`,
      ),
    )
    .orderBy(importChunks.number)
    .limit(1)

/** Reads the notes on the rows of the piece that `chunksFrom` finds. */
export const notesFrom = (
  importId: string,
  afterRow: number,
  filter: RowFilter,
): Statement<StoredNote[]> =>
  db
    .select()
    .from(importRowNotes)
    .where(
      and(
        eq(importRowNotes.importId, importId),
        sql`EXISTS (SELECT 1 FROM (${chunksFrom(importId, afterRow, filter)}) c
          WHERE ${importRowNotes.row} BETWEEN c.first_row AND c.first_row + c.rows - 1)`,
      ),
    )

/** Finds the transactions among these, also those in the trash, that are on accounts that the caller sees. */
export const seenAmong = (ctx: SignedIn, ids: string[]): Statement<{ id: string }[]> =>
  db.all(sql`WITH ${withSeen(ctx)}
    SELECT e.transaction_id AS id FROM entries e
      WHERE e.transaction_id IN ${among(ids)} AND e.account_id IN (SELECT s.id FROM seen s)
    UNION SELECT u.transaction_id FROM unbooked_entries u
      WHERE u.transaction_id IN ${among(ids)} AND u.account_id IN (SELECT w.id FROM seen w)`)

/**
 * Finds what became of rows that an import has booked or matched, among pairs of an account and an identity, with the rules that
 * changed them when they were booked, as JSON.
 */
export const becameOf = (
  importId: string,
  pairs: [accountId: string, identity: string][],
): Statement<
  { accountId: string; identity: string; transactionId: string; rules: string | null }[]
> =>
  pairs.length === 0
    ? nothing()
    : db.all(sql`SELECT i.account_id AS accountId, i.identity, ifnull(t.matched_into, t.id) AS transactionId,
        (SELECT l.content -> '$.ruleIds' FROM log_entries l WHERE l.type = 'transaction.created'
          AND l.resource_id IN ('txn_' || substr(i.transaction_id, 5), 'txn_' || substr(i.transaction_id, 5) || '-1')
          ORDER BY l.number LIMIT 1) AS rules
      FROM json_each(${JSON.stringify(pairs)}) w
      CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.identity = w.value->>1
      JOIN transactions t ON t.id = i.transaction_id WHERE i.import_id = ${importId}`)

/** Counts the rows that the user has decided on or changed. */
export const countOfDecided = (importId: string): Statement<{ rows: number }[]> =>
  db
    .select({ rows: sql<number>`count(*)`.as('rows') })
    .from(importRowNotes)
    .where(
      and(
        eq(importRowNotes.importId, importId),
        sql`(${importRowNotes.decision} IS NOT NULL OR ${importRowNotes.overrides} IS NOT NULL)`,
      ),
    )

/** Other rows that the user has matched with one of these transactions. */
export const notesMatching = (
  importId: string,
  row: number,
  transactionIds: string[],
): Statement<{ row: number }[]> =>
  transactionIds.length === 0
    ? nothing()
    : db.all(sql`SELECT n."row" FROM import_row_notes n
        WHERE n.import_id = ${importId} AND n."row" <> CAST(${row} AS INTEGER) AND n.decision = 'match'
          AND n.match_id IN ${among(transactionIds.map((id) => addressOf(id).transactionId))}`)

/** Reads the notes on these rows. */
export const notesAmong = (importId: string, rows: number[]): Statement<StoredNote[]> =>
  db
    .select()
    .from(importRowNotes)
    .where(
      and(
        eq(importRowNotes.importId, importId),
        sql`${importRowNotes.row} IN (SELECT value FROM json_each(${JSON.stringify(rows)}))`,
      ),
    )

/** Counts rows of a piece as something else, there and in the whole. */
export const shiftCounts = (
  importId: string,
  shifts: { chunk: number; from: Verdict; to: Verdict; rows: number }[],
): Statement[] =>
  shifts.flatMap(({ chunk, from, to, rows }) => {
    const shifted = (column: string) =>
      sql`json_set(${sql.raw(column)}, ${`$.${from}`}, ${sql.raw(column)} ->> ${from} - CAST(${rows} AS INTEGER),
        ${`$.${to}`}, ${sql.raw(column)} ->> ${to} + CAST(${rows} AS INTEGER))`
    return [
      db.run(sql`UPDATE import_chunks SET counts = ${shifted('counts')}
        WHERE import_id = ${importId} AND number = CAST(${chunk} AS INTEGER)`),
      db.run(sql`UPDATE imports SET counts = ${shifted('counts')} WHERE id = ${importId}`),
    ]
  })

/** Finds the accounts of an import without any booking, not even an opening balance. */
export const emptyAccounts = (importId: string): Statement<{ id: string }[]> =>
  db.all(sql`SELECT DISTINCT f.value->>'accountId' AS id
    FROM imports i CROSS JOIN json_each(i.accounts) f
    WHERE i.id = ${importId} AND f.value->>'accountId' IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.account_id = f.value->>'accountId')`)
