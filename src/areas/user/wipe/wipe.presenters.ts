import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { WipeResponse } from './wipe.schemas.ts'
import type { Wipe } from './wipe.rules.ts'

export const presentWipe = ({ kinds, requestedAt, dueAt }: Wipe): z.infer<typeof WipeResponse> => ({
  kinds,
  requestedAt: toInstant(requestedAt),
  dueAt: toInstant(dueAt),
})
