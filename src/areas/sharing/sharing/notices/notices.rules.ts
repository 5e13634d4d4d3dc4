import { SHARED_KINDS, type SharedKind } from '../sharing.rules.ts'

/** The types of events that lead to notices. */
export const NOTED = [
  'account.shared',
  'account.unshared',
  'budget.shared',
  'budget.unshared',
  'attachment.shared',
  'attachment.unshared',
  'share.accepted',
] as const

type NoticeTemplate = 'shareReceived' | 'shareAccepted' | 'shareEnded' | 'shareReturned'

/** A mail about a share. */
export interface Notice {
  template: NoticeTemplate
  at: number
  /** Of what is shared, where the event tells it; the share tells it as long as it is there. */
  kind: SharedKind | null
  shareId: string
  /** Who gets it; null for whoever receives the share now. */
  userId: string | null
  /** Who did it, and so knows. */
  actorId: string | null
}

/** What the log tells of a share. */
interface ShareEvent {
  type: string
  at: number
  actorId: string | null
  ownerId: string | null
  resourceId: string | null
  content: string | null
}

/** What the log keeps of whom something is shared with. Shares with a group are told in the group's activity. */
interface Receiver {
  groupId?: string
  granteeUserId?: string
}

/** The notices about what has become of a share; those who did it themselves get none. */
export function noticesOf(event: ShareEvent): Notice[] {
  const { type, at, actorId, ownerId, resourceId: shareId, content } = event
  const { before, after } = (content === null ? {} : JSON.parse(content)) as Record<
    'before' | 'after',
    Receiver | undefined
  >
  if (shareId === null || (after ?? before)?.groupId !== undefined) {
    return []
  }
  const [of = ''] = type.split('.')
  const kind = SHARED_KINDS.find((one) => one === of) ?? null
  const notice = (template: NoticeTemplate, userId: string | null) => ({
    ...{ template, at, kind, shareId, userId, actorId },
  })
  if (type === 'share.accepted') {
    return [notice('shareAccepted', ownerId)]
  }
  if (type.endsWith('.shared')) {
    return before ? [] : [notice('shareReceived', null)]
  }
  const receiver = before?.granteeUserId ?? null
  if (receiver === null) {
    return []
  }
  return [receiver === actorId ? notice('shareReturned', ownerId) : notice('shareEnded', receiver)]
}
