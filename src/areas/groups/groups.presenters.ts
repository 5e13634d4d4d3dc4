import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { GroupRow } from './groups.queries.ts'
import type { GroupResponse, ListOwnGroupsResponse } from './groups.schemas.ts'

export const presentGroup = (group: GroupRow): z.infer<typeof GroupResponse> => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  baseCurrency: group.baseCurrency,
  ownerId: group.ownerId,
  memberCount: group.memberCount,
  role: group.role,
  suspended: group.suspendedAt !== null,
  storageClassId: group.storageClassId,
  ...presentStamps(group),
})

export const presentGroups = ({
  rows,
  count,
  nextCursor,
}: Listed<GroupRow>): z.infer<typeof ListOwnGroupsResponse> => ({
  groups: rows.map(presentGroup),
  count,
  nextCursor,
})
