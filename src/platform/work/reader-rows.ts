import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { logListeners, logReaders } from '../../../drizzle/schema/system.ts'
import { AppError } from '../../domain/errors.ts'
import { IS_OF_COMMIT } from '../log/log-tables.ts'
import { requireChangedOne } from '../database/premises.ts'
import { among, db, type Statement } from '../database/statements.ts'

/** The message that tells the queue of events that some reader wants; every other message is the id of a task. */
export const NEWS = 'log.news'

/** An event of the log, as a reader gets it. */
export interface LoggedEvent {
  /** Its place in the log. */
  number: number
  id: string
  at: number
  type: string
  /** The operation, or the kind of task, that committed it. */
  operation: string
  actorId: string | null
  /** The access token that the actor used. */
  tokenId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  groupId: string | null
  version: number | null
  /** JSON. */
  content: string | null
  /** JSON. */
  facts: string | null
}

/** The part of the log that a reader gets. */
export interface ReaderSelection {
  /** Names its place in the log, and the operation of what it commits. Another name begins anew. */
  name: string
  /** The events that it wants; none that it makes itself. */
  types: readonly string[]
  /** Set where it gets only events of owners that listen: while they have a row of `log_listeners`. */
  of?: 'listeners'
  /** Events that it does not get: of an operation, one of its types, as `operation type`. */
  leavesOut?: readonly string[]
  /** Set where it begins with the first event of the log, and not with the one after its first run. */
  fromStart?: true
}

export type ReaderRow = typeof logReaders.$inferSelect

/** The progress of a reader, or of a listener that is behind it. */
export interface ReaderPlace extends ReaderRow {
  /** The owner, for a listener. */
  ownerId?: string
  /** JSON list of the owners that were behind, are no longer, and go on with the reader when it moves. */
  caughtUp?: string
}

/** Finds the progress of all readers that have ever begun. */
export const readerRows = (): Statement<ReaderRow[]> => db.select().from(logReaders)

/** Listeners behind these readers whose time has come, those first that have waited the longest. */
export const listenersBehind = (
  readers: readonly ReaderSelection[],
  now: number,
  limit: number,
): Statement<ReaderPlace[]> =>
  db.all<ReaderPlace>(sql`SELECT r.name, l.owner_id AS ownerId, l.cursor, l.failures, l.next_attempt_at AS nextAttemptAt, l.error,
      r.skipped
    FROM log_readers r CROSS JOIN log_listeners l ON l.reader = r.name AND l.next_attempt_at <= CAST(${now} AS INTEGER)
    WHERE l.cursor < r.cursor AND r.name IN ${among(readers.map(({ name }) => name))}
    ORDER BY l.next_attempt_at LIMIT ${limit}`)

/** SQL of the number of the last event of the log. */
export const END_OF_LOG = sql.raw('ifnull((SELECT max(number) FROM log_events), 0)')

export const endOfLog = (): Statement<{ number: number }[]> =>
  db.all<{ number: number }>(sql`SELECT ${END_OF_LOG} AS number`)

/** Has a reader begin at one end of the log, or with its first listener, unless it has begun before. */
export const beginReader = ({ name, of, fromStart }: ReaderSelection): Statement => {
  const first = of ? sql`(SELECT min(cursor) FROM log_listeners WHERE reader = ${name})` : sql`NULL`
  return db
    .insert(logReaders)
    .values({ name, cursor: fromStart ? 0 : sql`ifnull(${first}, ${END_OF_LOG})` })
    .onConflictDoNothing()
}

/**
 * Has an owner listen to a reader while a condition holds, and no longer. Put it behind the statements that change what the
 * condition reads. An owner that begins to listen gets the events from this commit on.
 */
export const keepListener = (reader: string, ownerId: string, isWanted: SQL): Statement[] => [
  db.run(sql`INSERT INTO log_listeners (owner_id, reader, cursor)
    SELECT ${ownerId}, ${reader}, ${END_OF_LOG} WHERE ${isWanted} ON CONFLICT DO NOTHING`),
  db.run(
    sql`DELETE FROM log_listeners WHERE owner_id = ${ownerId} AND reader = ${reader} AND NOT (${isWanted})`,
  ),
]

/** Events of the log that one page goes through, and of those that are wanted how many it has, with how many bytes. */
export const MOST_LOOKED_AT = 2000
export const MOST_EVENTS = 100
const MOST_BYTES = sql.raw('2000000')

/** The next events after the place of a reader. */
const inLog = ({ name, of }: ReaderSelection, { cursor }: ReaderPlace) => sql`log_events e
  CROSS JOIN log_commits c ON c.number = e.commit_number
    AND e.number > CAST(${cursor} AS INTEGER) AND e.number <= CAST(${cursor + MOST_LOOKED_AT} AS INTEGER) ${
      of
        ? sql`AND EXISTS (SELECT 1 FROM log_listeners w WHERE w.owner_id = ifnull(e.owner_id, c.owner_id)
            AND w.reader = ${name} AND w.cursor < e.number
            AND (w.next_attempt_at IS NULL OR w.cursor >= CAST(${cursor} AS INTEGER)))`
        : sql``
    }`

const placeOf = (reader: string) => sql`(SELECT cursor FROM log_readers WHERE name = ${reader})`

/** The next events of a listener, up to the place of the reader: found by their owner, whatever is between them. */
const ofListener = ({ name, ownerId, cursor }: ReaderPlace) => {
  const most = sql.raw(String(MOST_LOOKED_AT))
  const isBetween = sql`e.number > CAST(${cursor} AS INTEGER) AND e.number <= ${placeOf(name)}`
  return sql`(SELECT number FROM (
    SELECT * FROM (SELECT e.number FROM log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}
      WHERE c.owner_id = ${ownerId} AND c.number >= (SELECT commit_number FROM log_events
          WHERE number > CAST(${cursor} AS INTEGER) ORDER BY number LIMIT 1)
        AND e.owner_id IS NULL AND ${isBetween} ORDER BY c.number, e.number LIMIT ${most})
    UNION ALL
    SELECT * FROM (SELECT e.number FROM log_events e WHERE e.owner_id = ${ownerId} AND ${isBetween}
      ORDER BY e.number LIMIT ${most}))
    ORDER BY number LIMIT ${most})`
}

/** Finds the place to which a page without an event advances. */
export const reachOf = (reader: ReaderSelection, place: ReaderPlace): Statement<Reach[]> => {
  const { name, ownerId, cursor } = place
  const number =
    ownerId !== undefined
      ? sql`ifnull((SELECT number FROM ${ofListener(place)} LIMIT 1 OFFSET ${sql.raw(String(MOST_LOOKED_AT - 1))}), ${placeOf(name)})`
      : sql`min(CAST(${cursor + MOST_LOOKED_AT} AS INTEGER), ${END_OF_LOG})`
  const caughtUp =
    reader.of && ownerId === undefined
      ? sql`(SELECT json_group_array(owner_id) FROM log_listeners
          WHERE reader = ${name} AND next_attempt_at IS NOT NULL AND cursor >= CAST(${cursor} AS INTEGER))`
      : sql`'[]'`
  return db.all<Reach>(sql`SELECT ${number} AS number, ${caughtUp} AS caughtUp`)
}

interface Reach {
  number: number
  caughtUp: string
}

/** The wanted events among the next ones after a place, in the order of the log; one at least, however long it is. */
export const eventsAfter = (
  reader: ReaderSelection,
  place: ReaderPlace,
  limit: number,
): Statement<LoggedEvent[]> =>
  db.all<LoggedEvent>(sql`SELECT l.number, l.id, l.at, l.type, l.operation, l.actor_id AS actorId, l.token_id AS tokenId,
      l.owner_id AS ownerId,
      l.resource_type AS resourceType, l.resource_id AS resourceId, l.account_id AS accountId, l.group_id AS groupId,
      l.version, l.content, l.facts
    FROM (SELECT number, sum(size) OVER (ORDER BY number) - size AS before FROM (
        SELECT e.number, ifnull(octet_length(e.content), 0) AS size
        FROM ${
          place.ownerId !== undefined
            ? sql`${ofListener(place)} o CROSS JOIN log_events e ON e.number = o.number
                CROSS JOIN log_commits c ON c.number = e.commit_number`
            : inLog(reader, place)
        }
        WHERE ifnull(e.type, c.type) IN ${among(reader.types)} AND c.operation || ' ' || ifnull(e.type, c.type) NOT IN ${among(reader.leavesOut ?? [])}
        ORDER BY e.number LIMIT ${limit})) p
      CROSS JOIN log_entries l ON l.number = p.number
    WHERE p.before < ${MOST_BYTES} ORDER BY l.number`)

const movedMeanwhile = () =>
  new AppError('conflict', 'readers.moved', 'Another run of this reader has already advanced.')

/** Changes a place. Refuses when another run has done so since it was read. */
export function movePlace(
  { name, ownerId, cursor, failures, caughtUp = '[]' }: ReaderPlace,
  changed: Partial<ReaderRow>,
): Statement[] {
  if (ownerId !== undefined) {
    const { skipped, ...own } = changed
    return [
      db
        .update(logListeners)
        .set(own)
        .where(
          and(
            eq(logListeners.ownerId, ownerId),
            eq(logListeners.reader, name),
            eq(logListeners.cursor, cursor),
            eq(logListeners.failures, failures),
          ),
        ),
      requireChangedOne(movedMeanwhile),
      ...(skipped === undefined
        ? []
        : [
            db
              .update(logReaders)
              .set({ skipped: sql`skipped + 1` })
              .where(eq(logReaders.name, name)),
          ]),
    ]
  }
  return [
    db
      .update(logReaders)
      .set(changed)
      .where(
        and(
          eq(logReaders.name, name),
          eq(logReaders.cursor, cursor),
          eq(logReaders.failures, failures),
        ),
      ),
    requireChangedOne(movedMeanwhile),
    ...(caughtUp === '[]'
      ? []
      : [
          db
            .update(logListeners)
            .set({ nextAttemptAt: null })
            .where(
              and(
                eq(logListeners.reader, name),
                sql`${logListeners.ownerId} IN (SELECT value FROM json_each(${caughtUp}))`,
              ),
            ),
        ]),
  ]
}

/** Has an owner wait with an event that failed, and with those after it, while the reader goes on with the others. */
export const holdBack = (
  name: string,
  { ownerId, number }: LoggedEvent,
  failed: Pick<ReaderRow, 'failures' | 'error' | 'nextAttemptAt'>,
): Statement =>
  db
    .update(logListeners)
    .set({ ...failed, cursor: number - 1 })
    .where(
      and(
        eq(logListeners.ownerId, ownerId ?? ''),
        eq(logListeners.reader, name),
        // One that has begun anew since gets nothing from before.
        lt(logListeners.cursor, number),
      ),
    )
