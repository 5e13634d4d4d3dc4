import { and, eq, sql } from 'drizzle-orm'
import { logReaders } from '../../drizzle/schema/system.ts'
import { AppError } from '../domain/errors.ts'
import { requireChangedOne } from './premises.ts'
import { db, type Statement } from './statements.ts'

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

export type ReaderRow = typeof logReaders.$inferSelect

/** Where each reader is, of all that have ever begun. */
export const readerRows = (): Statement<ReaderRow[]> => db.select().from(logReaders)

const END_OF_LOG = sql.raw('ifnull((SELECT max(number) FROM log_events), 0)')

export const endOfLog = (): Statement<{ number: number }[]> =>
  db.all<{ number: number }>(sql`SELECT ${END_OF_LOG} AS number`)

/** Has a reader begin at one end of the log, unless it has begun before. */
export const beginReader = (reader: { name: string; fromStart?: true }): Statement =>
  db
    .insert(logReaders)
    .values({ name: reader.name, cursor: reader.fromStart ? 0 : END_OF_LOG })
    .onConflictDoNothing()

/** Events of the log that one page goes through, and of those that are wanted how many it has, with how many bytes. */
export const MOST_LOOKED_AT = 2000
export const MOST_EVENTS = 100
const MOST_BYTES = sql.raw('2000000')

/** The wanted events among the next ones after a cursor, in the order of the log; one at least, however long it is. */
export const eventsAfter = (
  cursor: number,
  types: readonly string[],
  limit: number,
): Statement<LoggedEvent[]> =>
  db.all<LoggedEvent>(sql`SELECT l.number, l.id, l.at, l.type, l.operation, l.actor_id AS actorId, l.token_id AS tokenId,
      l.owner_id AS ownerId,
      l.resource_type AS resourceType, l.resource_id AS resourceId, l.account_id AS accountId, l.group_id AS groupId,
      l.version, l.content, l.facts
    FROM (SELECT number, sum(size) OVER (ORDER BY number) - size AS before FROM (
        SELECT e.number, ifnull(octet_length(e.content), 0) AS size
        FROM log_events e CROSS JOIN log_commits c ON c.number = e.commit_number
        WHERE e.number > CAST(${cursor} AS INTEGER) AND e.number <= CAST(${cursor + MOST_LOOKED_AT} AS INTEGER)
          AND ifnull(e.type, c.type) IN (SELECT value FROM json_each(${JSON.stringify(types)}))
        ORDER BY e.number LIMIT ${limit})) p
      CROSS JOIN log_entries l ON l.number = p.number
    WHERE p.before < ${MOST_BYTES} ORDER BY l.number`)

const movedMeanwhile = () =>
  new AppError('conflict', 'readers.moved', 'Another run of this reader has already advanced.')

/** Changes where a reader is. Refuses when another run has done so since the row was read. */
export const moveReader = (
  { name, cursor, failures }: ReaderRow,
  changed: Partial<ReaderRow>,
): Statement[] => [
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
]
