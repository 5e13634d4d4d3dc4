import { type SQL, sql } from 'drizzle-orm'
import {
  type ArchivedRow,
  type ArchivedShape,
  type ArchivedTable,
  ownerOfRow,
  shapeOf,
} from './archived-tables.ts'
import { refuseIf } from '../database/premises.ts'
import type { Refusal } from '../database/refusals.ts'
import { db, inParameters, itemsOf, type Statement } from '../database/statements.ts'

// Stores rows of an archive.

const listOf = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )

const field = (name: string): SQL => sql`value->>${sql.raw(`'${name}'`)}`

/** Stores rows that are not there yet, by their keys; a row of an owner that has one at most takes its place. */
function insertRows(
  { table, fill = {}, isSingle }: ArchivedTable,
  { key, owner }: ArchivedShape,
  columns: readonly string[],
  json: string,
  ownerId: string,
): Statement {
  const filled = Object.entries(fill)
  const names = [...owner, ...columns, ...filled.map(([name]) => name)]
  const values = [
    ...owner.map(() => sql`${ownerId}`),
    ...columns.map(field),
    ...filled.map(([, value]) => value),
  ]
  const isThere = isSingle
    ? sql``
    : sql`AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${sql.join(
        key.map((name) => sql`${table}.${sql.identifier(name)} = ${field(name)}`),
        sql` AND `,
      )})`
  const onConflict = isSingle
    ? sql`ON CONFLICT (${listOf(key)}) DO UPDATE SET ${sql.join(
        columns.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
        sql`, `,
      )}`
    : sql``
  return db.run(sql`INSERT INTO ${table} (${listOf(names)})
    SELECT ${sql.join(values, sql`, `)} FROM ${itemsOf(json)} WHERE true ${isThere} ${onConflict}`)
}

/** Stores the columns of rows that name rows which came later. The plus keeps SQLite from going through all rows of the owner. */
const updateLate = (
  { table }: ArchivedTable,
  { owner: [ownerColumn = ''] }: ArchivedShape,
  columns: readonly string[],
  json: string,
  ownerId: string,
): Statement =>
  db.run(sql`UPDATE ${table} SET ${sql.join(
    columns.map((name) => sql`${sql.identifier(name)} = ${field(name)}`),
    sql`, `,
  )} FROM ${itemsOf(json)} WHERE ${table}.id = ${field('id')}
    AND +${table}.${sql.identifier(ownerColumn)} = ${ownerId}`)

/** Stores archived rows of a table for an owner. Refuses where one of their ids is somebody else's. */
export function storeRows(
  archived: ArchivedTable,
  rows: ArchivedRow[],
  ownerId: string,
  isForeign: Refusal,
): Statement[] {
  const shape = shapeOf(archived)
  const more = Object.keys(rows[0] ?? {}).filter(
    (name) => !shape.columns.some((column) => column.name === name),
  )
  const columns = [...shape.columns.map(({ name }) => name), ...more].filter(
    (name) => !shape.late.includes(name),
  )
  const { table, around = (_, __, statements) => statements } = archived
  return around(ownerId, rows, [
    ...inParameters(rows).flatMap(({ json }) => [
      insertRows(archived, shape, columns, json, ownerId),
      ...(shape.id
        ? [
            refuseIf(
              sql`EXISTS (SELECT 1 FROM ${itemsOf(json)} CROSS JOIN ${table}
                ON ${table}.id = ${field('id')} WHERE ${ownerOfRow(archived)} IS NOT ${ownerId})`,
              isForeign,
            ),
          ]
        : []),
    ]),
    ...(archived.follow && shape.id
      ? archived.follow(rows.map((row) => String(row[shape.id ?? ''])))
      : []),
  ])
}

/** Stores what is stored of rows once all of them are there. */
export function storeLate(
  archived: ArchivedTable,
  rows: ArchivedRow[],
  ownerId: string,
): Statement[] {
  const shape = shapeOf(archived)
  return inParameters(rows).map(({ json }) =>
    updateLate(archived, shape, shape.late, json, ownerId),
  )
}
