import { type GroupRole, isAtLeast } from '../../identity/memberships/memberships.public.ts'
import { groupErrors } from './groups.errors.ts'

/** How many groups one owns at most: each has room for files of its own. */
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

/** Of a change: with a role that allows it, in a group that is not suspended. */
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
