import type { z } from '@hono/zod-openapi'
import type { Listed } from '../../../http/pagination.ts'
import type { AdminUser } from '../users.usecases.ts'
import type { ListRoleUsersResponse } from './grants.schemas.ts'

export const presentHolders = ({
  rows,
  count,
  nextCursor,
}: Listed<AdminUser>): z.infer<typeof ListRoleUsersResponse> => ({
  users: rows.map(({ id, email, name, status }) => ({ id, email, name, status })),
  count,
  nextCursor,
})
