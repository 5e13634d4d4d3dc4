import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { AvatarRow } from './avatar.queries.ts'
import type { AvatarResponse } from './avatar.schemas.ts'

export const presentAvatar = (row: AvatarRow): z.infer<typeof AvatarResponse> => ({
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  version: row.version,
  updatedAt: toInstant(row.updatedAt),
})
