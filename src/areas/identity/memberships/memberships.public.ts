export { groupMemberEvents } from './memberships.events.ts'
export {
  activeGroupIds,
  groupIdsOf,
  type GroupOfCode,
  groupOfCode,
  insertMember,
  joinByCode,
  mayInvite,
  type Membership,
  type MembershipErrors,
  membershipIn,
  mustBeIn,
  mustHaveRoomInGroup,
  ownGroupIds,
} from './memberships.queries.ts'
export {
  type GivenRole,
  GROUP_ROLES,
  type GroupRole,
  isAtLeast,
  MOST_MEMBERS,
  neededToGive,
} from './memberships.rules.ts'
