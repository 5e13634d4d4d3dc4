import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstant, toInstantOrNull } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import { presentMember } from '../members/members.presenters.ts'
import type { AnyGroupRow } from './administration.queries.ts'
import type { AdminGroupResponse, ListGroupsResponse } from './administration.schemas.ts'
import type { AnyGroup } from './administration.usecases.ts'

const present = (group: AnyGroupRow) => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  ownerId: group.ownerId,
  ownerEmail: group.ownerEmail,
  memberCount: group.memberCount,
  accountCount: group.accountCount,
  storageClassId: group.storageClassId,
  suspendedAt: toInstantOrNull(group.suspendedAt),
})

export const presentAllGroups = ({
  rows,
  count,
  nextCursor,
}: Listed<AnyGroupRow>): z.infer<typeof ListGroupsResponse> => ({
  groups: rows.map((group) => ({ ...present(group), createdAt: toInstant(group.createdAt) })),
  count,
  nextCursor,
})

export const presentAnyGroup = ({
  group,
  members,
}: AnyGroup): z.infer<typeof AdminGroupResponse> => ({
  ...present(group),
  baseCurrency: group.baseCurrency,
  members: members.map(presentMember),
  ...presentStamps(group),
})
