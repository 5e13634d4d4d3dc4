import { sql } from 'drizzle-orm'
import { db } from '../../../platform/statements.ts'

/** Of the index of downloads alone: without the range it would be gone through as a whole table is. */
const DOWNLOADED = sql`l.action = 'file.downloaded' AND l.at >= 0`

const BYTES = sql`CAST(ifnull(l.facts ->> 'bytes', 0) AS INTEGER)`

export interface DayOfKind {
  date: string
  kind: string
  downloads: number
  bytes: number
}

/** Days in UTC, oldest first; of each one row per kind. */
export const downloadsByDay = () =>
  db.all<DayOfKind>(sql`SELECT date(l.at / 1000, 'unixepoch') AS date, l.resource_type AS kind,
      count(*) AS downloads, sum(${BYTES}) AS bytes
    FROM audit_log l WHERE ${DOWNLOADED} GROUP BY 1, 2 ORDER BY 1, 2`)

export const downloaders = () =>
  db.all<{ users: number }>(sql`SELECT count(DISTINCT l.actor_id) AS users
    FROM audit_log l WHERE l.action = 'file.downloaded' AND l.actor_id > ''`)

export interface Download {
  at: number
  userId: string | null
  kind: string
  resourceId: string | null
  fileName: string | null
  bytes: number
}

export const recentDownloads = (limit: number) =>
  db.all<Download>(sql`SELECT l.at, l.actor_id AS userId, l.resource_type AS kind, l.resource_id AS resourceId,
      a.file_name AS fileName, ${BYTES} AS bytes
    FROM audit_log l LEFT JOIN attachments a ON a.id = l.resource_id AND l.resource_type = 'attachment'
      AND a.deleted_at IS NULL
    WHERE ${DOWNLOADED} ORDER BY l.at DESC, l.rowid DESC LIMIT CAST(${limit} AS INTEGER)`)
