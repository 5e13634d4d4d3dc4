import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { LogEntryRow } from './audit-log.queries.ts'
import type {
  AuditLogResponse,
  ListAuditLogsResponse,
  ListOwnAuditLogResponse,
  OwnAuditLogEntry,
} from './audit-log.schemas.ts'
import { presentChanges } from './fields/fields.presenters.ts'
import { isMaskedFor } from './audit-log.usecases.ts'

const presentFields = (row: LogEntryRow, isMasked: boolean): z.infer<typeof OwnAuditLogEntry> => ({
  id: row.id,
  commitId: row.commitId,
  at: toInstant(row.at),
  action: row.type,
  actorId: row.actorId,
  actorType: row.actorType,
  tokenId: row.tokenId,
  ownerId: row.ownerId,
  resourceType: row.resourceType,
  resourceId: row.resourceId,
  accountId: row.accountId,
  groupId: row.groupId,
  version: row.version,
  changes: presentChanges(row, isMasked),
  ip: row.ip,
  userAgent: row.userAgent,
  requestId: row.requestId,
})

const presentSummary = (row: LogEntryRow, isMasked: boolean): z.infer<typeof AuditLogResponse> => ({
  ...presentFields(row, isMasked),
  number: row.number,
  hash: row.hash,
  previousHash: row.previousHash,
})

/** A line of an export. */
export const presentExported = (row: LogEntryRow, isMasked: boolean) => ({
  ...presentFields(row, isMasked),
  number: row.number,
  hash: row.hash,
})

export const presentLog = (
  { rows, count, nextCursor }: Listed<LogEntryRow>,
  ctx: SignedIn,
): z.infer<typeof ListAuditLogsResponse> => ({
  entries: rows.map((row) => presentSummary(row, isMaskedFor(ctx))),
  count,
  nextCursor,
})

export const presentLogEntry = (
  entry: LogEntryRow,
  ctx: SignedIn,
): z.infer<typeof AuditLogResponse> => presentSummary(entry, isMaskedFor(ctx))

/** Where somebody else was, and with which token, is theirs. */
const withoutOrigin = (row: LogEntryRow, me: string) =>
  row.actorId === me ? row : { ...row, tokenId: null, ip: null, userAgent: null }

export const presentOwnLog = (
  { rows, count, nextCursor }: Listed<LogEntryRow>,
  { caller }: SignedIn,
): z.infer<typeof ListOwnAuditLogResponse> => ({
  entries: rows.map((row) => presentFields(withoutOrigin(row, caller.userId), false)),
  count,
  nextCursor,
})
