import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  currencyInput,
  id,
  nullableText,
  nameInput,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { GROUP_ROLES } from '../../identity/memberships/memberships.public.ts'
import type { GroupRow } from './groups.queries.ts'

export const GROUP_KINDS = ['household', 'trip', 'project', 'other'] as const

export const kind = z
  .enum(GROUP_KINDS)
  .openapi({ description: 'What brings its members together.', example: 'household' })

export const groupName = nameInput(100, 'Its name.', 'Home')
const baseCurrency = currencyInput('The currency that its totals are rolled up into.')

/** What can be given to somebody. */
export const givenRole = z
  .enum(['admin', 'member', 'viewer'])
  .openapi({ description: 'What the member may do.', example: 'member' })

export const anyRole = z
  .enum(GROUP_ROLES)
  .openapi({ description: 'What the member may do.', example: 'member' })

export const ListOwnGroupsQuery = z.strictObject(pageQuery())

export const CreateGroupRequest = z
  .strictObject({
    name: groupName,
    kind: kind.default('household'),
    baseCurrency: baseCurrency
      .optional()
      .openapi({ description: 'The own base currency where it is left out.' }),
  })
  .openapi('CreateGroupRequest')

export const UpdateGroupRequest = z
  .strictObject({
    name: groupName.optional(),
    kind: kind.optional(),
    baseCurrency: baseCurrency.optional(),
  })
  .openapi('UpdateGroupRequest')

export const GroupResponse = z
  .object({
    id: id('grp', 'Id of the group.'),
    name: textField('Its name.', 'Home'),
    kind,
    baseCurrency: currency('The currency that its totals are rolled up into.'),
    ownerId: id('usr', 'Whose group it is.'),
    memberCount: integerField('How many are in it, the owner included.', 2),
    role: anyRole.openapi({ description: 'The role of the caller.' }),
    suspended: booleanField(
      'Whether an administrator has suspended it: nothing is shared through it.',
      false,
    ),
    storageClassId: nullableText('Where its new files go; null for the default class.'),
    ...stamps,
  })
  .openapi('GroupResponse')

export const ListOwnGroupsResponse = z
  .object({
    groups: z.array(GroupResponse).openapi({ description: 'One page, in order of creation.' }),
    count,
    nextCursor,
  })
  .openapi('ListOwnGroupsResponse')

export const presentGroup = (group: GroupRow): z.infer<typeof GroupResponse> => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  baseCurrency: group.baseCurrency,
  ownerId: group.ownerId,
  memberCount: group.memberCount,
  role: group.role,
  suspended: group.suspendedAt !== null,
  storageClassId: group.storageClassId,
  ...presentStamps(group),
})

export const presentGroups = ({
  rows,
  count,
  nextCursor,
}: Listed<GroupRow>): z.infer<typeof ListOwnGroupsResponse> => ({
  groups: rows.map(presentGroup),
  count,
  nextCursor,
})
