import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { SignedIn } from './context.ts'
import { refuseIf } from './premises.ts'
import type { Refusal } from './refusals.ts'
import { db, inParameters, itemsOf, type Statement } from './statements.ts'

// The rows of tables as an archive has them, so that it can be restored: which ones are somebody's, in which order, and how
// they are stored again. What can be said of a column by its schema is not said here.

/** A row by the names of its columns in SQL, as JSON has it. */
export type ArchivedRow = Record<string, string | number | null>

export interface ArchivedTable {
  table: SQLiteTable
  /** What the lines are ordered by: with that of `of` in front, unique among the rows of an owner. */
  order: readonly SQLiteColumn[]
  /** The columns that name the owner: they are not archived. Without one it is `of` that says whose a row is. */
  owner?: readonly SQLiteColumn[]
  /** The column that names a row of another archived table, to which the row belongs. */
  of?: { column: SQLiteColumn; parent: ArchivedTable }
  /** Which rows are archived; all of the owner if not said. */
  where?: SQL
  /** Columns that are not archived: they are kept by triggers, or get `fill` or their default. */
  leftOut?: readonly SQLiteColumn[]
  /** SQL of columns that are left out, in the statement that stores a row. */
  fill?: Record<string, SQL>
  /** Columns that name users of any kind: who did something. */
  users?: readonly SQLiteColumn[]
  /** Those of them that tell users apart, so that one whom the service does not know is not taken for the owner. */
  apart?: readonly SQLiteColumn[]
  /** Columns of JSON, and what each has. */
  json?: Record<string, 'list' | 'object' | 'any'>
  /** Columns that name a row of this table; no row may be below itself. */
  trees?: readonly SQLiteColumn[]
  /** Columns that name rows of one of these tables, which no foreign key says. */
  names?: readonly (readonly [SQLiteColumn, readonly string[]])[]
  /** Columns that are stored once all rows of the table are there, as they name rows of the table. */
  late?: readonly SQLiteColumn[]
  /** Rows of equal values in this column are stored by one commit. */
  together?: SQLiteColumn
  /** Of the rows in a state there is one at most for each value of a column. */
  onlyOne?: { of: SQLiteColumn; state: string }
  /** There is one row of an owner at most, and what is archived takes the place of what is there. */
  isSingle?: true
  /** The file that is stored before its row. */
  file?: ArchivedFiles
  /** What else the commit of these rows stores. */
  follow?: (ids: string[]) => Statement[]
  /** How rows are merged into data that is there. */
  merge?: MergeRule
}

/** How rows of an archive are merged into data that is there: those whose id is not there are added. */
export interface MergeRule {
  /** Columns of which an owner has each combination once: a row with the same stands for one of the archive. */
  same?: readonly SQLiteColumn[]
  /** Of which rows that holds; of all if not said. */
  sameWhere?: SQL
  /** No row stands for another one: one whose name is taken gets a new name. */
  isRenamed?: true
  /** Rows are added only with one that these columns name: with any of them, unless `withAll`. */
  with?: readonly SQLiteColumn[]
  withAll?: true
}

/** The files of the rows of a table. */
export interface ArchivedFiles {
  /** Its path in the archive. */
  pathOf: (row: ArchivedRow) => string
  /** Stores the bytes of a file, if the archive has them; gives the columns that are left out. */
  store: (
    owner: SignedIn,
    row: ArchivedRow,
    bytes: AsyncIterable<Uint8Array> | undefined,
  ) => Promise<ArchivedRow>
  /** What is asserted behind the rows. */
  premises: (owner: SignedIn) => Statement[]
}

export const tableNameOf = ({ table }: ArchivedTable): string => getTableName(table)

/** What an archive says of a column. */
export interface ArchivedColumn {
  name: string
  kind: 'text' | 'integer' | 'flag' | 'json'
  isNullable: boolean
  /** What it is where nothing is said; undefined where something must be. */
  absent: string | number | null | undefined
  values: readonly string[] | undefined
  json: 'list' | 'object' | 'any' | undefined
  /** Names a user. */
  isUser: boolean
  /** Names a user who is not to be taken for the owner. */
  isApart: boolean
  /** The tables of which it names an archived row. */
  refersTo: readonly string[] | undefined
}

/** What an archive says of a table. */
export interface ArchivedShape {
  name: string
  columns: ArchivedColumn[]
  /** The column of its ids, if it has one. */
  id: string | undefined
  key: string[]
  trees: string[]
  late: string[]
  owner: string[]
}

const shapes = new Map<ArchivedTable, ArchivedShape>()

export function shapeOf(archived: ArchivedTable): ArchivedShape {
  const known = shapes.get(archived) ?? makeShape(archived)
  shapes.set(archived, known)
  return known
}

function makeShape(archived: ArchivedTable): ArchivedShape {
  const { table, owner = [], leftOut = [], users = [], json = {}, trees = [], of } = archived
  const { foreignKeys, primaryKeys } = getTableConfig(table)
  const columns: SQLiteColumn[] = Object.values(getTableColumns(table))
  const refersTo = new Map<string, readonly string[]>()
  for (const key of foreignKeys) {
    const { columns: from, foreignColumns, foreignTable } = key.reference()
    from.forEach(({ name }, at) => {
      if (foreignColumns[at]?.name === 'id') {
        refersTo.set(name, [getTableName(foreignTable)])
      }
    })
  }
  if (of) {
    refersTo.set(of.column.name, [tableNameOf(of.parent)])
  }
  for (const [{ name }, tables] of archived.names ?? []) {
    refersTo.set(name, tables)
  }
  for (const { name } of trees) {
    refersTo.set(name, [getTableName(table)])
  }
  const apart = new Set([...owner, ...leftOut])
  const key = columns.filter(({ primary }) => primary).map(({ name }) => name)
  return {
    name: getTableName(table),
    columns: columns
      .filter((column) => !apart.has(column))
      .map((column) => {
        const shape = json[column.name]
        return {
          name: column.name,
          kind: shape ? 'json' : kindOf(column),
          isNullable: !column.notNull,
          absent: absentIn(column),
          values: column.enumValues?.length ? column.enumValues : undefined,
          json: shape,
          isUser: users.includes(column),
          isApart: archived.apart?.includes(column) === true,
          refersTo: refersTo.get(column.name),
        }
      }),
    id: columns.find(({ name, primary }) => primary && name === 'id')?.name,
    key: key.length > 0 ? key : (primaryKeys[0]?.columns.map(({ name }) => name) ?? []),
    trees: trees.map(({ name }) => name),
    late: (archived.late ?? []).map(({ name }) => name),
    owner: owner.map(({ name }) => name),
  }
}

const absentIn = ({ notNull, default: value }: SQLiteColumn): ArchivedColumn['absent'] =>
  typeof value === 'string' || typeof value === 'number'
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : notNull
        ? undefined
        : null

const kindOf = ({ dataType, name }: SQLiteColumn): 'text' | 'integer' | 'flag' => {
  if (dataType === 'string' || dataType === 'number' || dataType === 'boolean') {
    return dataType === 'string' ? 'text' : dataType === 'number' ? 'integer' : 'flag'
  }
  throw new Error(`${name}: an archive has no such column`)
}

/** The tables from which a row comes to its owner, the first of which has the owner. */
const lineage = (archived: ArchivedTable): ArchivedTable[] =>
  archived.of ? [...lineage(archived.of.parent), archived] : [archived]

/** SQL of the owner of a row, who is that of the row that it belongs to. */
export function ownerOfRow({ table, owner: [own] = [], of }: ArchivedTable): SQL {
  if (own) {
    return sql`${own}`
  }
  if (!of) {
    throw new Error(`${getTableName(table)}: nobody owns its rows`)
  }
  return sql`(SELECT ${ownerOfRow(of.parent)} FROM ${of.parent.table}
    WHERE ${idOf(of.parent)} = ${of.column})`
}

/** Where a page of rows ended. */
export type RowPosition = (string | number)[]

/** So many rows are read by one statement. */
export const ROWS_PER_PAGE = 1000

/** What a position is read from. */
const placeName = (at: number) => `place_${at}`

/** A page of the rows of an owner; `archivedPosition` takes off them where it ended. */
export function pageOfArchived(
  archived: ArchivedTable,
  ownerId: string,
  after: RowPosition | undefined,
): Statement<Record<string, string | number | null>[]> {
  const tables = lineage(archived)
  const order = tables.flatMap((one) => one.order)
  const [first] = tables
  const ownerColumn = first?.owner?.[0]
  if (!first || !ownerColumn) {
    throw new Error(`${tableNameOf(archived)}: nobody owns its rows`)
  }
  const columns = shapeOf(archived).columns.map(
    ({ name }) => sql`${archived.table}.${sql.identifier(name)}`,
  )
  const places = order.map((column, at) => sql`${column} AS ${sql.identifier(placeName(at))}`)
  const joins = tables
    .slice(1)
    .map(
      (one) =>
        sql` CROSS JOIN ${one.table} ON ${one.of?.column ?? sql`NULL`} = ${idOf(one.of?.parent)}`,
    )
  const isBehind = after
    ? sql`AND (${sql.join(order, sql`, `)}) > (${sql.join(
        order.map((column, at) =>
          column.dataType === 'number' ? sql`CAST(${after[at]} AS INTEGER)` : sql`${after[at]}`,
        ),
        sql`, `,
      )})`
    : sql``
  const wheres = tables.map(({ where }) => (where ? sql`AND ${where}` : sql``))
  return db.all(sql`SELECT ${sql.join([...columns, ...places], sql`, `)}
    FROM ${first.table}${sql.join(joins)}
    WHERE ${ownerColumn} = ${ownerId} ${sql.join(wheres, sql` `)} ${isBehind}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${sql.raw(String(ROWS_PER_PAGE))}`)
}

function idOf(archived: ArchivedTable | undefined): SQLiteColumn {
  const id = archived && (getTableColumns(archived.table) as Record<string, SQLiteColumn>)['id']
  if (!id) {
    throw new Error('a row belongs to one that has no id')
  }
  return id
}

/** Takes the position off a row as it was read. */
export function archivedPosition(archived: ArchivedTable, row: ArchivedRow): RowPosition {
  return lineage(archived)
    .flatMap(({ order }) => order)
    .map((_, at) => row[placeName(at)] ?? '')
}

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

/** Stores the columns of rows that name rows which came later. */
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
    AND ${table}.${sql.identifier(ownerColumn)} = ${ownerId}`)

/** Stores archived rows of a table for an owner. Refuses where one of their ids is somebody else's. */
export function storeRows(
  archived: ArchivedTable,
  rows: ArchivedRow[],
  ownerId: string,
  isForeign: Refusal,
): Statement[] {
  const shape = shapeOf(archived)
  const [ownerColumn] = shape.owner
  const more = Object.keys(rows[0] ?? {}).filter(
    (name) => !shape.columns.some((column) => column.name === name),
  )
  const columns = [...shape.columns.map(({ name }) => name), ...more].filter(
    (name) => !shape.late.includes(name),
  )
  const { table } = archived
  return [
    ...inParameters(rows).flatMap(({ json }) => [
      insertRows(archived, shape, columns, json, ownerId),
      ...(shape.id && ownerColumn
        ? [
            refuseIf(
              sql`EXISTS (SELECT 1 FROM ${itemsOf(json)} CROSS JOIN ${table}
                ON ${table}.id = ${field('id')} WHERE ${table}.${sql.identifier(ownerColumn)} <> ${ownerId})`,
              isForeign,
            ),
          ]
        : []),
    ]),
    ...(archived.follow && shape.id
      ? archived.follow(rows.map((row) => String(row[shape.id ?? ''])))
      : []),
  ]
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
