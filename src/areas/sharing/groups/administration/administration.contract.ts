import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  id,
  idInput,
  instant,
  nullableText,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  toInstant,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import { givenRole, groupName, kind } from '../groups.contract.ts'
import { MemberResponse, presentMember } from '../members/members.contract.ts'
import type { AnyGroupRow } from './administration.queries.ts'
import type { AnyGroup } from './administration.usecases.ts'

export const ListGroupsQuery = z.strictObject(pageQuery())

export const PatchGroupRequest = z
  .strictObject({
    name: groupName.optional(),
    suspended: booleanField('Whether nothing is shared through it.', true).optional(),
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
  name: textField('Its name.', 'Home'),
  kind,
  ownerId: id('usr', 'Whose group it is.'),
  ownerEmail: textField('The e-mail address of its owner.', 'ada@example.com'),
  memberCount: integerField('How many are in it, the owner included.', 2),
  accountCount: integerField('How many accounts are shared with it.', 3),
  storageClassId: nullableText('Where its new files go; null for the default class.'),
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

const present = (group: AnyGroupRow) => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  ownerId: group.ownerId,
  ownerEmail: group.ownerEmail,
  memberCount: group.memberCount,
  accountCount: group.accountCount,
  storageClassId: group.storageClassId,
  suspendedAt: toInstantOrNull(group.suspendedAt),
})

export const presentAllGroups = ({
  rows,
  count,
  nextCursor,
}: Listed<AnyGroupRow>): z.infer<typeof ListGroupsResponse> => ({
  groups: rows.map((group) => ({ ...present(group), createdAt: toInstant(group.createdAt) })),
  count,
  nextCursor,
})

export const presentAnyGroup = ({
  group,
  members,
}: AnyGroup): z.infer<typeof AdminGroupResponse> => ({
  ...present(group),
  baseCurrency: group.baseCurrency,
  members: members.map(presentMember),
  ...presentStamps(group),
})
