import { type SQL, sql } from 'drizzle-orm'
import type { LogLine } from '../../domain/log-lines.ts'
import type { Context } from '../context.ts'
import { read } from '../database/database.ts'
import { commitOf } from './log.ts'
import {
  type CutSegment,
  cutLines,
  cutSegments,
  MOST_SEGMENTS,
  type SegmentScope,
} from './log-segments.ts'
import { type SegmentLines, overLines } from './log-tables.ts'
import { cutPage, type Page, type PageRequest, type Position } from '../database/paging.ts'
import { db, nothing, type Statement } from '../database/statements.ts'

// The only way to read the log. One trip reads the tables and lists the segments that have more. The same query then
// reads the lines of these segments. A read that ends in the tables opens no segment.

/** The place of an event in the log. */
export interface LogPlace {
  at: number
  commit: number
  event: number
}

/** The form of a page's end in the cursors of a list. */
interface PositionForm {
  length: number
  of: (place: LogPlace) => Position
  placeIn: (position: Position) => LogPlace
}

export const BY_EVENT: PositionForm = {
  length: 1,
  of: ({ event }) => [String(event)],
  placeIn: ([event]) => ({ at: 0, commit: 0, event: Number(event) }),
}

export const BY_PLACE: PositionForm = {
  length: 3,
  of: ({ at, commit, event }) => [at, commit, event].map(String),
  placeIn: ([at, commit, event]) => ({
    ...{ at: Number(at), commit: Number(commit), event: Number(event) },
  }),
}

/** The order of a list, as far as it decides on the segments in which the list continues. */
interface Order {
  /** Negative where the first of two rows stands before the other. */
  compare: (one: LogPlace, other: LogPlace) => number
  /** SQL of the segments `s` that may hold rows behind a place. */
  isBehind: (place: LogPlace) => SQL
  /** True if a segment may hold rows that come before a row read earlier. */
  mayPrecede: (segment: CutSegment, place: LogPlace) => boolean
  /** The place before all that a segment, and those behind it, may hold. */
  before: (segment: CutSegment) => LogPlace
  segments: 'newest' | 'oldest'
}

const LAST = Number.MAX_SAFE_INTEGER

const ORDERS: Record<'newest' | 'newestByTime' | 'oldest', Order> = {
  newest: {
    compare: (one, other) => other.event - one.event,
    isBehind: ({ event }) => sql`s.first_event < CAST(${event} AS INTEGER)`,
    mayPrecede: () => false,
    before: ({ lastCommit, lastEvent }) => ({ at: 0, commit: lastCommit, event: lastEvent + 1 }),
    segments: 'newest',
  },
  // Commits have the time when they began, so those of one segment may be older than some of the segment before it.
  newestByTime: {
    compare: (one, other) => other.at - one.at || other.event - one.event,
    isBehind: ({ at }) => sql`s.first_at <= CAST(${at} AS INTEGER)`,
    mayPrecede: ({ lastAt }, { at }) => lastAt >= at,
    before: ({ lastAt }) => ({ at: lastAt, commit: LAST, event: LAST }),
    segments: 'newest',
  },
  oldest: {
    compare: (one, other) => one.event - other.event,
    isBehind: ({ event }) => sql`s.last_event > CAST(${event} AS INTEGER)`,
    mayPrecede: ({ firstEvent }, { event }) => firstEvent < event,
    before: ({ firstEvent }) => ({ at: 0, commit: 0, event: firstEvent - 1 }),
    segments: 'oldest',
  },
}

/** A list of events in their order, or in that of the times of their commits. */
export interface LogList<Row> {
  order: keyof typeof ORDERS
  scope: SegmentScope
  /** One row more than the page, in the order. */
  rows: (page: PageRequest) => SQL<Row>
  count?: SQL<{ count: number }>
  placeOf: (row: Row) => LogPlace
  position: PositionForm
}

type Finders<Row> = [
  rows: Statement<Row[]>,
  total: Statement<{ count: number }[]>,
  segments: Statement<CutSegment[]>,
]

type PageResults<Row> = [rows: Row[], total: { count: number }[], segments: CutSegment[]]

/** Finders of a page, to stand in one `read` with those that say whether the caller may have it; then comes `readOn`. */
export function pageFinders<Row>(list: LogList<Row>, page: PageRequest): Finders<Row> {
  const { scope, rows, count, position } = list
  const { isBehind, segments } = ORDERS[list.order]
  const place = page.after && position.placeIn(page.after)
  return [
    db.all<Row>(rows(page)),
    count ? db.all<{ count: number }>(count) : nothing(),
    cutSegments(scope, place && isBehind(place), segments),
  ]
}

/** Segments that are opened for one trip: the first alone, as it mostly has enough. */
const MOST_AT_ONCE = 4

/**
 * The page that a first trip began, with what segments have of it. Where they are more than one request reads, it ends
 * early, and the next one goes on there. `count` is of the whole list where segments end it, and else of as much as this
 * page and those before it have read.
 */
export async function readOn<Row>(
  ctx: Context,
  list: LogList<Row>,
  page: PageRequest,
  [first, [total], segments]: PageResults<Row>,
): Promise<Page<Row>> {
  const { placeOf, position } = list
  const { compare, mayPrecede, before } = ORDERS[list.order]
  let found = first
  let counted = countedIn(page.after?.slice(position.length))
  let opened = 0
  let settled = found
  for (let size = 1; ; size = Math.min(2 * size, MOST_AT_ONCE)) {
    const next = segments[opened]
    settled = next ? found.filter((row) => !mayPrecede(next, placeOf(row))) : found
    const isFull = cutPage(settled, page, () => []).next !== null
    if (!next || isFull || opened === MOST_SEGMENTS) {
      break
    }
    const some = segments.slice(opened, Math.min(opened + size, MOST_SEGMENTS))
    const more = await readSegments(ctx, list, page, some, counted)
    found = [...found, ...more.rows].toSorted((a, b) => compare(placeOf(a), placeOf(b)))
    counted = more.counted
    opened += some.length
  }
  const rest = segments[opened]
  const { rows, next } = cutPage(settled, page, (row) => position.of(placeOf(row)))
  const end = next ?? (rest ? position.of(before(rest)) : null)
  return {
    rows,
    next: end && [...end, ...(counted ? [counted.from, counted.count].map(String) : [])],
    count: (total?.count ?? 0) + (counted?.count ?? 0),
  }
}

/** The count of earlier pages in segments, and the segment down to which it goes. It is in the cursor, behind the position. */
interface Counted {
  from: number
  count: number
}

const countedIn = ([from, count]: Position = []): Counted | undefined =>
  from === undefined ? undefined : { from: Number(from), count: Number(count) }

const joined = (parts: SegmentLines[]): SegmentLines => ({
  lines: parts.flatMap(({ lines }) => lines),
  sealsBefore: parts.flatMap(({ sealsBefore }) => sealsBefore),
})

async function readSegments<Row>(
  ctx: Context,
  { rows, count }: LogList<Row>,
  page: PageRequest,
  segments: CutSegment[],
  counted: Counted | undefined,
): Promise<{ rows: Row[]; counted: Counted | undefined }> {
  const parts = await Promise.all(
    segments.map(async (segment) => ({ segment, lines: await cutLines(ctx, segment) })),
  )
  const before = counted?.from ?? Infinity
  const uncounted = joined(
    parts.filter(({ segment }) => segment.firstCommit < before).map(({ lines }) => lines),
  )
  const all = joined(parts.map(({ lines }) => lines))
  const [found, [more]] = await read(
    ctx,
    all.lines.length > 0 ? db.all<Row>(overLines(rows(page), all)) : nothing<Row>(),
    count && uncounted.lines.length > 0
      ? db.all<{ count: number }>(overLines(count, uncounted))
      : nothing<{ count: number }>(),
  )
  const from = Math.min(before, ...segments.map(({ firstCommit }) => firstCommit))
  return {
    rows: found,
    counted: count && { from, count: (counted?.count ?? 0) + (more?.count ?? 0) },
  }
}

/** One event by its id. */
export interface LogEntry<Row> {
  id: string
  /** SQL of what a segment must name, where that is known. */
  things?: SQL
  row: SQL<Row>
}

/** Finders of an event, to stand in one `read` with others; then comes `readEntryOn`. */
export function entryFinders<Row>({
  id,
  things,
  row,
}: LogEntry<Row>): [row: Statement<Row[]>, segments: Statement<CutSegment[]>] {
  const at = commitOf(id)?.at
  return [
    db.all<Row>(row),
    at === undefined ? nothing() : cutSegments({ things, from: at, to: at }, undefined, 'newest'),
  ]
}

/** The event that a first trip has found, or that a segment has. */
export async function readEntryOn<Row>(
  ctx: Context,
  { id, row }: LogEntry<Row>,
  [[found], segments]: [Row[], CutSegment[]],
): Promise<Row | undefined> {
  const commitId = commitOf(id)?.id
  const isOfCommit = ({ commit }: LogLine) => commit.id === commitId
  for (const segment of found ? [] : segments) {
    const lines = await cutLines(ctx, segment, isOfCommit)
    if (lines.lines.length > 0) {
      const [[stored]] = await read(ctx, db.all<Row>(overLines(row, lines)))
      return stored
    }
  }
  return found
}
