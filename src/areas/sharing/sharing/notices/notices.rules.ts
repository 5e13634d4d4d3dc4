/** The events that somebody may have a notice of. */
export const NOTED = ['account.shared', 'account.unshared', 'share.accepted'] as const

type NoticeTemplate = 'shareReceived' | 'shareAccepted' | 'shareEnded' | 'shareReturned'

/** A mail that a share is the reason of. */
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

/** Of a share with a person; one with a group is told in the group's activity. */
interface Told {
  groupId?: string
  granteeUserId?: string
}

/** Who is to be told of what has become of a share, unless they did it themselves. */
export function noticesOf(event: ShareEvent): Notice[] {
  const { type, at, actorId, ownerId, resourceId: shareId, content } = event
  const { before, after } = (content === null ? {} : JSON.parse(content)) as Record<
    'before' | 'after',
    Told | undefined
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
