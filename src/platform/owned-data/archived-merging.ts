import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  type ArchivedRow,
  type ArchivedTable,
  ownerOfRow,
  shapeOf,
  tableNameOf,
} from './archived-tables.ts'
import { db, itemsOf, type Statement } from '../database/statements.ts'

// Finds rows of an archive that exist already. Statements take rows as JSON, each with its place among them, and
// return places.

/** Returns the key that identifies a row among all rows of an archive. */
export function knownBy(archived: ArchivedTable, row: ArchivedRow): string {
  const { id, key } = shapeOf(archived)
  if (id !== undefined) {
    return String(row[id])
  }
  return archived.isSingle
    ? tableNameOf(archived)
    : [tableNameOf(archived), ...key.map((name) => String(row[name]))].join(' ')
}

/** True if a row is decided by itself, and not by the row that it belongs to. */
export const isDecided = (
  { merge, isSingle, of }: ArchivedTable,
  id: string | undefined,
): boolean => id !== undefined || merge?.with !== undefined || isSingle === true || of === undefined

const PLACE = 'place 0'

/** Rows with their places, with only these columns. */
const placed = (rows: readonly ArchivedRow[], names: readonly string[]): string =>
  JSON.stringify(
    rows.map((row, place) => ({
      [PLACE]: place,
      ...Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
    })),
  )

const field = (name: string): SQL => sql`value->>${sql.raw(`'${name}'`)}`

const same = ({ table }: ArchivedTable, names: readonly string[], operator: SQL): SQL =>
  sql.join(
    names.map((name) => sql`${table}.${sql.identifier(name)} ${operator} ${field(name)}`),
    sql` AND `,
  )

const ownerOf = ({ owner = [] }: ArchivedTable): SQLiteColumn | undefined => owner[0]

/** A row that is there: whether it is the owner's, and whether an archive of the owner would have it. */
export interface Present {
  place: number
  isOwn: 0 | 1
  isShown: 0 | 1
}

/** Finds the rows among these that exist, by their keys. For a table with one row per owner, it finds that row. */
export function existingRows(
  archived: ArchivedTable,
  rows: readonly ArchivedRow[],
  ownerId: string,
): Statement<Present[]> {
  const { table, isSingle, where, of } = archived
  const { key } = shapeOf(archived)
  const owner = ownerOf(archived)
  const isOwn = owner ? sql`${owner} = ${ownerId}` : sql`1`
  return isSingle
    ? db.all(sql`SELECT 0 AS place, 1 AS isOwn, 1 AS isShown FROM ${table} WHERE ${isOwn}`)
    : db.all(sql`SELECT ${field(PLACE)} AS place, ${isOwn} AS isOwn, ${where && !of ? where : sql`1`} AS isShown
        FROM ${itemsOf(placed(rows, key))} CROSS JOIN ${table} ON ${same(archived, key, sql`=`)}`)
}

/** The rows that stand for some of these: others of the owner with the same in all columns of which a combination is there once. */
export function sameRows(
  archived: ArchivedTable,
  rows: readonly ArchivedRow[],
  ownerId: string,
): Statement<{ place: number; id: string }[]> {
  const { table, merge } = archived
  const names = (merge?.same ?? []).map(({ name }) => name)
  return db.all(sql`SELECT ${field(PLACE)} AS place, ${table}.id AS id
    FROM ${itemsOf(placed(rows, names))} CROSS JOIN ${table} ON ${same(archived, names, sql`IS`)}
    WHERE ${ownerOf(archived)} = ${ownerId} ${merge?.sameWhere ? sql`AND ${merge.sameWhere}` : sql``}`)
}

/** Finds the ids among these that are in a table. */
export const takenIds = (archived: ArchivedTable, ids: string[]): Statement<{ id: string }[]> =>
  db.all(sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
    WHERE EXISTS (SELECT 1 FROM ${archived.table} WHERE ${archived.table}.id = value)`)

/** Finds the ids among these that are in a table and belong to somebody else. */
export const idsOfOthers = (
  archived: ArchivedTable,
  ids: string[],
  ownerId: string,
): Statement<{ id: string }[]> =>
  db.all(sql`SELECT ids.value AS id FROM json_each(${JSON.stringify(ids)}) ids
    CROSS JOIN ${archived.table} ON ${archived.table}.id = ids.value
    WHERE ${ownerOfRow(archived)} IS NOT ${ownerId}`)

/** SQL that finds a row of a table that has an owner. */
export function emptinessOf(archived: ArchivedTable, ownerId: string): SQL {
  const [owner] = archived.owner ?? []
  if (!owner) {
    throw new Error(`${tableNameOf(archived)}: nobody owns its rows`)
  }
  return sql`SELECT 1 FROM ${archived.table} WHERE ${owner} = ${ownerId} ${
    archived.where ? sql`AND ${archived.where}` : sql``
  }`
}

/** All names of an owner's rows in a table, as they are compared. */
export const takenNames = (
  archived: ArchivedTable,
  ownerId: string,
): Statement<{ nameKey: string }[]> =>
  db.all(sql`SELECT ${archived.table}.name_key AS nameKey FROM ${archived.table}
    WHERE ${ownerOf(archived)} = ${ownerId}`)
