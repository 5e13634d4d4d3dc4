import type { SQL } from 'drizzle-orm'
import type { AppError } from '../../domain/errors.ts'
import { type Context, freshId, type SignedIn } from '../context.ts'
import { commit, read, requireVersion } from './database.ts'
import type { Change, Created, Deleted, DomainEvent, Thing } from '../log/events.ts'
import type { ResourceRows, RowChanges, SeenRow } from './owned-tables.ts'
import { cutPage, type Page, type PageRequest, type Position } from './paging.ts'
import type { Statement } from './statements.ts'

/** The columns that every resource has. */
interface ResourceRow extends SeenRow {
  createdAt: number
  updatedAt: number
}

/** The columns that only some resources have. */
type Content<Stored> = Omit<Stored, keyof ResourceRow>

interface ResourceParts<Stored extends ResourceRow, Row extends Stored> {
  /** Prefix of the ids. */
  prefix: string
  rows: ResourceRows<Stored, Row>
  events: {
    created: (thing: Thing, content: Created<Stored>) => DomainEvent
    updated: (thing: Thing, content: { before: Stored; after: Stored }) => DomainEvent
    deleted: (thing: Thing, content: Deleted<Stored>) => DomainEvent
  }
  notFound: () => AppError
  /** The errors of broken UNIQUE constraints, as in a commit. */
  conflicts?: Record<string, () => AppError>
}

/** The use cases of a resource that belongs to a user, and the changes that they consist of. */
export interface OwnedResource<Stored extends ResourceRow, Row extends Stored> {
  /** @param where a condition besides the one that the caller sees the rows */
  list: (ctx: SignedIn, page: PageRequest, where?: SQL) => Promise<Page<Row>>
  get: (ctx: SignedIn, id: string) => Promise<Row>
  create: (ctx: SignedIn, content: Content<Stored>) => Promise<Stored>
  update: (ctx: SignedIn, id: string, changed: RowChanges<Content<Stored>>) => Promise<Row>
  delete: (ctx: SignedIn, id: string) => Promise<void>
  /** @throws AppError where a finder has found no row */
  existing: (row: Row | undefined) => Row
  newRow: (ctx: Context, ownerId: string, content: Content<Stored>) => Stored
  creation: (row: Stored) => Change
  /** The change of a row that was read, and the row after it. */
  changeOf: (
    ctx: SignedIn,
    before: Row,
    changed: RowChanges<Content<Stored>>,
  ) => { change: Change; after: Row }
  removal: (before: Row) => Change
}

/**
 * A resource whose create, update and delete concern its own row alone has all of its use cases from here. One that does more
 * composes its commits of `newRow`, `creation`, `changeOf` and `removal`.
 */
export function ownedResource<Stored extends ResourceRow, Row extends Stored>({
  prefix,
  rows,
  events,
  notFound,
  conflicts = {},
}: ResourceParts<Stored, Row>): OwnedResource<Stored, Row> {
  const existing = (row: Row | undefined): Row => {
    if (!row) {
      throw notFound()
    }
    return row
  }

  const get = async (ctx: SignedIn, id: string): Promise<Row> => {
    const [[row]] = await read(ctx, rows.byId(ctx, id))
    return existing(row)
  }

  const getToChange = async (ctx: SignedIn, id: string): Promise<Row> => {
    const row = await get(ctx, id)
    requireVersion(ctx, row.version)
    return row
  }

  const newRow = (ctx: Context, ownerId: string, content: Content<Stored>) =>
    ({
      ...content,
      ...{ id: freshId(ctx, prefix), ownerId },
      ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
    }) as Stored

  const creation = (row: Stored): Change => ({
    statements: [rows.insert(row)],
    events: [
      events.created({ id: row.id, ownerId: row.ownerId, version: row.version }, { after: row }),
    ],
  })

  const changeOf = (ctx: SignedIn, before: Row, changed: RowChanges<Content<Stored>>) => {
    const sent = Object.fromEntries(
      Object.entries(changed).filter(([, value]) => value !== undefined),
    )
    const version = before.version + 1
    const after: Row = { ...before, ...sent, version, updatedAt: ctx.now }
    const change = {
      statements: rows.update(ctx, before, changed as RowChanges<Stored>),
      events: [events.updated({ id: before.id, version }, { before, after })],
    }
    return { change, after }
  }

  const removal = (before: Row): Change => ({
    statements: rows.delete(before),
    events: [events.deleted({ id: before.id }, { before: rows.stored(before) })],
  })

  return {
    ...{ existing, get, newRow, creation, changeOf, removal },
    list: (ctx, page, where) => readList(ctx, rows, page, where),
    create: (ctx, content) => {
      const row = newRow(ctx, ctx.caller.userId, content)
      return commit(ctx, { changes: [creation(row)], result: row, conflicts })
    },
    update: async (ctx, id, changed) => {
      const { change, after } = changeOf(ctx, await getToChange(ctx, id), changed)
      return commit(ctx, { changes: [change], result: after, conflicts })
    },
    delete: async (ctx, id) => {
      const before = await getToChange(ctx, id)
      return commit(ctx, { changes: [removal(before)], result: undefined })
    },
  }
}

/** Reads one page of the rows of a table that the caller sees. */
export const readList = <Stored extends SeenRow, Row extends Stored>(
  ctx: SignedIn,
  {
    page: pageOf,
    count,
    positionOf,
  }: Pick<ResourceRows<Stored, Row>, 'page' | 'count' | 'positionOf'>,
  page: PageRequest,
  where?: SQL,
): Promise<Page<Row>> =>
  readPage(ctx, page, { rows: pageOf(ctx, page, where), count: count(ctx, where) }, positionOf)

/** Reads one page of a list and the length of the whole list in one round trip. */
export async function readPage<Row extends { id: string }>(
  ctx: SignedIn,
  page: PageRequest,
  finders: { rows: Statement<Row[]>; count: Statement<{ count: number }[]> },
  positionOf: (row: Row) => Position = ({ id }) => [id],
): Promise<Page<Row>> {
  const [found, [total]] = await read(ctx, finders.rows, finders.count)
  return { ...cutPage(found, page, positionOf), count: total?.count ?? 0 }
}
