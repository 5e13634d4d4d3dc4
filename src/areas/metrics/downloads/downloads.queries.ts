import { sql } from 'drizzle-orm'
import { db } from '../../../platform/statements.ts'

/** Of the index of downloads alone: without the range it would be gone through as a whole table is. */
const DOWNLOADED = sql`c.type = 'file.downloaded' AND c.at >= 0`

const DOWNLOADS = sql.raw('log_commits c CROSS JOIN log_events e ON e.number = c.first_event')

const BYTES = sql`CAST(ifnull(e.facts ->> 'bytes', 0) AS INTEGER)`

export interface DayOfKind {
  date: string
  kind: string
  downloads: number
  bytes: number
}

/** Days in UTC, oldest first; of each one row per kind. */
export const downloadsByDay = () =>
  db.all<DayOfKind>(sql`SELECT date(c.at / 1000, 'unixepoch') AS date, e.resource_type AS kind,
      count(*) AS downloads, sum(${BYTES}) AS bytes
    FROM ${DOWNLOADS} WHERE ${DOWNLOADED} GROUP BY 1, 2 ORDER BY 1, 2`)

export const downloaders = () =>
  db.all<{ users: number }>(sql`SELECT count(DISTINCT actor_id) AS users
    FROM log_commits WHERE type = 'file.downloaded' AND actor_id > ''`)

export interface Download {
  at: number
  userId: string | null
  kind: string
  resourceId: string | null
  fileName: string | null
  bytes: number
}

export const recentDownloads = (limit: number) =>
  db.all<Download>(sql`SELECT c.at, c.actor_id AS userId, e.resource_type AS kind, e.resource_id AS resourceId,
      a.file_name AS fileName, ${BYTES} AS bytes
    FROM ${DOWNLOADS} LEFT JOIN attachments a ON a.id = e.resource_id AND e.resource_type = 'attachment'
      AND a.deleted_at IS NULL
    WHERE ${DOWNLOADED} ORDER BY c.at DESC, c.number DESC LIMIT CAST(${limit} AS INTEGER)`)
