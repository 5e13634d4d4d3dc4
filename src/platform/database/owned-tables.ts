import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context, SignedIn } from '../context.ts'
import type { PageRequest, Position } from './paging.ts'
import { refuseIf, requireChangedOne } from './premises.ts'
import { changedMeanwhile, type Refusal } from './refusals.ts'
import { db, insertInto, pageUpToBytes, type Statement } from './statements.ts'

// The finders and statements that every table of resources needs. What a resource reads or writes beside that stands in its
// own `x.queries.ts`.

/** A row as it was read. */
export interface SeenRow {
  id: string
  ownerId: string
  version: number
}

/** A table whose rows have an owner and a version. */
type OwnedTable = SQLiteTable &
  Record<'id' | 'ownerId' | 'version' | 'updatedAt', SQLiteColumn> & { $inferSelect: SeenRow }

/** Fields of a row to change: an absent one is left alone, and null clears. */
export type RowChanges<Stored> = { [Field in keyof Stored]?: Stored[Field] | undefined }

/** Statements that write the rows of a table. */
export interface OwnedWrites<Stored extends SeenRow> {
  insert: (row: Stored) => Statement
  /** Changes a row, but not its id and its owner. Refuses when it was changed since it was read. */
  update: (ctx: Context, seen: SeenRow, changed: RowChanges<Stored>) => Statement[]
  /** Refuses when the row was changed since it was read. */
  delete: (seen: SeenRow) => Statement[]
}

/** The statements that write a table, for an area that finds its rows in its own way. */
export function writesOf<Table extends OwnedTable>(
  owned: Table,
): OwnedWrites<Table['$inferSelect']> {
  const table: OwnedTable = owned
  const isAsRead = ({ id, ownerId, version }: SeenRow) =>
    and(eq(table.id, id), eq(table.ownerId, ownerId), eq(table.version, version))
  return {
    insert: insertInto(owned),
    update: ({ now }, seen, { id: _id, ownerId: _ownerId, ...changed }) => [
      db
        .update(table)
        .set({ ...changed, version: sql`${table.version} + 1`, updatedAt: now })
        .where(isAsRead(seen)),
      requireChangedOne(changedMeanwhile),
    ],
    delete: (seen) => [db.delete(table).where(isAsRead(seen)), requireChangedOne(changedMeanwhile)],
  }
}

/** Columns that a finder computes, by their names in its rows. */
type Computed = Record<string, SQL.Aliased>

type RowOf<Table extends SQLiteTable, More extends Computed> = Table['$inferSelect'] & {
  [Name in keyof More]: More[Name] extends SQL.Aliased<infer Value> ? Value : never
}

/** Finders and statements of a table. */
export interface ResourceRows<
  Stored extends SeenRow,
  Row extends Stored = Stored,
> extends OwnedWrites<Stored> {
  /** In their order, one row more than the page. */
  page: (ctx: SignedIn, page: PageRequest, where?: SQL) => Statement<Row[]>
  positionOf: (row: Row) => Position
  count: (ctx: SignedIn, where?: SQL) => Statement<{ count: number }[]>
  byId: (ctx: SignedIn, id: string) => Statement<Row[]>
  where: (ctx: SignedIn, condition: SQL) => Statement<Row[]>
  /** A row without its computed columns. */
  stored: (row: Row) => Stored
}

interface TableOptions<More extends Computed> {
  /** The rows that the caller sees. */
  isSeen: (ctx: SignedIn) => SQL | undefined
  computed?: (ctx: SignedIn) => More
  /** Says that rows can be so long that a page must end early. */
  hasLongRows?: true
  /** The columns by which rows are ordered, which are unique together; without them, rows stand in order of creation. */
  order?: readonly [number: SQLiteColumn, text: SQLiteColumn]
}

export function ownedTable<
  Table extends OwnedTable,
  const More extends Computed = Record<never, never>,
>(
  table: Table,
  { isSeen, computed, hasLongRows, order }: TableOptions<More>,
): ResourceRows<Table['$inferSelect'], RowOf<Table, More>> {
  type Row = RowOf<Table, More>
  const columns: Record<string, SQLiteColumn> = getTableColumns<OwnedTable>(table)
  const rowsWhere = (ctx: SignedIn, condition: SQL | undefined) =>
    db
      .select({ ...columns, ...computed?.(ctx) })
      .from<OwnedTable>(table)
      .where(and(isSeen(ctx), condition))
  const isAfter = ([first = '', second = '']: Position) =>
    order
      ? sql`(${order[0]}, ${order[1]}) > (CAST(${first} AS INTEGER), ${second})`
      : gt(table.id, first)
  const placedBy = (order ?? [table.id]).map((column) =>
    Object.keys(columns).find((name) => columns[name] === column),
  )
  const where = (ctx: SignedIn, condition: SQL) =>
    rowsWhere(ctx, condition) as unknown as Statement<Row[]>
  return {
    ...writesOf(table),
    page: (ctx, { after, limit }, condition) => {
      const page = rowsWhere(ctx, and(condition, after && isAfter(after)))
        .orderBy(...(order ?? [table.id]))
        .limit(limit + 1)
      return (hasLongRows ? pageUpToBytes(page) : page) as unknown as Statement<Row[]>
    },
    positionOf: (row) => placedBy.map((name) => String(row[name as keyof Row])),
    count: (ctx, condition) => countWhere(table, and(isSeen(ctx), condition)),
    byId: (ctx, id) => where(ctx, eq(table.id, id)),
    where,
    stored: (row) =>
      Object.fromEntries(
        Object.entries(row).filter(([name]) => name in columns),
      ) as Table['$inferSelect'],
  }
}

/** Counts the rows of a table that a condition holds for. */
export const countWhere = (
  table: SQLiteTable,
  condition: SQL | undefined,
): Statement<{ count: number }[]> =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(table)
    .where(condition)

/** Refuses when the maximum number of rows has this value in the column, which names their owner. */
export const mustHaveFewerRows = (
  owner: SQLiteColumn,
  value: string,
  most: number,
  refusal: Refusal,
): Statement =>
  refuseIf(sql`(SELECT count(*) FROM ${owner.table} WHERE ${owner} = ${value}) >= ${most}`, refusal)
