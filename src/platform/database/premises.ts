import { type AnyColumn, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '../context.ts'
import { changedMeanwhile, type Refusal } from './refusals.ts'
import { db, type Statement } from './statements.ts'

// A premise is a statement of a commit that aborts its batch when what the use case went by does not hold any more. It
// inserts a number into `write_guard`, where a CHECK of that number refuses it. The batch gives each premise numbers of
// its own, so the name of the broken CHECK leads to the error that the premise was made with.

/** A premise that may be refused in one way or several: the number of each is a placeholder, by its name in `refusals`. */
export interface Premise extends Statement {
  readonly refusals: Readonly<Record<string, Refusal>>
}

export const isPremise = (statement: Statement): statement is Premise => 'refusals' in statement

const PREFIX = 'premise '

/** Stands for the number of a premise until the batch is put together. */
export const numberOf = (name: string): Placeholder => sql.placeholder(`${PREFIX}${name}`)

/** The name that a placeholder of a number was made with; undefined for any other. */
export const namedNumber = ({ name }: Placeholder): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined

/** Makes a premise of a statement that inserts the number of one of these refusals into `write_guard`. */
export const premise = <Refusals extends Record<string, Refusal>>(
  statement: Statement,
  refusals: Refusals,
): Premise => Object.assign(statement, { refusals })

/** Aborts the batch with this error when `broken` holds. */
export const refuseIf = (broken: SQL, error: Refusal): Premise =>
  premise(db.run(sql`INSERT INTO write_guard (premise) SELECT ${numberOf('it')} WHERE ${broken}`), {
    it: error,
  })

/** Aborts the batch unless the statement right before it changed exactly this many rows. */
export const requireChanged = (count: number, error: Refusal): Premise =>
  refuseIf(sql`changes() <> CAST(${count} AS INTEGER)`, error)

/** Aborts the batch unless the statement right before it changed exactly one row. */
export const requireChangedOne = (error: Refusal): Premise => refuseIf(sql`changes() <> 1`, error)

/** Tells whether the caller demands certain versions. */
export const namesVersions = ({ precondition }: Context): boolean =>
  Array.isArray(precondition?.ifMatch)

/**
 * Refuses when the row that `If-Match` was compared with has another version by now. It is for writes that do
 * not depend on the version otherwise, so it asserts nothing where the caller names none.
 */
export const mustKeepVersion = (
  ctx: Context,
  table: SQLiteTable & { id: AnyColumn; version: AnyColumn },
  { id, version }: { id: string; version: number },
): Statement[] =>
  namesVersions(ctx)
    ? [
        refuseIf(
          sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id} AND ${table.version} = ${version})`,
          changedMeanwhile,
        ),
      ]
    : []
