import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { LogEntryRow } from './audit-log.queries.ts'
import { fieldsIn } from './audit-log.rules.ts'
import type {
  AuditLogResponse,
  AuditLogSummary,
  ListAuditLogsResponse,
  ListOwnAuditLogResponse,
  OwnAuditLogEntry,
} from './audit-log.schemas.ts'
import type { LogEntry } from './audit-log.usecases.ts'

const presentFields = (row: LogEntryRow): z.infer<typeof OwnAuditLogEntry> => ({
  id: row.id,
  at: toInstant(row.at),
  action: row.action,
  actorId: row.actorId,
  actorType: row.actorType,
  tokenId: row.tokenId,
  ownerId: row.ownerId,
  resourceType: row.resourceType,
  resourceId: row.resourceId,
  accountId: row.bookedOn,
  groupId: row.groupId,
  changes: fieldsIn(row.changes),
  itemCount: row.itemCount,
  ip: row.ip,
  userAgent: row.userAgent,
  requestId: row.requestId,
})

export const presentSummary = (row: LogEntryRow): z.infer<typeof AuditLogSummary> => ({
  ...presentFields(row),
  number: row.number,
  hash: row.hash,
  previousHash: row.previousHash,
})

export const presentLog = ({
  rows,
  count,
  nextCursor,
}: Listed<LogEntryRow>): z.infer<typeof ListAuditLogsResponse> => ({
  entries: rows.map(presentSummary),
  count,
  nextCursor,
})

export const presentLogEntry = (entry: LogEntry): z.infer<typeof AuditLogResponse> => ({
  ...presentSummary(entry),
  items: entry.items.map(({ resourceId, changes }) => ({
    resourceId,
    changes: fieldsIn(changes),
  })),
})

/** Where somebody else was, and with which token, is theirs. */
const withoutOrigin = (row: LogEntryRow, me: string) =>
  row.actorId === me ? row : { ...row, tokenId: null, ip: null, userAgent: null }

export const presentOwnLog = (
  { rows, count, nextCursor }: Listed<LogEntryRow>,
  { caller }: SignedIn,
): z.infer<typeof ListOwnAuditLogResponse> => ({
  entries: rows.map((row) => presentFields(withoutOrigin(row, caller.userId))),
  count,
  nextCursor,
})
