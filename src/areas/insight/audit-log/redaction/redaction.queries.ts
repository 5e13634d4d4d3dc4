import { sql } from 'drizzle-orm'
import { IS_OF_COMMIT } from '../../../../platform/log/log-tables.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'

/** The most events that one commit redacts. */
const EVENTS_PER_STEP = sql.raw('2000')

/** An event that says something of a user. */
interface TellingEvent {
  /** The number as text. */
  id: string
  /** Grows with every event: the next search begins after the last one's. */
  number: number
}

const HAS_CONTENT = sql.raw(
  "(e.content IS NOT NULL OR (e.facts IS NOT NULL AND c.type <> 'file.downloaded'))",
)
const HAS_ORIGIN = sql.raw('(c.ip IS NOT NULL OR c.user_agent IS NOT NULL)')

const EVENTS_OF_COMMIT = sql`log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}`

/**
 * Some of the events of the log that still say something of a user: what was done with their data, and from where they
 * did something with those of others. In the order of the log, after one that was seen to.
 */
export const eventsTellingOf = (userId: string, after: number): Statement<TellingEvent[]> => {
  // The plus keeps SQLite from going through all events behind it for each commit.
  const isLater = sql`+e.number > CAST(${after} AS INTEGER)`
  // Else every step would go through the commits of all steps before it.
  const isInLaterCommit = sql`c.number >= ifnull(
    (SELECT a.commit_number FROM log_events a WHERE a.number = CAST(${after} AS INTEGER)), 0)`
  return db.all<TellingEvent>(sql`SELECT number, CAST(number AS TEXT) AS id FROM (
      SELECT * FROM (SELECT e.number FROM ${EVENTS_OF_COMMIT}
        WHERE c.owner_id = ${userId} AND e.owner_id IS NULL AND ${isInLaterCommit} AND ${isLater}
          AND (${HAS_CONTENT} OR ${HAS_ORIGIN})
        ORDER BY c.number, e.number LIMIT ${EVENTS_PER_STEP})
      UNION ALL
      SELECT * FROM (SELECT e.number FROM log_events e CROSS JOIN log_commits c ON c.number = e.commit_number
        WHERE e.owner_id = ${userId} AND e.number > CAST(${after} AS INTEGER) AND ${HAS_CONTENT}
        ORDER BY e.number LIMIT ${EVENTS_PER_STEP})
      UNION ALL
      SELECT * FROM (SELECT e.number FROM ${EVENTS_OF_COMMIT}
        WHERE c.actor_id = ${userId} AND c.actor_id IS NOT c.owner_id
          AND ${isInLaterCommit} AND ${isLater} AND ${HAS_ORIGIN}
        ORDER BY c.number, e.number LIMIT ${EVENTS_PER_STEP}))
    ORDER BY number LIMIT ${EVENTS_PER_STEP}`)
}

/**
 * Takes out of these events what they say of a user who is being erased. Of what others own stays what was done,
 * of downloads how much. The commit that does this must tell of no content: it would not end.
 */
export const redactEvents = (userId: string, numbers: number[]): Statement[] => {
  const commits = sql`SELECT e.commit_number FROM log_events e WHERE e.number IN ${among(numbers)}`
  return [
    db.run(sql`UPDATE log_events SET content = NULL, facts = CASE
        WHEN (SELECT c.type FROM log_commits c WHERE c.number = commit_number) = 'file.downloaded' THEN facts END
      WHERE number IN ${among(numbers)} AND ${userId} = ifnull(owner_id,
        (SELECT c.owner_id FROM log_commits c WHERE c.number = commit_number))`),
    db.run(sql`UPDATE log_commits SET ip = NULL, user_agent = NULL
      WHERE number IN (${commits}) AND ${userId} IN (owner_id, actor_id)`),
  ]
}
