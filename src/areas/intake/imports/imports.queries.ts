import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  importChunks,
  importRowNotes,
  imports,
  importStatements,
} from '../../../../drizzle/schema/imports.ts'
import type { tasks } from '../../../../drizzle/schema/system.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../platform/database/session.ts'
import { among, db, pageUpToBytes, type Statement } from '../../../platform/database/statements.ts'
import {
  ownedBy,
  visibleAccountIds,
  isNotPrivateTo,
  withSeen,
} from '../../identity/access/access.public.ts'
import type { WideSum } from '../../../platform/database/wide-sums.ts'
import { sumAtEnd } from '../../../ledger/search/search.public.ts'
import { importErrors } from './imports.errors.ts'
import { type Mapping, MOST_OPEN_IMPORTS } from './imports.rules.ts'

export type StoredImport = typeof imports.$inferSelect
type ChunkRow = typeof importChunks.$inferSelect
export type StoredChunk = Omit<ChunkRow, 'leftOut'>
export type StoredNote = typeof importRowNotes.$inferSelect
export type StoredStatement = typeof importStatements.$inferSelect

/** An import, with the state of its task. */
export interface ImportRow extends StoredImport {
  task: (typeof tasks.$inferSelect)['state'] | null
}

const columns = {
  ...getTableColumns(imports),
  task: sql<ImportRow['task']>`(SELECT t.state FROM tasks t WHERE t.id = ${imports.taskId})`.as(
    'task',
  ),
}

/**
 * Own ones. A token for some accounts sees those all of whose accounts are among them. Of a file that is not read yet, that is the
 * account that came with it.
 */
export const isSeen = (ctx: SignedIn): SQL | undefined =>
  and(
    ownedBy(ctx.caller, imports.ownerId),
    ctx.caller.tokenHash === null
      ? undefined
      : sql`(NOT EXISTS (SELECT 1 FROM json_each(iif(${imports.accounts} = '[]',
            json_array(json_object('accountId', ${imports.accountId})), ${imports.accounts})) f
          WHERE ifnull(f.value ->> 'accountId', '') NOT IN (${visibleAccountIds(ctx)}))
        OR EXISTS (SELECT 1 FROM personal_access_tokens held
          WHERE held.token_hash = ${ctx.caller.tokenHash} AND held.account_ids IS NULL))`,
  )

/** The reading of a finished import, for one of its accounts. */
export type HabitRow = { accountId: string | null } & {
  [Field in 'dateOrder' | 'decimal' | 'sign']: Mapping[Field] | null
}

/** Newest first. */
export const habitsOf = (ctx: SignedIn) =>
  db.all<HabitRow>(
    sql`SELECT f.value->>'accountId' AS accountId, past.mapping->>'dateOrder' AS dateOrder,
        past.mapping->>'decimal' AS decimal, past.mapping->>'sign' AS sign
      FROM (SELECT id, accounts, mapping FROM imports WHERE ${isSeen(ctx)} AND imports.state = 'done'
        ORDER BY imports.id DESC LIMIT ${MOST_PAST}) past, json_each(past.accounts) f
      ORDER BY past.id DESC`,
  )

const MOST_PAST = sql.raw('20')

export const importById = (ctx: SignedIn, id: string): Statement<ImportRow[]> =>
  db
    .select(columns)
    .from(imports)
    .where(and(eq(imports.id, id), isSeen(ctx)))

export interface ImportFilter {
  state?: string | undefined
  accountId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

const matches = (ctx: SignedIn, { state, accountId, from, to }: ImportFilter) =>
  and(
    isSeen(ctx),
    state === undefined ? undefined : sql`${imports.state} = ${state}`,
    accountId === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM json_each(${imports.accounts}) f WHERE f.value ->> 'accountId' = ${accountId})`,
    from === undefined ? undefined : sql`${imports.createdAt} >= CAST(${from} AS INTEGER)`,
    to === undefined ? undefined : sql`${imports.createdAt} < CAST(${to} AS INTEGER)`,
  )

/** Newest first, one row more than the page, which ends early where they are of many accounts. */
export const pageOfImports = (ctx: SignedIn, filter: ImportFilter, { after, limit }: PageRequest) =>
  pageUpToBytes(
    db
      .select(columns)
      .from(imports)
      .where(
        and(
          matches(ctx, filter),
          after?.[0] === undefined ? undefined : sql`${imports.id} < ${after[0]}`,
        ),
      )
      .orderBy(desc(imports.id))
      .limit(limit + 1),
  )

export const countOfImports = (ctx: SignedIn, filter: ImportFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(imports)
    .where(matches(ctx, filter))

const IS_OPEN = sql.raw(`state NOT IN ('done', 'reverting', 'reverted', 'cancelled')`)

/** The open import of the same file for the same account, and how many are open. */
export const openImports = (ctx: SignedIn) =>
  db.all<{ id: string; accountId: string; sha256: string; again: number }>(
    sql`SELECT id, account_id AS accountId, sha256, again FROM imports
      WHERE ${ownedBy(ctx.caller, 'owner_id')} AND ${IS_OPEN}`,
  )

/** Refuses when as many imports are open as may be. */
export const insertImport = (row: StoredImport): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM imports WHERE owner_id = ${row.ownerId} AND ${IS_OPEN}) >= ${MOST_OPEN_IMPORTS}`,
    importErrors.tooMany,
  ),
  db.insert(imports).values(row),
]

type ImportAsRead = Pick<StoredImport, 'id' | 'ownerId' | 'version'>

const isAsRead = ({ id, ownerId, version }: ImportAsRead) =>
  and(eq(imports.id, id), eq(imports.ownerId, ownerId), eq(imports.version, version))

/** Changes an import as it was read, from one of these states. */
export const updateImport = (
  ctx: Context,
  row: ImportAsRead,
  changed: Partial<StoredImport>,
  refusal: Refusal = changedMeanwhile,
): Statement[] => [
  db
    .update(imports)
    .set({ ...changed, version: sql`${imports.version} + 1`, updatedAt: ctx.now })
    .where(isAsRead(row)),
  requireChangedOne(refusal),
]

/** Says how far a task is, which is no new version. */
export const tellProgress = (
  id: string,
  { step, rowsDone, rowsTotal }: Pick<StoredImport, 'step' | 'rowsDone' | 'rowsTotal'>,
): Statement => db.update(imports).set({ step, rowsDone, rowsTotal }).where(eq(imports.id, id))

/** An import that a task works on. */
export const importForTask = (id: string) => db.select().from(imports).where(eq(imports.id, id))

/** Finds the owner of an import, as the session check would find them. */
export const ownerForTask = (id: string) =>
  db.all<ProfileRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)} FROM imports i JOIN users u ON u.id = i.owner_id WHERE i.id = ${id}`,
  )

const { leftOut: _leftOut, ...CHUNK } = getTableColumns(importChunks)

/** Pieces in the order of the file. */
export const chunksOf = (importId: string): Statement<StoredChunk[]> =>
  db
    .select(CHUNK)
    .from(importChunks)
    .where(eq(importChunks.importId, importId))
    .orderBy(importChunks.number)

export const statementsOf = (importId: string) =>
  db
    .select()
    .from(importStatements)
    .where(eq(importStatements.importId, importId))
    .orderBy(importStatements.place)

/** A statement, with what is cleared on the account at its end: of own accounts, all of whose lines the caller sees. */
export interface ShownStatement extends StoredStatement {
  clearedAtClose?: WideSum | null
}

const CLOSING_DATE = sql`ifnull(${importStatements.content}->>'closingDate', ${importStatements.throughDate})`

export const statementsShown = (ctx: SignedIn, importId: string): Statement<ShownStatement[]> =>
  db
    .select({
      ...getTableColumns(importStatements),
      clearedAtClose: sql<WideSum | null>`CASE WHEN EXISTS (SELECT 1 FROM accounts own
          WHERE own.id = ${importStatements.accountId} AND ${ownedBy(ctx.caller, 'own.owner_id')})
        AND ${importStatements.closingMinor} IS NOT NULL AND ${importStatements.throughDate} IS NOT NULL
        THEN ${sumAtEnd(sql`${importStatements.accountId}`, CLOSING_DATE, sql`'cleared'`)}
        END`.as('cleared_at_close'),
    })
    .from(importStatements)
    .where(eq(importStatements.importId, importId))
    .orderBy(importStatements.place)

/** Reads the notes on rows in a range of row numbers. */
export const notesOf = (importId: string, from: number, through: number) =>
  db
    .select()
    .from(importRowNotes)
    .where(
      and(
        eq(importRowNotes.importId, importId),
        sql`${importRowNotes.row} BETWEEN CAST(${from} AS INTEGER) AND CAST(${through} AS INTEGER)`,
      ),
    )
    .orderBy(importRowNotes.row)

/** Drops what was read of the file. */
export const dropReading = ({ id, ownerId }: Pick<StoredImport, 'id' | 'ownerId'>): Statement[] => [
  db.delete(importChunks).where(eq(importChunks.importId, id)),
  db.delete(importRowNotes).where(eq(importRowNotes.importId, id)),
  db
    .delete(importStatements)
    .where(sql`${importStatements.importId} = ${id} AND +${importStatements.ownerId} = ${ownerId}`),
]

export const insertChunk = (chunk: ChunkRow): Statement => db.insert(importChunks).values(chunk)

/** Finds the results of a piece's rows, if they are known without reading the rows. */
export const leftOutOf = ({ importId, number }: Pick<StoredChunk, 'importId' | 'number'>) =>
  db
    .select({ leftOut: importChunks.leftOut })
    .from(importChunks)
    .where(
      and(
        eq(importChunks.importId, importId),
        sql`${importChunks.number} = CAST(${number} AS INTEGER)`,
      ),
    )

/** Drops an import with its rows. What identifies those that were booked stays, and so do its statements. */
export const deleteImportRow = (row: ImportAsRead): Statement[] => [
  db.delete(importChunks).where(eq(importChunks.importId, row.id)),
  db.delete(importRowNotes).where(eq(importRowNotes.importId, row.id)),
  db.delete(imports).where(isAsRead(row)),
  requireChangedOne(changedMeanwhile),
]

export interface ImportToExpire {
  id: string
  ownerId: string
}

/**
 * Some imports whose time is over, and that have a file, after this one in the order of their ids. None is at work for so long.
 * The signs keep SQLite to the index of what is due.
 */
export const importsToExpire = (now: number, after: string, limit: number) =>
  db.all<ImportToExpire>(
    sql`SELECT id, owner_id AS ownerId FROM imports
      WHERE object_key IS NOT NULL AND expires_at <= ${now} AND +id > ${after} ORDER BY +id LIMIT ${limit}`,
  )

/** The objects of these imports. */
export const keysOf = (ids: string[]) =>
  db.all<{ key: string }>(
    sql`SELECT i.object_key AS key FROM imports i WHERE i.id IN ${among(ids)} AND i.object_key IS NOT NULL
      UNION SELECT c.object_key FROM import_chunks c WHERE c.import_id IN ${among(ids)}`,
  )

/** Drops the rows of these imports. One that was still open is called off. */
export const expireRows = (ctx: Context, ids: string[]): Statement[] => [
  db.delete(importChunks).where(sql`${importChunks.importId} IN ${among(ids)}`),
  db.delete(importRowNotes).where(sql`${importRowNotes.importId} IN ${among(ids)}`),
  db.run(sql`UPDATE imports SET object_key = NULL, version = version + 1, updated_at = ${ctx.now},
      state = iif(${IS_OPEN}, 'cancelled', state)
    WHERE id IN ${among(ids)} AND expires_at <= ${ctx.now}`),
]

/** By what the caller knows the transactions that a revert kept: their payee, else their description. */
export const namesOfKept = (
  ctx: SignedIn,
  importId: string,
): Statement<{ id: string; name: string | null }[]> =>
  db.all(sql`WITH ${withSeen(ctx)}
    SELECT t.id, coalesce((SELECT y.name FROM transaction_payees q JOIN payees y ON y.id = q.payee_id
        WHERE q.transaction_id = t.id AND q.line = 0 AND ${ownedBy(ctx.caller, 'y.owner_id')}), t.payee_raw, nullif(t.description, '')) AS name
    FROM imports i CROSS JOIN json_each(i.reverted, '$.kept') k
      CROSS JOIN transactions t ON t.id = k.value->>'id'
    WHERE i.id = ${importId} AND ${isNotPrivateTo(ctx)} AND EXISTS (SELECT 1 FROM entries e
      WHERE e.transaction_id = t.id AND e.account_id IN (SELECT s.id FROM seen s))`)
