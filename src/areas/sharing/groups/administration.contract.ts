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
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { givenRole, groupName, kind, MemberResponse, presentMember } from './groups.contract.ts'
import type { AnyGroupRow } from './groups.queries.ts'
import type { AnyGroup } from './administration.usecases.ts'

export const ListGroupsQuery = z.strictObject(pageQuery())

export const PatchGroupRequest = z
  .strictObject({
    name: groupName.optional(),
    suspended: booleanField(
      'Whether the group is suspended. Nothing is shared through a suspended group.',
      true,
    ).optional(),
  })
  .openapi('PatchGroupRequest')

export const AddGroupMemberRequest = z
  .strictObject({
    userId: idInput('usr', 'User to add to the group.'),
    role: givenRole.default('member'),
  })
  .openapi('AddGroupMemberRequest')

const group = {
  id: id('grp', 'Id of the group.'),
  name: textField('Name of the group.', 'Home'),
  kind,
  ownerId: id('usr', 'Id of the owner.'),
  ownerEmail: textField('E-mail address of the owner.', 'ada@example.com'),
  memberCount: integerField('Number of members, including the owner.', 2),
  accountCount: integerField('Number of accounts that are shared with the group.', 3),
  storageClassId: nullableText('Storage class of new files; null for the default class.'),
  suspendedAt: instant('Time at which the group was suspended.')
    .nullable()
    .openapi({ example: null }),
}

export const ListGroupsResponse = z
  .object({
    groups: z
      .array(z.object({ ...group, createdAt: instant('When it was created.') }))
      .openapi({ description: 'One page of the list, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListGroupsResponse')

export const AdminGroupResponse = z
  .object({
    ...group,
    baseCurrency: currency('Currency of the totals of the group.'),
    members: z.array(MemberResponse).openapi({ description: 'Members of the group.' }),
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
