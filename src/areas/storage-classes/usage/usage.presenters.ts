import type { z } from '@hono/zod-openapi'
import type { StorageClassUsageResponse } from './usage.schemas.ts'
import type { Usage } from './usage.usecases.ts'

export const presentUsage = (
  usage: Usage & { nextCursor: string | null },
): z.infer<typeof StorageClassUsageResponse> => ({
  storageClassId: usage.storageClassId,
  quotaBytes: usage.quotaBytes,
  bytes: usage.bytes,
  objects: usage.objects,
  holders: usage.rows.map(({ kind, id, bytes, objects }) => ({ kind, id, bytes, objects })),
  count: usage.count,
  nextCursor: usage.nextCursor,
})
