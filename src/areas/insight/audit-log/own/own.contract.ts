import { toInstant } from '../../../../http/fields.ts'
import { presentChanges, presentFacts } from '../fields/fields.contract.ts'
import type { OwnEvent } from './own.queries.ts'

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
    changes: presentChanges(row, false),
    facts: presentFacts(row),
    requestId: row.requestId,
    ip: isOwn ? row.ip : null,
    userAgent: isOwn ? row.userAgent : null,
  }
}
