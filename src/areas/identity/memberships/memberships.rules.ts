/** The roles in a group, the most powerful first; docs/guides/groups.md has the table. */
export const GROUP_ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type GroupRole = (typeof GROUP_ROLES)[number]
/** The roles that can be given to somebody: there is one owner always, and only the owner hands that over. */
export type GivenRole = Exclude<GroupRole, 'owner'>

export const isAtLeast = (role: GroupRole, least: GroupRole): boolean =>
  GROUP_ROLES.indexOf(role) <= GROUP_ROLES.indexOf(least)

/** The role that it takes to give somebody a role, to take it away, or to invite into it. */
export const neededToGive = (role: GivenRole): 'owner' | 'admin' =>
  role === 'admin' ? 'owner' : 'admin'

/** A list of members is read and shown as a whole, and each of them is asked about at every access. */
export const MOST_MEMBERS = 50
