import { type SQL, sql } from 'drizzle-orm'
import type { AppError } from '../domain/errors.ts'
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

/** What a use case answers when its premise fell; reasons that it leaves out have a general answer. */
export type GuardErrors = Partial<Record<GuardReason, () => AppError>>
