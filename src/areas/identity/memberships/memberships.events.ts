import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { GroupRole } from './memberships.rules.ts'

interface Member {
  role: GroupRole
}

/** Events of the user who is or was a member, under its id. */
export const groupMemberEvents = defineEvents('groupMember', {
  added: carries<Created<Member>>(),
  /** By an invitation, or by registering with an invite code. */
  joined: carries<Created<Member & { inviteId: string }>>(),
  updated: carries<Updated<Member>>(),
  removed: carries<Deleted<Member>>(),
  left: carries<Deleted<Member>>(),
})
