import {
  type GivenRole,
  type GroupRole,
  isAtLeast,
  neededToGive,
} from '../../../identity/memberships/memberships.public.ts'
import { groupErrors } from '../groups.errors.ts'

/**
 * The role that it takes to give a member another role, or to remove it: administrators are the owner's to make
 * and to unmake. Refuses a caller who has less, and the owner, who is handed over only.
 */
export function requireCommand(
  caller: GroupRole,
  member: GroupRole,
  given?: GivenRole,
): 'owner' | 'admin' {
  if (member === 'owner') {
    throw caller === 'owner' ? groupErrors.ownerStays() : groupErrors.roleTooLow()
  }
  const isForOwner = [member, given].some((role) => role && neededToGive(role) === 'owner')
  const needed = isForOwner ? 'owner' : 'admin'
  if (!isAtLeast(caller, needed)) {
    throw groupErrors.roleTooLow()
  }
  return needed
}
