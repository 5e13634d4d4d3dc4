import type { AppError } from '../../../domain/errors.ts'
import type { Permission } from '../../../domain/permissions.ts'
import type { Right } from '../../../domain/sharing.ts'
import { sharingErrors } from './sharing.errors.ts'

/** The rights that a share can give: all but ownership. */
export const SHARED_RIGHTS = ['view', 'annotate', 'write', 'manage'] as const satisfies Right[]
export type SharedRight = (typeof SHARED_RIGHTS)[number]

/** The kinds of resources that can be shared. */
export const SHARED_KINDS = ['account', 'budget', 'attachment'] as const
export type SharedKind = (typeof SHARED_KINDS)[number]

/**
 * The permissions that somebody needs to use a right that they receive. A right that a kind does not have is absent.
 */
const USES_OF_RIGHTS: Record<SharedKind, Partial<Record<SharedRight, Permission[]>>> = {
  account: {
    view: ['accounts.read', 'transactions.read'],
    annotate: ['accounts.read', 'transactions.read', 'transactions.write'],
    write: ['accounts.read', 'transactions.read', 'transactions.write'],
    manage: ['accounts.read', 'transactions.read', 'transactions.write', 'accounts.write'],
  },
  budget: { view: ['budgets.read'], manage: ['budgets.read', 'budgets.write'] },
  attachment: { view: ['attachments.read'] },
}

/**
 * An administrator shares only what they could do themselves, whoever receives it.
 * @throws sharing.wrongPermission for a right that resources of the kind do not have
 */
export function permissionsToShare(kind: SharedKind, right: SharedRight): Permission[] {
  const needed = USES_OF_RIGHTS[kind][right]
  if (!needed) {
    throw sharingErrors.wrongPermission({ field: 'permission' })
  }
  return needed
}

/** Refuses what only a share of an account can say. */
export function requireOptions(
  kind: SharedKind,
  { permission, writeScope }: { permission: SharedRight; writeScope: WriteScope },
): void {
  permissionsToShare(kind, permission)
  if (kind !== 'account' && writeScope !== 'all') {
    throw sharingErrors.accountsOnly({ field: 'writeScope' })
  }
}

/** The shared thing. */
export interface Resource {
  kind: SharedKind
  id: string
}

/** The columns of a share, one of which says what is shared. */
export interface ResourceColumns {
  accountId: string | null
  budgetId: string | null
  attachmentId: string | null
}

export const columnsOfResource = ({ kind, id }: Resource): ResourceColumns => ({
  accountId: kind === 'account' ? id : null,
  budgetId: kind === 'budget' ? id : null,
  attachmentId: kind === 'attachment' ? id : null,
})

export function resourceOf({ accountId, budgetId, attachmentId }: ResourceColumns): Resource {
  if (accountId !== null) {
    return { kind: 'account', id: accountId }
  }
  return budgetId === null
    ? { kind: 'attachment', id: attachmentId ?? '' }
    : { kind: 'budget', id: budgetId }
}

/** The error for a resource that the caller names and cannot share. */
export const unknownResource = (kind: SharedKind): AppError =>
  ({
    account: sharingErrors.unknownAccount,
    budget: sharingErrors.unknownBudget,
    attachment: sharingErrors.unknownFile,
  })[kind]({ field: 'resourceId' })

export const WRITE_SCOPES = ['all', 'own'] as const
export type WriteScope = (typeof WRITE_SCOPES)[number]

/** Shares of one resource with people; that with a group is besides. */
export const MOST_SHARES = 100

/** Refuses an end that has come. */
export function requireFuture(now: number, expiresAt: number | null | undefined): void {
  if (typeof expiresAt === 'number' && expiresAt <= now) {
    throw sharingErrors.endsInPast({ field: 'expiresAt' })
  }
}

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
  /** The kind of the shared thing, if the event has it; the share has it as long as it exists. */
  kind: SharedKind | null
  shareId: string
  /** The recipient; null for the present receivers of the share. */
  userId: string | null
  /** The user who did it, and so needs no notice. */
  actorId: string | null
}

/** The log's facts about a share. */
interface ShareEvent {
  type: string
  at: number
  actorId: string | null
  ownerId: string | null
  resourceId: string | null
  content: string | null
}

/** The log's facts about the receiver of a share. Shares with a group are in the group's activity. */
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
