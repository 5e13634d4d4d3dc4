import { z } from '@hono/zod-openapi'
import {
  countOfLog,
  fieldChange,
  id,
  idInput,
  instant,
  instantInput,
  nullableText,
  nextCursor,
  textField,
  text,
  toInstant,
  integerField,
  presentStamps,
  stamps,
  toInstantOrNull,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { ARCHIVE_STATES, archiveState } from '../../../domain/archives.ts'
import { presentDifference } from '../../money/transaction-views/transaction-views.public.ts'
import { presentStartedJob, StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import type { LogEntryRow } from './audit-log.queries.ts'
import { isMaskedFor } from './audit-log.usecases.ts'
import type { OwnEvent } from './own.queries.ts'
import {
  changesShown,
  factsShown,
  type ShownChange,
  LOG_EXPORT_FORMATS,
} from './audit-log.rules.ts'
import type { ExportRow, LogExportRequest } from './exports/exports.queries.ts'
import type { RequestedLogExport } from './exports/exports.usecases.ts'

const ofOwn = {
  action: text(1, 100, 'Only entries with this action.', 'account.updated').optional(),
  resourceType: text(1, 100, 'Only entries about this kind of resource.', 'account').optional(),
  resourceId: text(
    1,
    200,
    'Only entries about this resource.',
    'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
  ).optional(),
  since: instantInput('Only entries at this time or later.').optional(),
  until: instantInput('Only entries at this time or earlier.').optional(),
}

const logFilter = {
  actorId: idInput('usr', 'Only actions of this user.').optional(),
  ownerId: idInput('usr', 'Only actions on data of this user.').optional(),
  ...ofOwn,
  groupId: idInput('grp', 'Only actions in this group.').optional(),
  ip: text(1, 64, 'Only actions from this IP address.', '192.0.2.1').optional(),
}

export const ListAuditLogsQuery = z.strictObject({ ...logFilter, ...pageQuery() })

export const ListOwnAuditLogQuery = z.strictObject({ ...ofOwn, ...pageQuery() })

const HASH = 'q8Yx0dTn2bWc4RkA…'

const shownChange = fieldChange.extend({
  currency: textField(
    'Currency of an amount; absent if the field is not an amount.',
    'EUR',
  ).optional(),
})

const entryFields = {
  id: id('log', 'Id of the entry.'),
  commitId: id('log', 'Id of the commit, which all its entries share.'),
  at: instant('Time of the action.'),
  action: textField('What was done, as `resource.pastTense`.', 'account.updated'),
  actorId: id(
    'usr',
    'User who did it; null for the service itself and for unknown users.',
  ).nullable(),
  actorType: z
    .enum(['user', 'token', 'system', 'anonymous'])
    .openapi({ description: 'Kind of the actor.', example: 'user' }),
  tokenId: id('tok', 'Personal access token that was used.').nullable(),
  ownerId: id('usr', 'Owner of the affected data.').nullable(),
  resourceType: textField('Kind of the affected resource.', 'account'),
  resourceId: nullableText(
    'Id of the affected resource; null if there is no single one.',
    'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
  ),
  accountId: id('acc', 'Account that it was booked on.').nullable(),
  groupId: id('grp', 'Group in which it was done.').nullable(),
  version: integerField(
    'Version of the resource after the action; null if it is not known.',
    2,
  ).nullable(),
  changes: z.array(shownChange).openapi({
    description:
      'Changed fields, named as in the resource. `ruleIds` are the rules that filled in fields of a transaction. Empty if there are none or a user was erased; lists also leave out long changes.',
  }),
  ip: nullableText('IP address of the request.', '192.0.2.1'),
  userAgent: nullableText('User agent of the request.', 'Mozilla/5.0'),
  requestId: textField('Id of the request.', 'req_01k9v3q8m5t0w2x4y6z8a1b3c5'),
}

export const OwnAuditLogEntry = z.object(entryFields).openapi('OwnAuditLogEntry')

const sealed = {
  number: integerField(
    'Number of the commit in the hash chain; null until it is sealed.',
    1,
  ).nullable(),
  hash: nullableText('Hash of the commit.', HASH),
  previousHash: nullableText('Hash of the previous commit.', HASH),
}

export const AuditLogResponse = z.object({ ...entryFields, ...sealed }).openapi('AuditLogResponse')

export const AuditLogsResponse = z
  .object({
    entries: z.array(AuditLogResponse).openapi({ description: 'One page of the list.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('AuditLogsResponse')

export const OwnAuditLogResponse = z
  .object({
    entries: z.array(OwnAuditLogEntry).openapi({ description: 'One page of the list.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('OwnAuditLogResponse')

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
  changes: presentFieldChanges(row, isMasked),
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
): z.infer<typeof AuditLogsResponse> => ({
  entries: rows.map((row) => presentSummary(row, isMaskedFor(ctx))),
  count,
  nextCursor,
})

export const presentLogEntry = (
  entry: LogEntryRow,
  ctx: SignedIn,
): z.infer<typeof AuditLogResponse> => presentSummary(entry, isMaskedFor(ctx))

/** Hides the address and the token of other actors. */
const withoutOrigin = (row: LogEntryRow, me: string) =>
  row.actorId === me ? row : { ...row, tokenId: null, ip: null, userAgent: null }

export const presentOwnLog = (
  { rows, count, nextCursor }: Listed<LogEntryRow>,
  { caller }: SignedIn,
): z.infer<typeof OwnAuditLogResponse> => ({
  entries: rows.map((row) => presentFields(withoutOrigin(row, caller.userId), false)),
  count,
  nextCursor,
})

/** From where others did something, and with which token, is theirs. */
export function presentOwnEvent(row: OwnEvent, ownerId: string) {
  const isOwn = row.actorId === ownerId
  return {
    id: row.id,
    at: toInstant(row.at),
    action: row.type,
    actorType: row.actorType,
    actorId: row.actorId,
    tokenId: isOwn ? row.tokenId : null,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    accountId: row.accountId,
    groupId: row.groupId,
    changes: presentFieldChanges(row, false),
    facts: presentFacts(row),
    requestId: row.requestId,
    ip: isOwn ? row.ip : null,
    userAgent: isOwn ? row.userAgent : null,
  }
}

/** An event, as far as what it says of fields goes. */
export interface LoggedFields {
  resourceType: string
  resourceId: string | null
  /** The currency of the account that it is about. */
  currency: string | null
  /** JSON. */
  content: string | null
}

/** Presents the fields in an event, as the API has them. */
export const presentFieldChanges = (row: LoggedFields, isMasked: boolean): ShownChange[] =>
  changesShown(snapshotsIn(row) ?? row.content, { ...row, isMasked })

/** The content of an event of the ledger's journal, with its snapshots as the API tells them; undefined for any other. */
function snapshotsIn({ resourceType, resourceId, currency, content }: LoggedFields) {
  const { before, after, ...rest } = (JSON.parse(content ?? '{}') ?? {}) as Partial<
    Record<'before' | 'after', Record<string, unknown>>
  >
  if (resourceType !== 'transaction' || resourceId === null) {
    return undefined
  }
  // The entry has a field for it.
  const about = { id: resourceId, currency, accountId: null }
  const difference = presentDifference({ before, after }, { before: about, after: about })
  return JSON.stringify({ ...rest, ...difference })
}

/** The facts of an event, for its owner. */
const presentFacts = (row: LoggedFields & { facts: string | null }): unknown =>
  factsShown(row.facts, { ...row, isMasked: false })

const format = z.enum(LOG_EXPORT_FORMATS).openapi({
  description: 'Format of the file: one JSON object per line, or a table with a header row.',
  example: 'ndjson',
})

export const ExportAuditLogRequest = z
  .strictObject({ format: format.default('ndjson'), ...logFilter })
  .openapi('ExportAuditLogRequest')

export const AuditLogExportStarted = z
  .object({ id: id('exp', 'Id of the export.'), ...StartedJobResponse.shape })
  .openapi('AuditLogExportStarted')

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const AuditLogExport = z
  .object({
    id: id('exp', 'Id of the export.'),
    state: z.enum(ARCHIVE_STATES).openapi({
      description: 'State of the export. It can be downloaded while it is `ready`.',
      example: 'ready',
    }),
    format,
    jobId: id('tsk', 'Job that makes the export.').nullable(),
    entries: integerField('Number of entries; null until the export is ready.', 1200).nullable(),
    size: integerField('Size in bytes; null until the export is ready.', 48_211).nullable(),
    sha256: textField('SHA-256 of the file.', SHA).nullable(),
    finishedAt: instant('Time at which it was ready.').nullable(),
    expiresAt: instant('Time at which it is deleted.').nullable(),
    ...stamps,
  })
  .openapi('AuditLogExport')

export const presentLogExport = (row: ExportRow): z.infer<typeof AuditLogExport> => ({
  id: row.id,
  state: archiveState(row.stored, row.task),
  format: (JSON.parse(row.filter ?? '{}') as LogExportRequest).format,
  jobId: row.taskId,
  entries: row.manifest === null ? null : (JSON.parse(row.manifest) as { entries: number }).entries,
  size: row.size,
  sha256: row.sha256,
  finishedAt: toInstantOrNull(row.finishedAt),
  expiresAt: toInstantOrNull(row.expiresAt),
  ...presentStamps(row),
})

export const presentRequestedLogExport = ({
  id,
  job,
}: RequestedLogExport): z.infer<typeof AuditLogExportStarted> => ({ id, ...presentStartedJob(job) })
