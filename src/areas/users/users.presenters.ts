import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { AdminUserResponse, ListUsersResponse } from './users.schemas.ts'
import type { AdminUser } from './users.usecases.ts'

export const presentAdminUser = (user: AdminUser): z.infer<typeof AdminUserResponse> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  status: user.status,
  roles: user.roles.map(({ id, name }) => ({ id, name })),
  emailVerified: user.emailVerifiedAt !== null,
  mfaEnabled: user.mfaEnabledAt !== null,
  hasPassword: user.hasPassword,
  lastUsedAt: toInstantOrNull(user.lastUsedAt),
  deletionDueAt: toInstantOrNull(user.deletionDueAt),
  baseCurrency: user.baseCurrency,
  locale: user.locale,
  timeZone: user.timeZone,
  ...presentStamps(user),
})

export const presentUsers = ({
  rows,
  count,
  nextCursor,
}: Listed<AdminUser>): z.infer<typeof ListUsersResponse> => ({
  users: rows.map(presentAdminUser),
  count,
  nextCursor,
})
