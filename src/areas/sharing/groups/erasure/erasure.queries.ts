import { sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { isAddressedToUser } from '../../../identity/addresses/addresses.public.ts'
import { leadNowhere } from '../../../identity/invites/invites.public.ts'
import { deleteSharesWith } from '../../sharing/sharing.public.ts'

/** Groups in one commit. */
const GROUPS_PER_STEP = sql.raw('20')

export const groupsToLeave = (userId: string): Statement<{ id: string }[]> =>
  db.all<{ id: string }>(
    sql`SELECT m.group_id AS id FROM group_members m WHERE m.user_id = ${userId} LIMIT ${GROUPS_PER_STEP}`,
  )

/**
 * Takes somebody who is erased out of groups, with what it shared. Where nobody else is, the group goes, too; where
 * it was the owner, the longest there of the highest role is from now on, who can sign in if anybody can.
 */
export const leaveForGood = (ctx: Context, groupIds: string[], userId: string): Statement[] => {
  const left = sql`(SELECT value FROM json_each(${JSON.stringify(groupIds)}) WHERE NOT EXISTS
    (SELECT 1 FROM group_members m WHERE m.group_id = value AND m.user_id <> ${userId}))`
  const ids = among(groupIds)
  return [
    deleteSharesWith(ids, userId),
    deleteSharesWith(left),
    db.run(sql`DELETE FROM group_invites WHERE group_id IN ${left}`),
    leadNowhere(ctx, left),
    db.run(
      sql`UPDATE attachments SET group_id = NULL, version = version + 1 WHERE group_id IN ${left}`,
    ),
    db.run(sql`DELETE FROM group_members WHERE group_id IN ${ids} AND user_id = ${userId}`),
    db.run(sql`DELETE FROM groups WHERE id IN ${ids}
      AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = groups.id)`),
    db.run(sql`UPDATE group_members SET role = 'owner', version = version + 1
      WHERE group_id IN ${ids}
        AND NOT EXISTS (SELECT 1 FROM group_members o
          WHERE o.group_id = group_members.group_id AND o.role = 'owner')
        AND user_id = (SELECT h.user_id FROM group_members h JOIN users u ON u.id = h.user_id
          WHERE h.group_id = group_members.group_id
          ORDER BY u.status <> 'active', CASE h.role WHEN 'admin' THEN 0 WHEN 'member' THEN 1 ELSE 2 END,
            h.joined_at, h.user_id LIMIT 1)`),
  ]
}

/** What somebody who is erased sent and got; an answered one keeps no name. */
export const forgetGroupInvitesOf = (userId: string): Statement[] => [
  db.run(sql`DELETE FROM group_invites WHERE invited_by = ${userId}`),
  db.run(sql`DELETE FROM group_invites WHERE ${isAddressedToUser('group_invites', userId)}`),
  db.run(sql`UPDATE group_invites SET accepted_by = NULL WHERE accepted_by = ${userId}`),
]
