import {
  type AnyColumn,
  Column,
  getTableColumns,
  type GetColumnData,
  is,
  Param,
  Placeholder,
  type Query,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { PAGE_BYTES } from './paging.ts'

// Builds queries, never runs them: it has no connection. Only the units of work of database.ts have one.
const unconnected = { prepare: () => undefined } as unknown as D1Database

/** The query builder of every `queries.ts`. */
export const db = drizzle(unconnected)

/** A column under another name, for selections in which two tables would share one. */
export const named = <Column extends AnyColumn>(
  column: Column,
  name: string,
): SQL.Aliased<GetColumnData<Column>> =>
  sql<GetColumnData<Column>>`${column}`.mapWith(column).as(name)

/** A drizzle query that a unit of work can run; awaiting one directly fails, as it has no connection. */
export interface Statement<Result = unknown> extends PromiseLike<Result> {
  readonly _: { readonly dialect: 'sqlite' }
}

/** A field of a column of JSON; null where that is no JSON, which would end the whole statement otherwise. */
export const jsonFieldOf = (column: AnyColumn | SQLWrapper, name: string): SQL =>
  sql`iif(json_valid(${column}), ${column} ->> ${name}, NULL)`

/** A list of any length as one parameter, to stand after IN. */
export const among = (values: readonly (string | number)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`

/** A comparison with one of these. A single value is compared for itself, which is quicker than a list of one. */
export const isAmong = (values: readonly string[]): SQL =>
  values.length === 1 ? sql`= ${values[0]}` : sql`IN ${among(values)}`

/**
 * Selects ordered rows until they hold more than `PAGE_BYTES`, and one more, for `cutPage`: a few very long rows
 * would make a page of many megabytes.
 * @param size bytes of a row, of its columns
 */
export const upToBytes = <Row>(rows: SQL<Row>, size: SQL): SQL<Row> =>
  // A window reads each row twice, so there is one. The condition keeps SQLite from merging the two queries, which would
  // compute what a row is made of once more for its size.
  sql`SELECT * FROM (SELECT page.*, ${size} AS rowBytes,
      ifnull(sum(${size}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS bytesAbove
    FROM (${rows}) page WHERE true) WHERE bytesAbove <= ${sql.raw(String(PAGE_BYTES))}`

/**
 * The objects of a list as JSON, to select from: each is a `value`, whose fields are `value->>'name'`. They are parsed
 * once; of the objects of `json_each` SQLite would look through the text again for each field.
 */
export const itemsOf = (json: Placeholder | SQL | string): SQL =>
  sql`(WITH parsed AS MATERIALIZED (SELECT jsonb(value) AS value FROM json_each(${json}))
    SELECT value FROM parsed)`

/** Far below the 2 MB that a parameter may have: a unit of text is three bytes at most. */
const PARAMETER_UNITS = 500_000

/** A list as JSON in as many parameters as it needs; none when it is empty. */
export function inParameters(items: object[]): { json: string; count: number }[] {
  const parameters: string[][] = []
  let room = 0
  for (const item of items) {
    const json = JSON.stringify(item)
    if (json.length >= room) {
      parameters.push([])
      room = PARAMETER_UNITS
    }
    parameters.at(-1)?.push(json)
    room -= json.length + 1
  }
  return parameters.map((some) => ({ json: `[${some.join()}]`, count: some.length }))
}

interface Prepared {
  getQuery: () => Query
  mapResult: (result: D1Result, isFromBatch: boolean) => unknown
  /** The columns of a selection, with the path that each value has in the result. */
  fields?: { field: unknown; path: string[] }[]
  /** By the names of the tables of a selection. */
  joinsNotNullableMap?: Record<string, boolean>
}

/** What statements find, in their order. */
export type Results<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Awaited<Statements[Index]>
}

/** Several queries of one batch that are a single one to whoever reads it. */
class Joined {
  readonly parts: readonly Statement[]
  readonly join: (found: never) => unknown

  constructor(parts: readonly Statement[], join: Joined['join']) {
    this.parts = parts
    this.join = join
  }
}

/** Makes one finder of several. @param join makes what is found of what each of them finds */
export const joined = <const Parts extends readonly Statement[], Result>(
  parts: Parts,
  join: (found: Results<Parts>) => Result,
): Statement<Result> => new Joined(parts, join) as unknown as Statement<Result>

/** Puts the query of a finder, or those of its parts, into another one. */
export const wrapped = <Result>(
  statement: Statement<Result>,
  wrap: (rows: SQL) => SQL,
): Statement<Result> =>
  (statement instanceof Joined
    ? new Joined(
        statement.parts.map((part) => wrapped(part, wrap)),
        statement.join,
      )
    : db.all(wrap((statement as unknown as SQLWrapper).getSQL()))) as unknown as Statement<Result>

/** The finder of what cannot exist, e.g. rows of an empty list of ids: a unit of work answers it without asking. */
export const nothing = <Row>(): Statement<Row[]> => joined([], () => [])

export interface Compiled {
  bound: D1PreparedStatement
  /** Raw rows to what awaiting the drizzle query would have given. */
  map: (result: D1Result) => unknown
}

/** @param fill gives the value of a placeholder that is left open until the batch is put together */
export function compile(
  database: D1DatabaseSession,
  statement: Statement,
  fill?: (placeholder: Placeholder) => unknown,
): Compiled {
  const { sql: text, params, map } = statement instanceof Filled ? statement : build(statement)
  const values = fill
    ? params.map((value) => (is(value, Placeholder) ? fill(value) : value))
    : params
  return { bound: database.prepare(text).bind(...values), map }
}

interface CompiledAll {
  bound: D1PreparedStatement[]
  map: (results: D1Result[]) => unknown
}

/** `compile`, also of finders that are made of several. */
export function compileAll(database: D1DatabaseSession, finder: Statement): CompiledAll {
  if (!(finder instanceof Joined)) {
    const { bound, map } = compile(database, finder)
    return { bound: [bound], map: ([result]) => result && map(result) }
  }
  const parts = finder.parts.map((part) => compileAll(database, part))
  return {
    bound: parts.flatMap(({ bound }) => bound),
    map: (results) => {
      const left = [...results]
      return finder.join(parts.map(({ bound, map }) => map(left.splice(0, bound.length))) as never)
    },
  }
}

interface Built extends Query {
  map: Compiled['map']
}

function build(statement: Statement): Built {
  const prepared = (statement as unknown as { _prepare: () => Prepared })._prepare()
  refuseSameNames(prepared)
  const { sql: text, params } = prepared.getQuery()
  return {
    ...withinParameters(text.replaceAll(BOUND_LIMIT, 'LIMIT CAST(? AS INTEGER)'), params),
    map: mapperOf(prepared),
  }
}

/** The most parameters that D1 accepts in a statement. */
const MOST_PARAMETERS = 100

/**
 * Binds equal values once where there would be too many: a condition that stands in several parts of a statement brings
 * its values with each.
 */
function withinParameters(text: string, params: unknown[]): Query {
  if (params.length <= MOST_PARAMETERS) {
    return { sql: text, params }
  }
  const unique = [...new Set(params)]
  const pieces = text.split('?')
  if (pieces.length !== params.length + 1) {
    throw new Error(`a question mark in a statement is no parameter: ${text}`)
  }
  const numbered = pieces.map((piece, at) =>
    at === 0 ? piece : `?${unique.indexOf(params[at - 1]) + 1}${piece}`,
  )
  return { sql: numbered.join(''), params: unique }
}

/**
 * SQLite looks at the value that a LIMIT is bound to, and plans such a statement anew at every use. That may take
 * longer than running it. It does not look into expressions.
 */
const BOUND_LIMIT = /\blimit \?/gi

/** Maps the rows of a selection as drizzle does, but looks up once what is the same for every row. */
function mapperOf(prepared: Prepared): Compiled['map'] {
  const { fields = [], joinsNotNullableMap = {} } = prepared
  const isSimple =
    fields.length > 0 &&
    fields.every(({ path }) => path.length <= 2) &&
    Object.values(joinsNotNullableMap).every(Boolean)
  if (!isSimple) {
    return (result) => prepared.mapResult(result, true)
  }
  const readers = fields.map(({ field, path }) => ({
    column: columnName(field),
    decoder: decoderOf(field),
    key: path.at(-1) ?? '',
    group: path.length === 2 ? path[0] : undefined,
  }))
  return ({ results }) =>
    (results as Record<string, unknown>[]).map((row) => {
      const object: Record<string, unknown> = {}
      for (const { column, decoder, key, group } of readers) {
        const value = row[column]
        const place = group === undefined ? object : ((object[group] ??= {}) as typeof object)
        place[key] = value === null ? null : decoder.mapFromDriverValue(value)
      }
      return object
    })
}

interface Decoder {
  mapFromDriverValue: (value: unknown) => unknown
}

const decoderOf = (field: unknown): Decoder =>
  is(field, Column) ? field : (field as { sql: { decoder: Decoder } }).sql.decoder

/** Applies `upToBytes` to a selection, counting all of its columns. */
export function pageUpToBytes<Row>(rows: Statement<Row[]> & SQLWrapper): Statement<Row[]> {
  const selection = (rows as unknown as { _prepare: () => Prepared })._prepare()
  refuseSameNames(selection)
  const sizes = (selection.fields ?? []).map(
    ({ field }) => sql`ifnull(octet_length(${sql.identifier(columnName(field))}), 0)`,
  )
  const built = build(db.all(upToBytes(rows.getSQL(), sql.join(sizes, sql` + `))))
  const map = mapperOf(selection)
  const withBytes = (result: D1Result) => {
    const bytes = (result.results as { rowBytes: number }[]).map(({ rowBytes }) => rowBytes)
    return (map(result) as object[]).map((row, at) => ({ ...row, rowBytes: bytes[at] }))
  }
  return new Filled({ ...built, map: withBytes }, built.params) as unknown as Statement<Row[]>
}

/**
 * Inserts whole rows of a table: `prepared`, with every column as a placeholder.
 * @param computed what columns are instead, of those placeholders
 */
export const insertInto = <Table extends SQLiteTable>(
  table: Table,
  computed: Record<string, SQL> = {},
): ((row: Table['$inferSelect']) => Statement) =>
  prepared(() => {
    const columns = Object.keys(getTableColumns(table))
    const places = columns.map((column) => [column, sql.placeholder(column)])
    return db.insert(table).values({ ...Object.fromEntries(places), ...computed })
  })

class Filled implements Built {
  readonly sql: string
  readonly params: unknown[]
  readonly map: Compiled['map']

  constructor({ sql: text, map }: Built, params: unknown[]) {
    this.sql = text
    this.params = params
    this.map = map
  }
}

type Slot = (values: Record<string, unknown>) => unknown

/** Returns the source of a parameter's value: the value as it was written, or the name of its placeholder. */
function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) {
    // One that no value is given for stays open: `compile` fills it.
    return (values) => (param.name in values ? values[param.name] : param)
  }
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param
    return (values) => encoder.mapToDriverValue(values[value.name])
  }
  return () => param
}

const slotted = (query: Built) => ({ query, slots: query.params.map(slotOf) })

/**
 * A query that is built once and then only filled in: building a wide selection takes longer than the
 * database needs to run it. What differs from use to use is a `sql.placeholder` in it.
 */
export function prepared<Values extends Record<string, unknown>, Result>(
  make: () => Statement<Result>,
): (values: Values) => Statement<Result> {
  let built: { query: Built; slots: Slot[]; made: Statement<Result> } | undefined
  return (values) => {
    if (!built) {
      const made = make()
      built = { ...slotted(build(made)), made }
    }
    const params = built.slots.map((slot) => slot(values))
    const filled = new Filled(built.query, params) as unknown as Statement<Result>
    return 'refusals' in built.made
      ? Object.assign(filled, { refusals: built.made.refusals })
      : filled
  }
}

/** In a batch D1 hands rows back as objects, so two columns of one name would silently become one. */
function refuseSameNames(prepared: Prepared): void {
  const names = prepared.fields?.map(({ field }) => columnName(field))
  if (names && new Set(names).size !== names.length) {
    throw new Error(`two selected columns share a name: ${names.join(', ')}`)
  }
}

function columnName(field: unknown): string {
  const { name, fieldAlias } = field as { name?: string; fieldAlias?: string }
  const found = fieldAlias ?? name
  if (found === undefined) {
    throw new Error('a selected expression has no name: add .as(...)')
  }
  return found
}
