import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  id,
  idInput,
  instant,
  maybe,
  nextCursor,
  output,
  stamps,
  whole,
  yes,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { givenRole, groupName, kind } from '../groups.schemas.ts'
import { MemberResponse } from '../members/members.schemas.ts'

export const ListGroupsQuery = z.strictObject(pageQuery())

export const PatchGroupRequest = z
  .strictObject({
    name: groupName.optional(),
    suspended: yes('Whether nothing is shared through it.', true).optional(),
  })
  .openapi('PatchGroupRequest')

export const AddGroupMemberRequest = z
  .strictObject({
    userId: idInput('usr', 'Who joins.'),
    role: givenRole.default('member'),
  })
  .openapi('AddGroupMemberRequest')

const group = {
  id: id('grp', 'Id of the group.'),
  name: output('Its name.', 'Home'),
  kind,
  ownerId: id('usr', 'Whose group it is.'),
  ownerEmail: output('The e-mail address of its owner.', 'ada@example.com'),
  memberCount: whole('How many are in it, the owner included.', 2),
  accountCount: whole('How many accounts are shared with it.', 3),
  storageClassId: maybe('Where its new files go; null for the default class.'),
  suspendedAt: instant('Since when nothing is shared through it.')
    .nullable()
    .openapi({ example: null }),
}

export const ListGroupsResponse = z
  .object({
    groups: z
      .array(z.object({ ...group, createdAt: instant('When it was created.') }))
      .openapi({ description: 'One page, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListGroupsResponse')

export const AdminGroupResponse = z
  .object({
    ...group,
    baseCurrency: currency('The currency that its totals are rolled up into.'),
    members: z.array(MemberResponse).openapi({ description: 'Who is in it.' }),
    ...stamps,
  })
  .openapi('AdminGroupResponse')
