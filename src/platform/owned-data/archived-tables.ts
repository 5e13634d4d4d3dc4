import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Check } from '../../domain/stored-values.ts'
import type { SignedIn } from '../context.ts'
import { cutPage, type Position } from '../database/paging.ts'
import { db, prepared, type Statement, upToBytes } from '../database/statements.ts'

// The rows of tables as an archive has them, so that it can be restored: which ones are somebody's, in which order, and how
// they are stored again. What can be said of a column by its schema is not said here.

/** A row by the names of its columns in SQL, as JSON has it. */
export type ArchivedRow = Record<string, string | number | null>

export interface ArchivedTable {
  table: SQLiteTable
  /** The prefixes of its ids, if it has ids. */
  prefixes?: readonly string[]
  /** The columns that the lines are ordered by. With the column of `of` in front, they are unique among the rows of an owner. */
  order: readonly SQLiteColumn[]
  /** The columns that name the owner: they are not archived. Without one it is `of` that says whose a row is. */
  owner?: readonly SQLiteColumn[]
  /** The column that names a row of another archived table, to which the row belongs. */
  of?: { column: SQLiteColumn; parent: ArchivedTable }
  /** The condition for rows to be archived; without it, all rows of the owner are. */
  where?: SQL
  /** Columns that are not archived: they are kept by triggers, or get `fill` or their default. */
  leftOut?: readonly SQLiteColumn[]
  /** SQL of columns that are left out, in the statement that stores a row. */
  fill?: Record<string, SQL>
  /** Columns that name users of any kind: who did something. */
  users?: readonly SQLiteColumn[]
  /** Columns of JSON, by their names in the schema of the table, and what each may hold. */
  json?: Record<string, Check>
  /** The checks of other columns, beyond their types and names, by the same names. */
  holds?: Record<string, Check>
  /** The most rows that may exist: of one owner, or with the same values in the columns of `per`. */
  most?: readonly RowLimit[]
  /** Columns that name a row of this table; no row may be below itself. */
  trees?: readonly SQLiteColumn[]
  /** The most rows that may be above each other in the first of these. */
  levels?: number
  /** Columns that name rows of one of these tables, which no foreign key says. */
  names?: readonly (readonly [SQLiteColumn, readonly string[]])[]
  /** Columns that are stored once all rows of the table are there, as they name rows of the table. */
  late?: readonly SQLiteColumn[]
  /** Rows of equal values in this column are stored by one commit. */
  together?: SQLiteColumn
  /** The most rows that one commit stores, where triggers do much for each. */
  rowsPerPiece?: number
  /** The state that at most one row has for each value of a column. */
  onlyOne?: { of: SQLiteColumn; state: string }
  /** A value is there once for each user in a row: of users who become one, the first row keeps it, and others have none. */
  onceForUser?: { user: SQLiteColumn; value: SQLiteColumn; within: SQLiteColumn }
  /** There is one row of an owner at most, and what is archived takes the place of what is there. */
  isSingle?: true
  /** The file that is stored before its row. */
  file?: ArchivedFiles
  /** Returns further statements for the commit of these rows. */
  follow?: (ids: string[]) => Statement[]
  /** Wraps the statements that store rows. */
  around?: (ownerId: string, rows: ArchivedRow[], statements: Statement[]) => Statement[]
  /** The rule for merging rows into existing data. */
  merge?: MergeRule
}

export interface RowLimit {
  rows: number
  /** The limit is on the bytes of this column in all rows together, in place of the rows. */
  bytesOf?: SQLiteColumn
  per?: readonly SQLiteColumn[]
  /** A row counts for each of these columns by itself: what one names may be named by the other. */
  ofEither?: true
  /** The condition for rows to count; without it, all count. */
  counts?: (row: ArchivedRow) => boolean
}

/** The rule for merging rows of an archive into existing data: rows whose id does not exist are added. */
export interface MergeRule {
  /** Columns of which an owner has each combination once: a row with the same stands for one of the archive. */
  same?: readonly SQLiteColumn[]
  /** The condition for rows to which `same` applies; without it, it applies to all. */
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
  /** Returns premises that are asserted after the rows. */
  premises: (owner: SignedIn) => Statement[]
}

export const tableNameOf = ({ table }: ArchivedTable): string => getTableName(table)

/** The archived form of a column. */
export interface ArchivedColumn {
  name: string
  kind: 'text' | 'integer' | 'flag' | 'json'
  isNullable: boolean
  /** The value where a row has none; undefined where a row must have one. */
  absent: string | number | null | undefined
  values: readonly string[] | undefined
  /** The check of a value, beyond its type and its name. For JSON, it checks the parsed value. */
  check: Check | undefined
  /** Names a user. */
  isUser: boolean
  /** The tables of which it names an archived row. */
  refersTo: readonly string[] | undefined
}

/** The archived form of a table. */
export interface ArchivedShape {
  name: string
  columns: ArchivedColumn[]
  /** The column of its ids, if it has one. */
  id: string | undefined
  prefixes: readonly string[]
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
  const { holds = {} } = archived
  const { foreignKeys, primaryKeys } = getTableConfig(table)
  const columns: SQLiteColumn[] = Object.values(getTableColumns(table))
  const fieldOf = new Map(
    Object.entries(getTableColumns(table)).map(([field, column]) => [column, field]),
  )
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
        const field = fieldOf.get(column) ?? ''
        return {
          name: column.name,
          kind: json[field] ? 'json' : kindOf(column),
          isNullable: !column.notNull,
          absent: absentIn(column),
          values: column.enumValues?.length ? column.enumValues : undefined,
          check: json[field] ?? holds[field],
          isUser: users.includes(column),
          refersTo: refersTo.get(column.name),
        }
      }),
    id: columns.find(({ name, primary }) => primary && name === 'id')?.name,
    prefixes: archived.prefixes ?? [],
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

/** So many rows are read by one statement, fewer where they are long. */
const ROWS_PER_PAGE = 1000

/** Names the field that a position is read from. */
const placeName = (index: number) => `place_${index}`

type Page = Statement<ArchivedRow[]>

interface Pages {
  first: (values: Record<string, string>) => Page
  behind: (values: Record<string, string>) => Page
}

/** Made once for each table: a backup, and each of the many checks of a restore, read all of them. */
const pages = new WeakMap<ArchivedTable, Pages>()

/** A page of the rows of an owner; `cutArchived` takes off what is read of the next one. */
export function pageOfArchived(
  archived: ArchivedTable,
  ownerId: string,
  after: Position | undefined,
): Page {
  const known = pages.get(archived) ?? {
    first: prepared(() => anyPage(archived, false)),
    behind: prepared(() => anyPage(archived, true)),
  }
  pages.set(archived, known)
  return after
    ? known.behind({
        ownerId,
        ...Object.fromEntries(after.map((value, at) => [placeName(at), value])),
      })
    : known.first({ ownerId })
}

function anyPage(archived: ArchivedTable, isBehind: boolean): Page {
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
  const after = order.map((column, at) => {
    const place = sql.placeholder(placeName(at))
    return column.dataType === 'number' ? sql`CAST(${place} AS INTEGER)` : sql`${place}`
  })
  const wheres = tables.map(({ where }) => (where ? sql`AND ${where}` : sql``))
  const sizes = shapeOf(archived).columns.map(
    ({ name }) => sql`ifnull(octet_length(${sql.identifier(name)}), 0)`,
  )
  const rowsAt = (place: SQL) => sql`SELECT ${sql.join([...columns, ...places], sql`, `)}
    FROM ${first.table}${sql.join(joins)}
    WHERE ${ownerColumn} = ${sql.placeholder('ownerId')} ${sql.join(wheres, sql` `)} ${place}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${sql.raw(String(ROWS_PER_PAGE + 1))}`
  const compared = (operator: string, from: number, to: number) =>
    sql`AND (${sql.join(order.slice(from, to), sql`, `)}) ${sql.raw(operator)} (${sql.join(after.slice(from, to), sql`, `)})`
  const ofParents = order.length - archived.order.length
  const behind =
    ofParents === 0
      ? rowsAt(compared('>', 0, order.length))
      : // First the rest of the parent that the position names, then the parents after it. A single comparison would read all
        // earlier rows of that parent again for each page. SQLite runs the two in this order and stops when the page is full.
        sql`SELECT * FROM (SELECT * FROM (${rowsAt(
          sql`${compared('=', 0, ofParents)} ${compared('>', ofParents, order.length)}`,
        )}) UNION ALL SELECT * FROM (${rowsAt(compared('>', 0, ofParents))}))
        LIMIT ${sql.raw(String(ROWS_PER_PAGE + 1))}`
  return db.all(upToBytes(isBehind ? behind : rowsAt(sql``), sql.join(sizes, sql` + `)))
}

function idOf(archived: ArchivedTable | undefined): SQLiteColumn {
  const id = archived && (getTableColumns(archived.table) as Record<string, SQLiteColumn>)['id']
  if (!id) {
    throw new Error('a row belongs to one that has no id')
  }
  return id
}

/** The rows of a page as they were read, and where the next one starts. */
export function cutArchived(archived: ArchivedTable, found: ArchivedRow[]) {
  const order = lineage(archived).flatMap((one) => one.order)
  return cutPage(found, { limit: ROWS_PER_PAGE }, (row) =>
    order.map((_, at) => String(row[placeName(at)] ?? '')),
  )
}
