import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { StatisticsRow } from './statistics.queries.ts'
import type { StatisticsResponse } from './statistics.schemas.ts'

export const presentStatistics = ({
  booked,
  memberSince,
  ...same
}: StatisticsRow): z.infer<typeof StatisticsResponse> => ({
  ...same,
  memberSince: toInstant(memberSince),
  transactions: booked - same.transfers,
})
