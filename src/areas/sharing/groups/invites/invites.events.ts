import { carries, type Created, defineEvents, type Deleted } from '../../../../platform/events.ts'
import type { StoredInvite } from './invites.queries.ts'

type InviteContent<Field extends keyof StoredInvite> = Pick<StoredInvite, 'role' | Field>

/** What they say names nobody who is invited. */
export const groupInviteEvents = defineEvents('groupInvite', {
  created: carries<Created<InviteContent<'expiresAt'> & { byMail: boolean }>>(),
  withdrawn: carries<Deleted<InviteContent<'expiresAt'>>>(),
  /** A code that nobody may answer with: of the user who tried it. */
  refused: carries(),
  declined: carries<Deleted<InviteContent<'groupId'>>>(),
})
