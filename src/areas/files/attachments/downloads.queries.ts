import { type SQL, sql } from 'drizzle-orm'
import { downloadsOf } from '../../../domain/log-lines.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { BY_PLACE, type LogList } from '../../../platform/log/log-reading.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { attachmentIsSeen } from './attachments.queries.ts'

export interface DownloadRow {
  id: string
  at: number
  /** Its place in the log. */
  commit: number
  event: number
  kind: 'attachment' | 'backup' | 'export' | 'auditLog' | 'import'
  resourceId: string | null
  fileName: string | null
  bytes: number
}

const isOwn = ({ caller }: SignedIn) =>
  sql`d.actor_id = ${caller.userId} AND d.type = 'file.downloaded'`

/** The last one first. */
export const downloadList = (ctx: SignedIn): LogList<DownloadRow> => ({
  order: 'newestByTime',
  scope: { things: sql`(${downloadsOf(ctx.caller.userId)})` },
  rows: (page) => pageOfDownloads(ctx, page),
  count: sql`SELECT count(*) AS count FROM log_commits d WHERE ${isOwn(ctx)}`,
  placeOf: ({ at, commit, event }) => ({ at, commit, event }),
  position: BY_PLACE,
})

/** One row more than the page. */
function pageOfDownloads(ctx: SignedIn, { after, limit }: PageRequest): SQL<DownloadRow> {
  const isAfter = after
    ? sql`AND (d.at, d.number) < (CAST(${after[0]} AS INTEGER), CAST(${after[1]} AS INTEGER))`
    : sql``
  return sql`SELECT d.id, d.at, d.number AS "commit", e.number AS event, e.resource_type AS kind, e.resource_id AS resourceId,
      (SELECT a.file_name FROM attachments a WHERE a.id = e.resource_id AND ${attachmentIsSeen(ctx)}) AS fileName,
      ifnull(e.facts->>'bytes', 0) AS bytes
    FROM log_commits d CROSS JOIN log_events e ON e.number = d.first_event
    WHERE ${isOwn(ctx)} ${isAfter} ORDER BY d.at DESC, d.number DESC LIMIT ${limit + 1}`
}
