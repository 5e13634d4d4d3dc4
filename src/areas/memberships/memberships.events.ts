import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { GroupRole } from '../../memberships/memberships.public.ts'

interface Member {
  role: GroupRole
}

/** Of the user that is or was a member, by its id. */
export const groupMemberEvents = defineEvents('groupMember', {
  added: carries<Created<Member>>(),
  /** By an invitation. */
  joined: carries<Created<Member & { inviteId: string }>>(),
  updated: carries<Updated<Member>>(),
  removed: carries<Deleted<Member>>(),
  left: carries<Deleted<Member>>(),
})
