import { sql } from 'drizzle-orm'
import { check, integer, text } from 'drizzle-orm/sqlite-core'

// Every column is named explicitly: unnamed ones break when esbuild bundles the schema.

/** Largest amount or balance, in minor units: 2^53 - 1, what a JavaScript number holds exactly. */
export const MAX_MINOR_SQL = '9007199254740991'

export const id = () => text('id').primaryKey()

/** Milliseconds since 1970 UTC. */
export const instant = (name: string) => integer(name)

/** Integer minor units of the row's currency. */
export const minor = (name: string) => integer(name)

/** Checks that an amount or balance is within the range of amounts. */
export const within = (name: string, column: string) =>
  check(name, sql.raw(`${column} BETWEEN -${MAX_MINOR_SQL} AND ${MAX_MINOR_SQL}`))

export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** The columns of every mutable resource: a version for If-Match and two stamps. */
export const stamps = {
  version: integer('version').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}
