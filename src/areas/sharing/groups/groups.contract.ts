import { z } from '@hono/zod-openapi'
import {
  currency,
  currencyInput,
  id,
  nullableText,
  nameInput,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { GROUP_ROLES } from '../../identity/memberships/memberships.public.ts'
import type { GroupRow } from './groups.queries.ts'

export const GROUP_KINDS = ['household', 'trip', 'project', 'other'] as const

export const kind = z
  .enum(GROUP_KINDS)
  .openapi({ description: 'Purpose of the group.', example: 'household' })

export const groupName = nameInput(100, 'Name of the group.', 'Home')
const baseCurrency = currencyInput('Currency of the totals of the group.')

/** What can be given to somebody. */
export const givenRole = z
  .enum(['admin', 'member', 'viewer'])
  .openapi({ description: 'Role of the member in the group.', example: 'member' })

export const anyRole = z
  .enum(GROUP_ROLES)
  .openapi({ description: 'Role of the member in the group.', example: 'member' })

export const ListOwnGroupsQuery = z.strictObject(pageQuery())

export const CreateGroupRequest = z
  .strictObject({
    name: groupName,
    kind: kind.default('household'),
    baseCurrency: baseCurrency.optional().openapi({
      description: 'Currency of the totals of the group; by default the caller’s base currency.',
    }),
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
    name: textField('Name of the group.', 'Home'),
    kind,
    baseCurrency: currency('Currency of the totals of the group.'),
    ownerId: id('usr', 'Id of the owner.'),
    memberCount: integerField('Number of members, including the owner.', 2),
    role: anyRole.openapi({ description: 'Role of the caller in the group.' }),
    suspended: booleanField(
      'Whether an administrator has suspended the group. Nothing is shared through a suspended group.',
      false,
    ),
    storageClassId: nullableText('Storage class of new files; null for the default class.'),
    ...stamps,
  })
  .openapi('GroupResponse')

export const OwnGroupsResponse = pageResponse(
  'groups',
  GroupResponse,
  'One page of the list, in order of creation.',
).openapi('OwnGroupsResponse')

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

export const presentGroups = presentPage('groups', presentGroup)
