import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { ActivityRow } from './activity.queries.ts'
import type { ListActivityResponse } from './activity.schemas.ts'

export const presentActivity = ({
  rows,
  count,
  nextCursor,
}: Listed<ActivityRow>): z.infer<typeof ListActivityResponse> => ({
  activity: rows.map((row) => ({
    id: row.id,
    at: toInstant(row.at),
    actorId: row.actorId,
    actorName: row.actorName,
    action: row.type,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    accountId: row.accountId,
  })),
  count,
  nextCursor,
})
