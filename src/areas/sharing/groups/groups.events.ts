import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { StoredGroup } from './groups.queries.ts'
import type { StoredInvite } from './invites/invites.queries.ts'

/** The fields of the group itself, without those of its members. */
type GroupContent = Omit<StoredGroup, 'id' | 'version' | 'createdAt' | 'updatedAt'>

export const groupContent = ({
  name,
  kind,
  baseCurrency,
  storageClassId,
  suspendedAt,
}: GroupContent): GroupContent => ({ name, kind, baseCurrency, storageClassId, suspendedAt })

export const groupEvents = defineEvents('group', {
  created: carries<Created<StoredGroup>>(),
  updated: carries<Updated<StoredGroup>>(),
  /** With the budgets that are in the trash of its owner from then on. */
  deleted: carries<Deleted<GroupContent> & { budgetIds: string[] }>(),
  /** A pair, as `before` and `after` keep no owners: those stand with the event. */
  ownerChanged: carries<{ ownerId: [was: string, is: string] }>(),
})

type InviteContent<Field extends keyof StoredInvite> = Pick<StoredInvite, 'role' | Field>

/** The content of these events names nobody who is invited. */
export const groupInviteEvents = defineEvents('groupInvite', {
  created: carries<Created<InviteContent<'expiresAt'> & { byMail: boolean }>>(),
  withdrawn: carries<Deleted<InviteContent<'expiresAt'>>>(),
  /** A code that nobody may answer with: of the user who tried it. */
  refused: carries(),
  declined: carries<Deleted<InviteContent<'groupId'>>>(),
})
