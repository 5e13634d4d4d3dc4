import { carries, type Created, defineEvents, type Deleted } from '../../../platform/events.ts'
import type { StoredInvite } from './invites.queries.ts'

type Told<Field extends keyof StoredInvite> = Pick<StoredInvite, 'role' | Field>

/** What they say names nobody who is invited. */
export const groupInviteEvents = defineEvents('groupInvite', {
  created: carries<Created<Told<'expiresAt'> & { byMail: boolean }>>(),
  withdrawn: carries<Deleted<Told<'expiresAt'>>>(),
  /** A code that nobody may answer with: of the user who tried it. */
  refused: carries(),
  declined: carries<Deleted<Told<'groupId'>>>(),
})
