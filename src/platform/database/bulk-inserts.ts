import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Memory } from './memory.ts'
import { db, inParameters, itemsOf, prepared, type Statement } from './statements.ts'

type Value = string | number | boolean | null | undefined
type Field<Row> = keyof Row & string

/** The source of a column: a field of the row, or SQL made of such fields. */
type Source<Row> = Field<Row> | ((field: (name: Field<Row>) => SQL) => SQL)

/** A column by its name. */
type Column<Row> = readonly [name: string, source: Source<Row>]

/** From how many rows on what they have in common is sent once. Of few it would make a text of its own in each case. */
const SHARED_FROM = 50

/** Texts that are kept by the fields which rows had in common. */
const MOST_TEXTS = 100

/**
 * Inserts rows by a handful of statements, however many they are. A field that all rows have in common is a parameter of its
 * own; of the others each row is a list in JSON: names would be most of the text, which is written here and read by SQLite.
 */
export function inserterInto<Row extends { [Name in keyof Row]: Value }>(
  table: SQLiteTable,
  columns: readonly Column<Row>[],
): (rows: Row[]) => Statement[] {
  const fields = columns.flatMap(([, source]) => (typeof source === 'string' ? [source] : []))
  const texts = new Memory<(values: Record<string, Value>) => Statement>(MOST_TEXTS)
  return (rows) => {
    const shared = rows.length < SHARED_FROM ? [] : fields.filter((field) => isShared(rows, field))
    const own = fields.filter((field) => !shared.includes(field))
    const [first] = rows
    const values = Object.fromEntries(shared.map((field) => [field, first?.[field] ?? null]))
    const isText = (field: string) => ['string', 'object'].includes(typeof values[field])
    const key = shared.map((field) => `${field}${isText(field) ? '' : '#'}`).join()
    let insert = texts.get(key)
    if (!insert) {
      insert = inserting(table, columns, (field) => {
        const value = sql`${sql.placeholder(field)}`
        const at = own.indexOf(field)
        return at >= 0
          ? sql.raw(`value->>${at}`)
          : isText(field)
            ? value
            : // D1 binds every number as REAL.
              sql`CAST(${value} AS INTEGER)`
      })
      texts.set(key, insert)
    }
    const make = insert
    const lists = rows.map((row) => own.map((field) => row[field] ?? null))
    return inParameters(lists).map(({ json }) => make({ ...values, json }))
  }
}

function isShared<Row>(rows: Row[], field: keyof Row): boolean {
  const value = rows[0]?.[field]
  return rows.every((row) => row[field] === value)
}

const inserting = <Row>(
  table: SQLiteTable,
  columns: readonly Column<Row>[],
  valueOf: (field: Field<Row>) => SQL,
) =>
  prepared<Record<string, Value>, unknown>(() =>
    db.run(
      sql`INSERT INTO ${table} (${sql.join(
        columns.map(([name]) => sql.identifier(name)),
        sql`, `,
      )}) SELECT ${sql.join(
        columns.map(([, source]) =>
          typeof source === 'string' ? valueOf(source) : source(valueOf),
        ),
        sql`, `,
      )} FROM ${itemsOf(sql.placeholder('json'))}`,
    ),
  )
