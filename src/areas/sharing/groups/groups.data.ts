import { and, eq, gt } from 'drizzle-orm'
import { groupInvites, groupMembers, groups } from '../../../../drizzle/schema/groups.ts'
import { toInstant } from '../../../domain/calendar.ts'
import { byId, stored } from '../../../platform/owned-data/exports.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db } from '../../../platform/database/statements.ts'
import { forgetGroupInvitesOf, groupsToLeave, leaveForGood } from './groups.queries.ts'

const pageOfMemberships = (userId: string, { after, limit }: PageRequest) =>
  db
    .select({
      id: groups.id,
      name: groups.name,
      kind: groups.kind,
      baseCurrency: groups.baseCurrency,
      role: groupMembers.role,
      joinedAt: groupMembers.joinedAt,
    })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, userId), gt(groupMembers.groupId, after?.[0] ?? '')))
    .orderBy(groupMembers.groupId)
    .limit(limit + 1)

export const groupData: OwnedData = {
  area: 'groups',
  tables: [groups, groupMembers, groupInvites],
  erase: [
    {
      // Somebody else owns them from then on, unless nobody else is in them.
      name: 'groups',
      find: ({ ownerId }) => groupsToLeave(ownerId),
      erase: (ids, { ownerId }, ctx) => leaveForGood(ctx, ids, ownerId),
    },
  ],
  forget: (_, userId) => forgetGroupInvitesOf(userId),
  exports: [
    stored(
      'groups',
      pageOfMemberships,
      ({ joinedAt, ...group }) => ({ ...group, joinedAt: toInstant(joinedAt) }),
      byId,
    ),
  ],
}
