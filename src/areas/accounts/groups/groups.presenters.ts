import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../../http/fields.ts'
import type { AccountGroupResponse, ListAccountGroupsResponse } from './groups.schemas.ts'
import type { Group } from './groups.queries.ts'

export const presentGroup = (group: Group): z.infer<typeof AccountGroupResponse> => ({
  id: group.id,
  name: group.name,
  order: group.order,
  accountIds: group.accountIds,
  ...presentStamps(group),
})

export const presentGroups = (groups: Group[]): z.infer<typeof ListAccountGroupsResponse> => ({
  accountGroups: groups.map(presentGroup),
  count: groups.length,
})
