import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type ArchivedRow, type ArchivedTable, tableNameOf, shapeOf } from './archived-tables.ts'
import { db, itemsOf, type Statement } from '../database/statements.ts'

// Rows of which an owner has one at most: what an archive has takes the place of what is there, until it is taken back.

/** The row that an archived row replaced. */
export interface ReplacedRow {
  /** The row before the replacement; null where there was none. */
  row: ArchivedRow | null
  /** The version of the replacing row. If the row has another version now, somebody changed it since. */
  version: number
}

/** By the names of the tables. */
export type ReplacedRows = Record<string, ReplacedRow>

const ownedBy = ({ owner }: ArchivedTable, ownerId: string): SQL =>
  sql`${ownerColumn(owner)} = ${ownerId}`

function ownerColumn([column]: readonly SQLiteColumn[] = []): SQLiteColumn {
  if (!column) {
    throw new Error('a row of which there is one at most has an owner')
  }
  return column
}

/** SQL of the JSON of `ReplacedRows` with what is about to be replaced by a row of this version. */
export function withReplaced(
  json: SQL | SQLiteColumn,
  archived: ArchivedTable,
  ownerId: string,
  version: number,
): SQL {
  const fields = shapeOf(archived).columns.map(
    ({ name }) => sql`${sql.raw(`'${name}'`)}, ${archived.table}.${sql.identifier(name)}`,
  )
  const row = sql`(SELECT json_object(${sql.join(fields, sql`, `)}) FROM ${archived.table}
    WHERE ${ownedBy(archived, ownerId)})`
  return sql`json_set(${json}, ${`$.${tableNameOf(archived)}`},
    json_object('row', json(${row}), 'version', CAST(${version} AS INTEGER)))`
}

/** Gives an owner the row back that was replaced, under a version that nobody has seen, unless somebody changed it since. */
export function takeBackSingle(
  archived: ArchivedTable,
  { row, version }: ReplacedRow,
  ownerId: string,
): Statement {
  const { table } = archived
  const isAsStored = sql`${ownedBy(archived, ownerId)} AND ${table}.version = CAST(${version} AS INTEGER)`
  if (!row) {
    return db.run(sql`DELETE FROM ${table} WHERE ${isAsStored}`)
  }
  const columns = shapeOf(archived).columns.filter(({ name }) => name !== 'version')
  const values = columns.map(
    ({ name }) => sql`${sql.identifier(name)} = value->>${sql.raw(`'${name}'`)}`,
  )
  return db.run(sql`UPDATE ${table} SET ${sql.join(values, sql`, `)},
      version = 1 + max(${table}.version, value->>'version')
    FROM ${itemsOf(JSON.stringify([row]))} WHERE ${isAsStored}`)
}
