import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { Share } from './sharing.queries.ts'
import type { ListSharesResponse, ShareResponse } from './sharing.schemas.ts'

export const presentShare = (share: Share): z.infer<typeof ShareResponse> => ({
  id: share.id,
  resourceType: 'account',
  resourceId: share.accountId,
  ownerId: share.ownerId,
  granteeUserId: share.granteeUserId,
  groupId: share.groupId,
  email: share.email,
  permission: share.permission,
  writeScope: share.writeScope,
  expiresAt: toInstantOrNull(share.expiresAt),
  includeInTotals: share.includeInTotals,
  state: share.acceptedAt === null && share.groupId === null ? 'pending' : 'accepted',
  ...presentStamps(share),
})

export const presentShares = ({
  rows,
  count,
  nextCursor,
}: Listed<Share>): z.infer<typeof ListSharesResponse> => ({
  shares: rows.map(presentShare),
  count,
  nextCursor,
})
