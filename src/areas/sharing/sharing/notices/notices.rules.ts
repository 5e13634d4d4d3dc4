/** The types of events that lead to notices. */
export const NOTED = ['account.shared', 'account.unshared', 'share.accepted'] as const

type NoticeTemplate = 'shareReceived' | 'shareAccepted' | 'shareEnded' | 'shareReturned'

/** A mail about a share. */
export interface Notice {
  template: NoticeTemplate
  at: number
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
  const notice = (template: NoticeTemplate, userId: string | null) => ({
    ...{ template, at, shareId, userId, actorId },
  })
  if (type === 'share.accepted') {
    return [notice('shareAccepted', ownerId)]
  }
  if (type === 'account.shared') {
    return before ? [] : [notice('shareReceived', null)]
  }
  const receiver = before?.granteeUserId ?? null
  if (receiver === null) {
    return []
  }
  return [receiver === actorId ? notice('shareReturned', ownerId) : notice('shareEnded', receiver)]
}
