import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { MemberRow } from './members.queries.ts'
import type { ListMembersResponse, MemberResponse } from './members.schemas.ts'

export const presentMember = (member: MemberRow): z.infer<typeof MemberResponse> => ({
  userId: member.userId,
  name: member.name,
  email: member.email,
  role: member.role,
  joinedAt: toInstant(member.joinedAt),
  version: member.version,
})

export const presentMembers = ({
  rows,
  count,
  nextCursor,
}: Listed<MemberRow>): z.infer<typeof ListMembersResponse> => ({
  members: rows.map(presentMember),
  count,
  nextCursor,
})
