import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  type TrashItem,
  type TrashKind,
  trashErrors,
  type WipeKind,
} from '../../domain/owned-data.ts'
import type { Check } from '../../domain/stored-values.ts'
import type { ArchivedTable } from './archived-tables.ts'
import type { Context, SignedIn } from '../context.ts'
import type { Change } from '../log/events.ts'
import type { Content, ExportedFile, ReadableCopy } from './exports.ts'
import type { PageRequest } from '../database/paging.ts'
import { ofVersion } from '../database/refusals.ts'
import { among, db, type Statement } from '../database/statements.ts'
import type { NewTask } from '../work/task-rows.ts'

/**
 * The declaration of an area about its own tables, in `x.data.ts`. Erasure, wipe, trash, backup and the sweep of
 * files go through these declarations, and know no area.
 */
export interface OwnedData {
  area: string
  /** Nobody else writes them. One with a column `objectKey` names objects of the bucket. */
  tables: readonly SQLiteTable[]
  /** The rows that are erased in steps with their owner, in the order of erasure: rows before those they refer to. */
  erase?: readonly OwnedRows[]
  /**
   * The kinds of tasks that work for owners without having been asked. The key of such a task is its kind, the owner, and what else
   * makes it unique.
   */
  tasks?: readonly string[]
  /** Ends what lets a user in: the first commit of an erasure. */
  close?: (ctx: Context, userId: string) => Statement[]
  /** Removes the last traces of an owner's identity. They are few, and all of them go in the last commit of an erasure. */
  forget?: (ctx: Context, userId: string) => Statement[]
  /** The settings that a wipe resets to their initial values, when everything else of it is erased. */
  reset?: { wipedWith: WipeKind; statements: (ctx: Context, scope: OwnedScope) => Statement[] }
  /** Deletes, every night, what served its time. */
  purge?: (ctx: Context) => Statement[]
  /** Tables whose rows go with the account that their `accountId` names, with how many go in one commit if it is few. */
  goWithAccount?: readonly (SQLiteTable | { table: SQLiteTable; atOnce: number })[]
  /** The tables in the archive of a backup, to be restored: a table before those that refer to it. */
  archived?: readonly ArchivedTable[]
  /** The lists in the archive of a backup, each a file. */
  exports?: readonly Content[]
  /** Finds the files in an archive, beside those lists. */
  files?: (ownerId: string) => Statement<ExportedFile[]>
  /** The copies in an archive for people and other programs. */
  readable?: readonly ReadableCopy[]
  /** Reads what was restored as its pages do, where no list of `exports` shows it. Throws where it cannot be read. */
  readBack?: (owner: SignedIn) => Promise<void>
  trash?: Trash
}

/** The owner whose rows are erased, and the time limit: rows that existed at `before`. */
export interface OwnedScope {
  ownerId: string
  before: number
  /** The restore that added them, where no others are erased. */
  addedBy?: string
}

/**
 * SQL of a table to find rows in: only of those that a restore added, if only these are erased.
 * @param after the last one that was seen to, where they are found in the order of their ids
 */
export const rowsOfScope = (
  { addedBy }: OwnedScope,
  table: SQL | SQLiteTable,
  id: SQL | SQLiteColumn,
  after = '',
): SQL =>
  addedBy === undefined
    ? sql`${table}`
    : sql`restored_rows added CROSS JOIN ${table} ON ${id} = added.row_id
        AND added.restore_id = ${addedBy} AND added.row_id > ${after} AND added.becomes = added.row_id`

/** True if a row is not erased, because it is newer, or because the restore did not add it. */
export const isOutOfScope = ({ before, addedBy }: OwnedScope, id: SQL, createdAt: SQL): SQL =>
  addedBy === undefined
    ? sql`${createdAt} > ${before}`
    : sql`NOT EXISTS (SELECT 1 FROM restored_rows added
        WHERE added.restore_id = ${addedBy} AND added.row_id = ${id} AND added.becomes = added.row_id)`

/** Rows without an id that a restore added to a table: what it knows them by, behind the name of the table. */
export const keysOfScope = (
  addedBy: string,
  table: SQLiteTable,
  after: string,
): Statement<ErasableRow[]> => {
  const name = `${getTableName(table)} `
  return db.all(sql`SELECT substr(added.row_id, ${sql.raw(String(name.length + 1))}) AS id, added.row_id AS rowId
    FROM restored_rows added
    WHERE added.restore_id = ${addedBy} AND added.row_id > ${name + after} AND added.row_id < ${`${name}~`}
      AND added.becomes = added.row_id LIMIT ${sql.raw(String(ROWS_PER_STEP))}`)
}

interface ErasableRow {
  id: string
  /** The key under which a restore knows it, if that is not its id. */
  rowId?: string
  /** The object that is deleted from the bucket before the row is. */
  objectKey?: string | null
  /** The object that is deleted from the bucket when the row names another one. */
  replacedKey?: string
}

/** Rows of one kind: how to find some of them, and how to erase those in one commit. */
export interface OwnedRows {
  /** The name under which the log counts them. */
  name: string
  /** @param after the last one of the step before, for what is still found when it was seen to */
  find: (scope: OwnedScope, after: string) => Statement<ErasableRow[]>
  erase: (ids: string[], scope: OwnedScope, ctx: Context) => Statement[] | Promise<Statement[]>
  /**
   * Looks at some in the order of their ids, after one, and says which can be erased alone. These are erased where a whole step would
   * leave the range of amounts, such as one that erases incomes alone.
   */
  findErasable?: (scope: OwnedScope, after: string) => Statement<(ErasableRow & { canGo: 0 | 1 })[]>
  /** The kinds of a wipe that they go with. */
  wipedWith?: readonly WipeKind[]
  /** The content of a step's event, where it is not the number of rows. */
  event?: 'logRedacted' | 'exportsErased'
}

/** The trash of an area. */
interface Trash {
  /** The operations that restore and erase one thing, by its kind. */
  kinds?: Partial<Record<TrashKind, TrashedKind>>
  shelves?: readonly TrashShelf[]
  large?: LargeThings
}

export interface TrashedKind {
  /** @param force whether it may come back into a period under a soft lock */
  restore: (ctx: SignedIn, id: string, force?: boolean) => Promise<void>
  /** @param later the task that erases in steps what was only marked */
  erase: (ctx: SignedIn, id: string, later: NewTask) => Promise<Erased>
  /** Checks a snapshot, for a kind whose things are kept as snapshots. */
  isImage?: Check
}

/** The result of an erasure: all is done, or a task does the rest. */
export interface Erased {
  isDone: boolean
}

/** A table with things in the trash. */
export interface TrashShelf {
  kinds: readonly TrashKind[]
  /** The newest deletion first, by `trashPage`; of all kinds if none is given. */
  page: (ctx: SignedIn, kind: TrashKind | undefined, request: PageRequest) => Statement<TrashItem[]>
  /** SQL of how many there are. */
  count: (ctx: SignedIn, kind: TrashKind | undefined) => SQL
  /** The erasure of several things by one commit. Things that are too large are marked as one of `LargeThings`. */
  due?: {
    /** The name under which the log counts them. */
    name: 'transactions' | 'rows'
    /** The number of them that one commit erases. */
    atOnce: number
    find: (scope: TrashScope, after?: TrashPosition) => Statement<TrashPosition[]>
    /** Erases the ones that are still due: one may have been restored since they were found. */
    erase: (ids: string[], scope: TrashScope) => Statement[]
  }
}

/** The things to be erased: those deleted up to `before`, and all that were marked. */
export interface TrashScope {
  /** Without one, of everybody. */
  ownerId?: string | undefined
  before: number
  /** The last marked thing that could not be erased: the next ones, by id, are seen to before it is tried again. */
  after?: string | undefined
}

/** A place in the order in which things become due. */
export interface TrashPosition {
  deletedAt: number
  id: string
}

/** Things whose erasure takes many commits: they are marked, so that nobody restores them, then erased in steps. */
export interface LargeThings {
  /** SQL of how many of the caller would be marked. */
  toMark: (ctx: SignedIn) => SQL
  mark: (ctx: Context, scope: TrashScope) => Statement
  /** SQL of how many that statement has marked, in the same commit. */
  marked: (ctx: Context, scope: TrashScope) => SQL
  /** The next commit for what is marked; undefined when nothing is. */
  nextStep: (ctx: Context, scope: TrashScope) => Promise<LargeStep | undefined>
}

export interface LargeStep {
  accountId: string
  /** The number of transactions that it erases. */
  transactions: number
  /** Makes them; what it throws concerns this account alone. */
  changes: () => Change[]
}

let registered: readonly OwnedData[] | undefined

/** Sets the declarations of all areas, in the order of erasure. */
export function registerOwnedData(all: readonly OwnedData[]): void {
  registered = all
}

/** The declarations of all areas, in the order of erasure. */
export function ownedData(): readonly OwnedData[] {
  if (!registered) {
    throw new Error('no owned data is registered')
  }
  return registered
}

/** Returns the operations that restore and erase a kind of things in the trash; undefined for an unknown kind. */
export const trashedKindOf = (kind: string): TrashedKind | undefined =>
  ownedData()
    .flatMap(({ trash }) => trash?.kinds?.[kind as TrashKind] ?? [])
    .at(0)

/** The tables of an archive: what others refer to comes before them. */
export const archivedTables = (): ArchivedTable[] =>
  ownedData()
    .toReversed()
    .flatMap(({ archived = [] }) => archived)

/** Rows of one commit. */
const ROWS_PER_STEP = 250

interface Options {
  /** SQL of further conditions. */
  where?: SQL
  limit?: number
  wipedWith?: readonly WipeKind[]
  /** Columns that refer to the rows: what does goes first. */
  referredToBy?: readonly SQLiteColumn[]
  erase?: OwnedRows['erase']
  /** Wraps the statements that erase rows. */
  around?: (ownerId: string, statements: Statement[]) => Statement[]
}

/** The column of a table that names objects of the bucket, if there is one. */
export function objectKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { objectKey }: Record<string, SQLiteColumn> = getTableColumns(table)
  return objectKey ? [objectKey] : []
}

/** Rows of a table by its columns `ownerId` or `userId`, `createdAt` or `deletedAt` and `objectKey`. */
export function ownRows(name: string, table: SQLiteTable, options: Options = {}): OwnedRows {
  const { where, limit = ROWS_PER_STEP, wipedWith = [], referredToBy = [] } = options
  const { around = (_, statements) => statements } = options
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)
  const owner = columns['ownerId'] ?? columns['userId']
  const id = columns['id'] ?? owner
  const [objectKey] = objectKeyOf(table)
  const since = columns['createdAt'] ?? columns['deletedAt']
  if (!owner || !id) {
    throw new Error(`ownRows: ${name} are nobody's`)
  }
  return {
    name,
    find: (scope) =>
      db.all(sql`SELECT ${id} AS id ${objectKey ? sql`, ${objectKey} AS objectKey` : sql``}
        FROM ${rowsOfScope(scope, table, id)} WHERE ${owner} = ${scope.ownerId}
        ${since ? sql`AND ${since} <= ${scope.before}` : sql``} ${where ? sql`AND ${where}` : sql``} LIMIT ${sql.raw(String(limit))}`),
    erase:
      options.erase ??
      ((ids, { ownerId }) => {
        const isOne = sql`${id} IN ${among(ids)} AND ${owner} = ${ownerId}`
        return around(ownerId, [
          ...referredToBy.map((column) =>
            deleteBy(column, sql`SELECT ${id} FROM ${table} WHERE ${isOne}`),
          ),
          db.delete(table).where(isOne),
        ])
      }),
    wipedWith,
  }
}

/** Deletes the rows whose column has one of these values, which a SELECT gives. */
const deleteBy = (column: SQLiteColumn, values: SQL): Statement =>
  db.delete(column.table).where(sql`${column} IN (${values})`)

/** Deletes the rows of small tables that name a user in these columns. */
export const forgetBy =
  (...columns: SQLiteColumn[]) =>
  (_: Context, userId: string): Statement[] =>
    columns.map((column) => db.delete(column.table).where(sql`${column} = ${userId}`))

/** The refusal if something in the trash has another version than was read, or no longer exists. */
export const changedInTrash = ofVersion(trashErrors.changedMeanwhile)

/** Orders a finder of the trash by an alias with `deleted_at` and `id`. A position is `[deletedAt, id]`. */
export const trashPage = (alias: SQL, { after, limit }: PageRequest): SQL =>
  sql`${
    after === undefined
      ? sql``
      : sql`AND (${alias}.deleted_at, ${alias}.id) < (CAST(${after[0]} AS INTEGER), ${after[1]})`
  } ORDER BY ${alias}.deleted_at DESC, ${alias}.id DESC LIMIT ${limit + 1}`

/** The number of rows of a table in the trash that one commit erases. */
const ERASED_AT_ONCE = 250

/**
 * True if nothing is being restored for an owner. Restored rows are compared with their archive, so nightly jobs
 * leave them alone until then.
 */
export const isNotRestored = (ownerId: SQL | SQLiteColumn): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM restores r WHERE r.owner_id = ${ownerId} AND r.state NOT IN ('done', 'failed'))`

/** True if a row in the trash is due for erasure. */
export const isDueInTrash = ({ ownerId, before }: TrashScope, table: SQLiteTable): SQL =>
  ownerId === undefined
    ? sql`deleted_at IS NOT NULL AND deleted_at <= ${before} AND ${isNotRestored(sql`${table}.owner_id`)}`
    : sql`owner_id = ${ownerId} AND deleted_at IS NOT NULL AND deleted_at <= ${before}`

/** Orders what is due, and leaves out what comes before a position. */
export const dueRowsAfter = (after: TrashPosition | undefined, most: number): SQL =>
  sql`${
    after ? sql`AND (deleted_at, id) > (CAST(${after.deletedAt} AS INTEGER), ${after.id})` : sql``
  } ORDER BY deleted_at, id LIMIT ${most}`

/** Rows of a table that are erased by one statement when their time in the trash is over. */
export const dueRows = (
  name: 'transactions' | 'rows',
  table: SQLiteTable,
): NonNullable<TrashShelf['due']> => ({
  name,
  atOnce: ERASED_AT_ONCE,
  find: (scope, after) =>
    db.all(
      sql`SELECT id, deleted_at AS deletedAt FROM ${table}
        WHERE ${isDueInTrash(scope, table)} ${dueRowsAfter(after, ERASED_AT_ONCE)}`,
    ),
  erase: (ids, scope) => [
    db.run(sql`DELETE FROM ${table} WHERE id IN ${among(ids)} AND ${isDueInTrash(scope, table)}`),
  ],
})
