import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { ResetUserPasswordResponse } from './credentials.schemas.ts'
import type { ResetCode } from './credentials.usecases.ts'

export const presentReset = ({
  token,
  expiresAt,
}: ResetCode): z.infer<typeof ResetUserPasswordResponse> => ({
  token,
  expiresAt: toInstant(expiresAt),
})
