import { is, SQL, sql } from 'drizzle-orm'
import type { LogLine, Seal } from '../../domain/log-lines.ts'
import { inParameters, itemsOf } from '../database/statements.ts'

// The tables of the log, as statements name them: the same statement reads what was cut off, where it is given lines of
// segments that stand in for the tables.

/**
 * The events `e` of a commit `c`, as the view `log_entries` has them. The plus and the hint have SQLite search both ends of
 * the range: else it might build an index of all events, or go on to the end of the table where it knows of few rows.
 */
export const IS_OF_COMMIT: SQL = sql.raw(
  'c.number = +e.commit_number AND likely(e.number >= c.first_event) AND e.number < c.first_event + c.event_count',
)

/** The events `e` of a commit `c` among lines, which have no index but the one that SQLite builds for this. */
const IS_OF_LINE = sql.raw('e.commit_number = c.number')

const COLUMNS = {
  log_commits: {
    ...{ number: 'number', id: 'id', at: 'at', operation: 'operation', actor_type: 'actorType' },
    ...{ actor_id: 'actorId', token_id: 'tokenId', type: 'type', owner_id: 'ownerId' },
    ...{ request_id: 'requestId', ip: 'ip', user_agent: 'userAgent', first_event: 'firstEvent' },
    event_count: 'eventCount',
  },
  log_events: {
    ...{ number: 'number', commit_number: 'commitNumber', type: 'type', version: 'version' },
    ...{ resource_type: 'resourceType', resource_id: 'resourceId', owner_id: 'ownerId' },
    ...{ account_id: 'accountId', history: 'history', group_id: 'groupId' },
    ...{ content: 'content', facts: 'facts' },
  },
  log_seals: { number: 'number', content_hash: 'contentHash', hash: 'hash', key_id: 'keyId' },
}

/** The view, as the migrations make it. */
const LOG_ENTRIES = sql.raw(`SELECT e.number, c.number AS commit_number,
    c.id || iif(e.number = c.first_event, '', '-' || (e.number - c.first_event + 1)) AS id, c.id AS commit_id,
    c.at, c.operation, ifnull(e.type, c.type) AS type, c.actor_type, c.actor_id, c.token_id,
    CASE WHEN e.owner_id IS NULL THEN c.owner_id WHEN e.owner_id <> '' THEN e.owner_id END AS owner_id,
    ifnull(e.resource_type, substr(ifnull(e.type, c.type), 1, instr(ifnull(e.type, c.type), '.') - 1)) AS resource_type,
    e.resource_id, e.account_id, e.history, e.group_id, e.version, e.content, e.facts, c.request_id, c.ip, c.user_agent
  FROM log_events e JOIN log_commits c ON e.commit_number = c.number`)

/** A table of these objects under the name of one of the log, which it hides. */
function standIn(name: keyof typeof COLUMNS, items: object[]): SQL {
  const columns = Object.entries(COLUMNS[name])
  const values = sql.raw(columns.map(([, field]) => `value->>'${field}'`).join(', '))
  const parts = inParameters(items).map(({ json }) => sql`SELECT ${values} FROM ${itemsOf(json)}`)
  const nothing = sql.raw(`SELECT ${columns.map(() => 'NULL').join(', ')} WHERE FALSE`)
  return sql`${sql.raw(`${name}(${columns.map(([column]) => column).join(', ')})`)} AS MATERIALIZED (${sql.join(
    parts.length > 0 ? parts : [nothing],
    sql` UNION ALL `,
  )})`
}

const eventsOf = ({ commit, events }: LogLine) =>
  events.map((event, at) => ({ ...event, number: commit.firstEvent + at }))

/** Lines of segments, and the seals of the commits before them. */
export interface SegmentLines {
  lines: LogLine[]
  sealsBefore: Pick<Seal, 'number' | 'hash'>[]
}

/**
 * Makes the same query of these lines instead of the tables. The query must select, and may name a table of the log
 * with its schema only to mean the remaining rows.
 */
export const overLines = <Row>(query: SQL<Row>, { lines, sealsBefore }: SegmentLines): SQL<Row> => {
  const sealed = new Set(lines.map(({ seal }) => seal.number))
  const seals = [
    ...lines.map(({ seal }) => seal),
    ...sealsBefore.filter(({ number }) => !sealed.has(number)),
  ]
  return sql<Row>`WITH ${standIn(
    'log_commits',
    lines.map(({ commit }) => commit),
  )}, ${standIn('log_events', lines.flatMap(eventsOf))}, ${standIn('log_seals', seals)},
    log_entries AS (${LOG_ENTRIES}) ${withLineJoins(query)}`
}

const withLineJoins = (query: SQL): SQL =>
  query === IS_OF_COMMIT
    ? IS_OF_LINE
    : new SQL(query.queryChunks.map((chunk) => (is(chunk, SQL) ? withLineJoins(chunk) : chunk)))
