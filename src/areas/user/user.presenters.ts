import type { z } from '@hono/zod-openapi'
import { toInstantOrNull } from '../../http/fields.ts'
import { presentUser } from '../auth/auth.public.ts'
import type { ProfileResponse } from './user.schemas.ts'
import type { OwnProfile } from './user.usecases.ts'

export const presentProfile = ({
  user,
  deletionDueAt,
}: OwnProfile): z.infer<typeof ProfileResponse> => ({
  ...presentUser(user),
  deletionDueAt: toInstantOrNull(deletionDueAt),
})
