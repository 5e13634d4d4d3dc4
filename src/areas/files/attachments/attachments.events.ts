import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type DomainEvent,
  type Thing,
  type Updated,
} from '../../../platform/log/events.ts'
import type {
  AttachmentRow,
  OthersLink,
  SeenLink,
  StoredAttachment,
} from './attachments.queries.ts'

type AttachmentContent = Omit<StoredAttachment, 'deletedAt'>

interface Linked {
  link: SeenLink
}

export const attachmentEvents = defineEvents('attachment', {
  /** With what it was attached to at once. */
  created: carries<Created<AttachmentContent> & Partial<Linked>>(),
  updated: carries<Updated<AttachmentContent>>(),
  deleted: carries<Deleted<AttachmentContent>>(),
  restored: carries<Created<AttachmentContent>>(),
  linked: carries<Linked>(),
  unlinked: carries<Linked>(),
  /** A link that needs nobody to sign in. */
  linkMade: carries<{ expiresAt: number }>(),
})

/** A file is its uploader's, and its group sees the event. */
export const fileOf = ({
  id,
  ownerId,
  groupId,
}: Pick<AttachmentRow, 'id' | 'ownerId' | 'groupId'>): Thing => ({
  id,
  ownerId,
  ...(groupId === null ? {} : { groupId }),
})

/** Returns the part of a file that the log keeps. Links are not in it: they have events of the user who attached the file. */
export const fileSnapshot = ({
  links: _links,
  isMine: _isMine,
  ...file
}: AttachmentRow): AttachmentContent => file

/** The account that a file is attached to, or to what is booked there; not where that is private. */
export const openlyOn = (
  target: { accountId: string | null; isPrivate: 0 | 1 } | undefined,
): Pick<Thing, 'accountId'> =>
  target?.isPrivate === 0 && target.accountId !== null ? { accountId: target.accountId } : {}

/**
 * Returns the events for the owner of an account when a file of somebody else is attached there or removed. The group
 * of the account gets the event of the file itself.
 */
export const eventsForOwner = (
  how: 'linked' | 'unlinked',
  file: Pick<AttachmentRow, 'id' | 'ownerId'>,
  { ownerId, ...target }: { ownerId: string; accountId: string | null; isPrivate: 0 | 1 },
  content: Linked,
): DomainEvent[] =>
  ownerId === file.ownerId
    ? []
    : [attachmentEvents[how]({ id: file.id, ownerId, ...openlyOn(target), groupId: null }, content)]

/** Returns those events when the file moves to the trash, or returns, with all its links. */
export const eventsForOwners = (
  how: 'linked' | 'unlinked',
  file: Pick<AttachmentRow, 'id' | 'ownerId'>,
  links: OthersLink[],
): DomainEvent[] =>
  links.flatMap(({ linkId, kind, id, ...target }) =>
    eventsForOwner(how, file, target, { link: { linkId, kind, id } }),
  )
