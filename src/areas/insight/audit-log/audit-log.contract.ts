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
import { formerly, withFormerNames } from '../../../http/former-names.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { LogEntryRow } from './audit-log.queries.ts'
import { isMaskedFor } from './audit-log.usecases.ts'
import { presentChanges } from './fields/fields.contract.ts'

const since = instantInput('Done then or later.')
const until = instantInput('Done then or before.')

export const formerLogNames = { from: 'since', to: 'until' }

const ofOwn = {
  action: text(1, 100, 'What was done.', 'account.updated').optional(),
  resourceType: text(1, 100, 'With what kind of thing.', 'account').optional(),
  resourceId: text(1, 200, 'With which.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5').optional(),
  since: since.optional(),
  until: until.optional(),
  from: formerly(since, 'since').optional(),
  to: formerly(until, 'until').optional(),
}

export const logFilter = {
  actorId: idInput('usr', 'What this user did.').optional(),
  ownerId: idInput('usr', 'What was done with things of this user.').optional(),
  ...ofOwn,
  groupId: idInput('grp', 'What was done in this group.').optional(),
  ip: text(1, 64, 'From this address.', '192.0.2.1').optional(),
}

export const ListAuditLogsQuery = withFormerNames(
  z.strictObject({ ...logFilter, ...pageQuery() }),
  formerLogNames,
)

export const ListOwnAuditLogQuery = withFormerNames(
  z.strictObject({ ...ofOwn, ...pageQuery() }),
  formerLogNames,
)

const HASH = 'q8Yx0dTn2bWc4RkA…'

const toldChange = fieldChange.extend({
  currency: textField(
    'The currency of an amount; absent where the field is none.',
    'EUR',
  ).optional(),
})

const entryFields = {
  id: id('log', 'Id of the entry.'),
  commitId: id('log', 'Id of the commit; all entries of one commit have the same.'),
  at: instant('When it was done.'),
  action: textField('What was done.', 'account.updated'),
  actorId: id('usr', 'Who did it; null for the service itself, or nobody who is known.').nullable(),
  actorType: z
    .enum(['user', 'token', 'system', 'anonymous'])
    .openapi({ description: 'As what.', example: 'user' }),
  tokenId: id('tok', 'The personal access token that was used.').nullable(),
  ownerId: id('usr', 'Whose things it was done with.').nullable(),
  resourceType: textField('With what kind of thing.', 'account'),
  resourceId: nullableText(
    'With which; null where there is no single one.',
    'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
  ),
  accountId: id('acc', 'The account that it was booked on.').nullable(),
  groupId: id('grp', 'The group that it was done in.').nullable(),
  version: integerField('Of the thing, after it; null where that is not known.', 2).nullable(),
  changes: z.array(toldChange).openapi({
    description:
      'What was changed, in fields as the resource has them. Empty where nothing is to be told, where a user was erased, and in lists where it is long.',
  }),
  ip: nullableText('The address that it came from.', '192.0.2.1'),
  userAgent: nullableText('What sent it.', 'Mozilla/5.0'),
  requestId: textField('The request that it was done by.', 'req_01k9v3q8m5t0w2x4y6z8a1b3c5'),
}

export const OwnAuditLogEntry = z.object(entryFields).openapi('OwnAuditLogEntry')

const sealed = {
  number: integerField(
    'Number of its commit in the hash chain; null until that is sealed.',
    1,
  ).nullable(),
  hash: nullableText('Hash of its commit.', HASH),
  previousHash: nullableText('Hash of the commit before.', HASH),
}

export const AuditLogResponse = z.object({ ...entryFields, ...sealed }).openapi('AuditLogResponse')

export const ListAuditLogsResponse = z
  .object({
    entries: z.array(AuditLogResponse).openapi({ description: 'One page of them.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('ListAuditLogsResponse')

export const ListOwnAuditLogResponse = z
  .object({
    entries: z.array(OwnAuditLogEntry).openapi({ description: 'One page of them.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('ListOwnAuditLogResponse')

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
