export { forgetGroupInvitesOf, groupsToLeave, leaveForGood } from './erasure/erasure.queries.ts'
