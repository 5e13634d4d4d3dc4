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
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { LogEntryRow } from './audit-log.queries.ts'
import { isMaskedFor } from './audit-log.usecases.ts'
import { presentChanges } from './fields/fields.contract.ts'

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

export const logFilter = {
  actorId: idInput('usr', 'Only actions of this user.').optional(),
  ownerId: idInput('usr', 'Only actions on data of this user.').optional(),
  ...ofOwn,
  groupId: idInput('grp', 'Only actions in this group.').optional(),
  ip: text(1, 64, 'Only actions from this IP address.', '192.0.2.1').optional(),
}

export const ListAuditLogsQuery = z.strictObject({ ...logFilter, ...pageQuery() })

export const ListOwnAuditLogQuery = z.strictObject({ ...ofOwn, ...pageQuery() })

const HASH = 'q8Yx0dTn2bWc4RkA…'

const toldChange = fieldChange.extend({
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
  changes: z.array(toldChange).openapi({
    description:
      'Changed fields, named as in the resource. Empty if there are none or a user was erased; lists also leave out long changes.',
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
): z.infer<typeof AuditLogsResponse> => ({
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
): z.infer<typeof OwnAuditLogResponse> => ({
  entries: rows.map((row) => presentFields(withoutOrigin(row, caller.userId), false)),
  count,
  nextCursor,
})
