import {
  type GroupRole,
  isAtLeast,
  MOST_MEMBERS,
  type GivenRole,
  neededToGive,
} from '../../identity/memberships/memberships.public.ts'
import { groupErrors } from './groups.errors.ts'

/** The most groups of one owner: each has room for files of its own. */
export const MOST_OWNED = 20

interface Place {
  role: GroupRole
  suspendedAt: number | null
}

/** The caller's place in a group, which may be none. */
export function requireIn<Found extends Place>(place: Found | undefined): Found {
  if (!place) {
    throw groupErrors.notFound()
  }
  return place
}

/** Requires a role that allows the change, in a group that is not suspended. */
export function requireRole<Found extends Place>(
  found: Found | undefined,
  least: GroupRole,
): Found {
  const place = requireIn(found)
  if (!isAtLeast(place.role, least)) {
    throw groupErrors.roleTooLow()
  }
  if (place.suspendedAt !== null) {
    throw groupErrors.suspended()
  }
  return place
}

const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_DAYS = 7
const LONGEST_DAYS = 30
const SHOWN_CHARACTERS = 8

export const usualGroupInviteExpiry = (now: number): number => now + LIFE_DAYS * DAY_MS

export const isGroupInviteExpiry = (instant: number, now: number): boolean =>
  instant > now && instant <= now + LONGEST_DAYS * DAY_MS

/** Days until then, for people. */
export const daysUntil = (instant: number, now: number): number =>
  Math.max(1, Math.floor((instant - now) / DAY_MS))

export const groupCodePrefix = (code: string): string => code.slice(0, SHOWN_CHARACTERS)

/** The most open invitations of one group: no more than there may be members. */
export const MOST_OPEN_INVITES = 50

/** Mails in 15 minutes that one user has sent. */
export const MAILS_BY = 20

/** True if the group can have no further members. */
export const isFull = ({ memberCount }: { memberCount: number }): boolean =>
  memberCount >= MOST_MEMBERS

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
