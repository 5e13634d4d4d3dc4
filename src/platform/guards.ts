import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { AppError } from '../domain/errors.ts'
import type { Context } from './context.ts'
import { db, type Statement } from './statements.ts'

/** Why a commit may be refused by a premise it re-asserts; each is a named CHECK of `write_guard`. */
export type GuardReason =
  | 'session'
  | 'permission'
  | 'stale'
  | 'gone'
  | 'conflict'
  | 'limit'
  | 'unbalanced'

/** Aborts the batch when `broken` holds: the inserted row breaks the CHECK that bears the reason's name. */
export const refuseWhen = (reason: GuardReason, broken: SQL): Statement =>
  db.run(sql`INSERT INTO write_guard (reason) SELECT ${reason} WHERE ${broken}`)

/** Aborts the batch unless the statement right before it changed exactly this many rows. */
export const mustHaveChanged = (count: number, reason: GuardReason): Statement =>
  refuseWhen(reason, sql`changes() <> CAST(${count} AS INTEGER)`)

/** The same of one row. */
export const mustHaveChangedOne = (reason: GuardReason): Statement =>
  refuseWhen(reason, sql`changes() <> 1`)

/** Tells whether the caller demands certain versions. */
export const namesVersions = ({ precondition }: Context): boolean =>
  Array.isArray(precondition?.ifMatch)

/**
 * Breaks `stale` when the row that `If-Match` was compared with has another version by now. It is for writes that do
 * not depend on the version otherwise, so it asserts nothing where the caller names none.
 */
export const mustKeepVersion = (
  ctx: Context,
  table: SQLiteTable & { id: AnyColumn; version: AnyColumn },
  { id, version }: { id: string; version: number },
): Statement[] =>
  namesVersions(ctx)
    ? [
        refuseWhen(
          'stale',
          sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id} AND ${table.version} = ${version})`,
        ),
      ]
    : []

/** What a use case answers when its premise fell; reasons that it leaves out have a general answer. */
export type GuardErrors = Partial<Record<GuardReason, () => AppError>>
