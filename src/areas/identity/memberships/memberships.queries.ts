import { type SQL, sql } from 'drizzle-orm'
import type { Context, SignedIn } from '../../../platform/context.ts'
import {
  refuseIf,
  numberOf,
  premise,
  requireChangedOne,
} from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import {
  isUnrestrictedFor,
  type Viewer,
  viewerOf,
  type ViewerParams,
} from '../access/access.public.ts'
import { GROUP_ROLES, type GroupRole, isAtLeast, MOST_MEMBERS } from './memberships.rules.ts'

// The members of groups and their roles. For a personal access token that is restricted to some accounts there are no
// groups.

/** Literals, as they are of this code alone. */
const rolesFrom = (least: GroupRole): SQL =>
  sql.raw(
    GROUP_ROLES.filter((role) => isAtLeast(role, least))
      .map((role) => `'${role}'`)
      .join(', '),
  )

/** True if a row `m` of `group_members` is the viewer's, with at least this role. */
const isOwn = (viewer: Viewer | ViewerParams, least: GroupRole): SQL =>
  sql`m.user_id = ${viewer.userId} AND m.role IN (${rolesFrom(least)}) AND ${isUnrestrictedFor(viewer)}`

/** A subquery of the ids of the groups that the caller is in, with at least this role, suspended ones included. */
export const ownGroupIds = (ctx: SignedIn, least: GroupRole = 'viewer'): SQL =>
  groupIdsOf(viewerOf(ctx), least)

/** Selects the ids of a viewer's groups. */
export const groupIdsOf = (viewer: Viewer | ViewerParams, least: GroupRole = 'viewer'): SQL =>
  sql`SELECT m.group_id FROM group_members m WHERE ${isOwn(viewer, least)}`

/**
 * Selects the ids of the caller's groups without suspended ones: through those nothing is shared, and nothing new is
 * stored in them.
 */
export const activeGroupIds = (ctx: SignedIn, least: GroupRole = 'viewer'): SQL =>
  sql`SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id
    WHERE ${isOwn(viewerOf(ctx), least)} AND g.suspended_at IS NULL`

/** A group as the caller is in it. */
export interface Membership {
  groupId: string
  role: GroupRole
  ownerId: string
  baseCurrency: string
  suspendedAt: number | null
  /** The storage class of its new files; null for the default class. */
  storageClassId: string | null
}

/** The caller's place in a group; no row for whoever is not in it. */
export const membershipIn = (ctx: SignedIn, groupId: string): Statement<Membership[]> =>
  db.all<Membership>(sql`SELECT m.group_id AS groupId, m.role, g.suspended_at AS suspendedAt, g.base_currency AS baseCurrency,
      (SELECT o.user_id FROM group_members o WHERE o.group_id = m.group_id AND o.role = 'owner') AS ownerId,
      g.storage_class_id AS storageClassId
    FROM group_members m JOIN groups g ON g.id = m.group_id
    WHERE m.group_id = ${groupId} AND ${isOwn(viewerOf(ctx), 'viewer')}`)

/** The errors of `mustBeIn`. */
export interface MembershipErrors {
  notIn: Refusal
  roleTooLow: Refusal
  suspended: Refusal
}

/** Refuses unless the caller is in the group, with at least this role, and the group is not suspended. */
export const mustBeIn = (
  ctx: SignedIn,
  groupId: string,
  least: GroupRole,
  { notIn, roleTooLow, suspended }: MembershipErrors,
): Statement =>
  premise(
    db.run(sql`INSERT INTO write_guard (premise)
    SELECT CASE WHEN m.role IS NULL THEN ${numberOf('notIn')}
      WHEN m.role NOT IN (${rolesFrom(least)}) THEN ${numberOf('roleTooLow')}
      ELSE ${numberOf('suspended')} END
    FROM (SELECT 1) LEFT JOIN group_members m ON m.group_id = ${groupId} AND ${isOwn(viewerOf(ctx), 'viewer')}
      LEFT JOIN groups g ON g.id = m.group_id
    WHERE m.role IS NULL OR m.role NOT IN (${rolesFrom(least)}) OR g.suspended_at IS NOT NULL`),
    { notIn, roleTooLow, suspended },
  )

/**
 * True if a user may invite into a group with a role: the owner with any, an administrator below its own. Disabled
 * users may invite nobody.
 */
export const mayInvite = (userId: SQL, groupId: SQL, role: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM group_members i JOIN groups g ON g.id = i.group_id
      JOIN users inviter ON inviter.id = i.user_id
    WHERE i.group_id = ${groupId} AND i.user_id = ${userId} AND g.suspended_at IS NULL AND inviter.status = 'active'
      AND (i.role = 'owner' OR (i.role = 'admin' AND ${role} <> 'admin')))`

const countOfMembers = (groupId: SQL): SQL =>
  sql`(SELECT count(*) FROM group_members n WHERE n.group_id = ${groupId})`

/** Refuses when the group has as many members as it may have. It belongs in front of `insertMember`. */
export const mustHaveRoomInGroup = (groupId: string, full: Refusal): Statement =>
  refuseIf(sql`${countOfMembers(sql`${groupId}`)} >= ${sql.raw(String(MOST_MEMBERS))}`, full)

export const insertMember = (
  ctx: Context,
  { groupId, userId, role }: { groupId: string; userId: string; role: GroupRole },
): Statement =>
  db.run(sql`INSERT INTO group_members (group_id, user_id, role, joined_at)
    VALUES (${groupId}, ${userId}, ${role}, ${ctx.now})`)

/** True if a row `c` of `invite_codes` admits into a group now. */
const leadsIntoGroup = (codeHash: string): SQL =>
  sql`c.code_hash = ${codeHash} AND c.group_id IS NOT NULL
    AND ${mayInvite(sql`c.issued_by`, sql`c.group_id`, sql`c.group_role`)}
    AND ${countOfMembers(sql`c.group_id`)} < ${sql.raw(String(MOST_MEMBERS))}`

export interface GroupOfCode {
  inviteId: string
  groupId: string
  role: GroupRole
}

/**
 * The group that an invite code lets into. No row where the group is gone, suspended or full, or whoever issued the code
 * could not invite into it any more.
 */
export const groupOfCode = (codeHash: string) =>
  db.all<GroupOfCode>(sql`SELECT c.id AS inviteId, c.group_id AS groupId, c.group_role AS role
    FROM invite_codes c WHERE ${leadsIntoGroup(codeHash)}`)

/** Lets somebody who has just registered into the group of the invite code. Refuses where it leads into none any more. */
export const joinByCode = (
  ctx: Context,
  codeHash: string,
  { groupId, userId, role }: { groupId: string; userId: string; role: GroupRole },
): Statement[] => [
  db.run(sql`INSERT INTO group_members (group_id, user_id, role, joined_at)
    SELECT c.group_id, ${userId}, c.group_role, ${ctx.now} FROM invite_codes c
    WHERE ${leadsIntoGroup(codeHash)} AND c.group_id = ${groupId} AND c.group_role = ${role}`),
  requireChangedOne(changedMeanwhile),
]
