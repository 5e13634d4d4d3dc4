import { formatMoney } from '../../../domain/money.ts'
import { presentStamps, toInstant, toInstantOrNull } from '../../../http/fields.ts'
import { presentChanges, presentFacts } from '../../audit-log/audit-log.public.ts'
import type {
  DistinctPair,
  LogRow,
  pageOfLinks,
  pageOfMemberships,
  pageOfShares,
  StoredAttachment,
} from './contents.queries.ts'
import { pathOf } from './contents.rules.ts'

type RowOf<Finder extends (...args: never[]) => PromiseLike<unknown[]>> = Awaited<
  ReturnType<Finder>
>[number]

export const presentStoredLink = (link: RowOf<typeof pageOfLinks>) => ({
  id: link.id,
  kind: link.kind,
  sourceId: link.sourceId,
  targetId: link.targetId,
  amount:
    link.amountMinor === null || link.currency === null
      ? null
      : formatMoney(link.amountMinor, link.currency),
  currency: link.currency,
  note: link.note,
  ...presentStamps(link),
})

export const presentPair = ({ kind, oneId, otherId, createdAt }: DistinctPair) => ({
  kind,
  transactionIds: [oneId, otherId],
  createdAt: toInstant(createdAt),
})

export const presentGivenShare = (share: RowOf<typeof pageOfShares>) => ({
  id: share.id,
  accountId: share.accountId,
  userId: share.granteeUserId,
  groupId: share.groupId,
  permission: share.permission,
  writeScope: share.writeScope,
  acceptedAt: toInstantOrNull(share.acceptedAt),
  expiresAt: toInstantOrNull(share.expiresAt),
  ...presentStamps(share),
})

export const presentMembership = ({ joinedAt, ...group }: RowOf<typeof pageOfMemberships>) => ({
  ...group,
  joinedAt: toInstant(joinedAt),
})

export const presentAttachment = (file: StoredAttachment) => ({
  id: file.id,
  path: pathOf(file),
  fileName: file.fileName,
  contentType: file.contentType,
  size: file.size,
  sha256: file.sha256,
  title: file.title,
  note: file.note,
  groupId: file.groupId,
  links: JSON.parse(file.links) as { kind: string; id: string }[],
  ...presentStamps(file),
})

/** From where others did something, and with which token, is theirs. */
export function presentLogRow(row: LogRow, ownerId: string) {
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
    changes: presentChanges(row, false),
    facts: presentFacts(row),
    requestId: row.requestId,
    ip: isOwn ? row.ip : null,
    userAgent: isOwn ? row.userAgent : null,
  }
}
