import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { db } from '../../../../platform/statements.ts'
import { attachmentIsSeen } from '../attachments.queries.ts'

export interface DownloadRow {
  id: string
  at: number
  kind: 'attachment' | 'backup' | 'auditLog'
  resourceId: string | null
  fileName: string | null
  bytes: number
}

const isOwn = ({ caller }: SignedIn) =>
  sql`d.actor_id = ${caller.userId} AND d.type = 'file.downloaded'`

/** The last one first; one row more than the page. */
export function pageOfDownloads(ctx: SignedIn, { after, limit }: PageRequest) {
  const isAfter = after
    ? sql`AND (d.at, d.id) < (CAST(${after[0]} AS INTEGER), ${after[1]})`
    : sql``
  return db.all<DownloadRow>(
    sql`SELECT d.id, d.at, e.resource_type AS kind, e.resource_id AS resourceId,
        (SELECT a.file_name FROM attachments a WHERE a.id = e.resource_id AND ${attachmentIsSeen(ctx)}) AS fileName,
        ifnull(e.facts->>'bytes', 0) AS bytes
      FROM log_commits d CROSS JOIN log_events e ON e.number = d.first_event WHERE ${isOwn(ctx)} ${isAfter} ORDER BY d.at DESC, d.id DESC LIMIT ${limit + 1}`,
  )
}

export const countOfDownloads = (ctx: SignedIn) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM log_commits d WHERE ${isOwn(ctx)}`)
