import { sql } from 'drizzle-orm'
import { downloadsOf } from '../../../domain/log-lines.ts'
import { BY_PLACE, type LogList } from '../../../platform/log/log-reading.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { type DayOfKind, DOWNLOADED, DOWNLOADS_READER } from './metrics.rules.ts'

/** The condition for the index of downloads alone. Without the range, all of it would be read like a table. */
const IN_INDEX = sql`c.type = 'file.downloaded' AND c.at >= 0`

const DOWNLOADS = sql.raw('log_commits c CROSS JOIN log_events e ON e.number = c.first_event')

const BYTES = sql`CAST(ifnull(e.facts ->> 'bytes', 0) AS INTEGER)`

/** The downloads that have not been added up yet: all that are behind the reader's place in the log. */
const NOT_ADDED_UP = sql`log_events e CROSS JOIN log_commits c ON c.number = e.commit_number
  WHERE e.number > ifnull((SELECT r.cursor FROM log_readers r WHERE r.name = ${DOWNLOADS_READER}), 0)
    AND c.type = ${DOWNLOADED} AND e.number = c.first_event`

/** Oldest first; of each day one row per kind. */
export const downloadsByDay = () =>
  db.all<DayOfKind>(sql`SELECT date, kind, sum(downloads) AS downloads, sum(bytes) AS bytes FROM (
      SELECT date, kind, downloads, bytes FROM download_days
      UNION ALL
      SELECT date(c.at / 1000, 'unixepoch'), e.resource_type, 1, ${BYTES} FROM ${NOT_ADDED_UP})
    GROUP BY 1, 2 ORDER BY 1, 2`)

export const countOfDownloaders = () =>
  db.all<{ users: number }>(sql`SELECT count(*) AS users FROM (SELECT user_id FROM downloaders
    UNION SELECT c.actor_id FROM ${NOT_ADDED_UP} AND c.actor_id IS NOT NULL)`)

/** Adds these to what their days have. */
export const addToDays = (sums: DayOfKind[]): Statement =>
  db.run(sql`INSERT INTO download_days (date, kind, downloads, bytes)
    SELECT value ->> 'date', value ->> 'kind', sum(value ->> 'downloads'), sum(value ->> 'bytes')
    FROM json_each(${JSON.stringify(sums)}) WHERE TRUE GROUP BY 1, 2
    ON CONFLICT (date, kind) DO UPDATE SET downloads = downloads + excluded.downloads, bytes = bytes + excluded.bytes`)

/** Leaves out who was erased before the reader came to what they downloaded. */
export const addDownloaders = (userIds: string[]): Statement =>
  db.run(sql`INSERT INTO downloaders (user_id) SELECT u.id FROM users u
    WHERE u.id IN ${among(userIds)} AND (u.status <> 'deleted' OR u.deletion_due_at IS NOT NULL)
    ON CONFLICT DO NOTHING`)

export interface Download {
  at: number
  /** Its place in the log. */
  commit: number
  event: number
  userId: string | null
  kind: string
  resourceId: string | null
  fileName: string | null
  bytes: number
}

/** The newest first. */
export const recentDownloads = (): LogList<Download> => ({
  order: 'newestByTime',
  scope: { things: sql`(${downloadsOf()})` },
  rows: ({
    limit,
  }) => sql`SELECT c.at, c.number AS "commit", e.number AS event, c.actor_id AS userId,
      e.resource_type AS kind, e.resource_id AS resourceId, a.file_name AS fileName, ${BYTES} AS bytes
    FROM ${DOWNLOADS} LEFT JOIN attachments a ON a.id = e.resource_id AND e.resource_type = 'attachment'
      AND a.deleted_at IS NULL
    WHERE ${IN_INDEX} ORDER BY c.at DESC, c.number DESC LIMIT ${limit + 1}`,
  placeOf: ({ at, commit, event }) => ({ at, commit, event }),
  position: BY_PLACE,
})

/** Takes an erased user off those who downloaded something. */
export const forgetDownloader = (userId: string): Statement =>
  db.run(sql`DELETE FROM downloaders WHERE user_id = ${userId}`)
