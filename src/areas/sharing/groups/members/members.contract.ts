import { z } from '@hono/zod-openapi'
import {
  id,
  idInPath,
  idInput,
  instant,
  textField,
  toInstant,
  integerField,
} from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { anyRole, givenRole } from '../groups.contract.ts'
import type { MemberRow } from './members.queries.ts'

export const memberParams = z.object({
  id: idInPath('grp', 'Id of the group.'),
  userId: idInPath('usr', 'Id of the user.'),
})

export const ListMembersQuery = z.strictObject(pageQuery())

export const UpdateMemberRequest = z
  .strictObject({ role: givenRole })
  .openapi('UpdateMemberRequest')

export const TransferGroupRequest = z
  .strictObject({ userId: idInput('usr', 'Member who becomes the owner.') })
  .openapi('TransferGroupRequest')

export const MemberResponse = z
  .object({
    userId: id('usr', 'Id of the user.'),
    name: textField('The name.', 'Grace'),
    email: textField('The e-mail address.', 'grace@example.com'),
    role: anyRole,
    joinedAt: instant('Time at which the user joined.'),
    version: integerField('Version number, raised by one with every change. See If-Match.', 1),
  })
  .openapi('MemberResponse')

export const ListMembersResponse = pageResponse(
  'members',
  MemberResponse,
  'One page of the list, longest membership first.',
).openapi('ListMembersResponse')

export const presentMember = (member: MemberRow): z.infer<typeof MemberResponse> => ({
  userId: member.userId,
  name: member.name,
  email: member.email,
  role: member.role,
  joinedAt: toInstant(member.joinedAt),
  version: member.version,
})

export const presentMembers = presentPage('members', presentMember)
