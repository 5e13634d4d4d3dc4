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
  countOfLog,
  instant,
  nextCursor,
  toInstant,
  idInPath,
  idInput,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage, type Listed } from '../../../http/pagination.ts'
import { GROUP_ROLES } from '../../identity/memberships/memberships.public.ts'
import { presentAccountSums, type RollUp, sums } from '../../money/accounts/accounts.public.ts'
import type { GroupRow, ActivityRow } from './groups.queries.ts'
import type { MemberRow } from './members.queries.ts'

export const GROUP_KINDS = ['household', 'trip', 'project', 'other'] as const

export const kind = z
  .enum(GROUP_KINDS)
  .openapi({ description: 'Purpose of the group.', example: 'household' })

export const groupName = nameInput(100, 'Name of the group.', 'Home')
const baseCurrency = currencyInput('Currency of the totals of the group.')

/** The roles that can be given to a member. */
export const givenRole = z
  .enum(['admin', 'member', 'viewer'])
  .openapi({ description: 'Role of the member in the group.', example: 'member' })

const anyRole = z
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

export const GroupSummaryQuery = z.strictObject({
  currency: currencyInput(
    'Currency to convert all balances into instead of the group’s currency, for display only.',
  ).optional(),
})

export const GroupSummaryResponse = z
  .object({ ...sums, accountCount: integerField('Number of open accounts in the sums.', 3) })
  .openapi('GroupSummaryResponse')

export const presentGroupSummary = (summary: RollUp): z.infer<typeof GroupSummaryResponse> => ({
  ...presentAccountSums(summary),
  accountCount: summary.accounts.length,
})

export const ListActivityQuery = z.strictObject(pageQuery())

export const ActivityResponse = z
  .object({
    id: id('log', 'Id of the entry.'),
    at: instant('Time of the action.'),
    actorId: nullableText(
      'User who did it; null for the service.',
      'usr_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    actorName: nullableText('Name of that user, while they are a member.', 'Grace'),
    action: textField('Action, as `resource.pastTense`.', 'transaction.created'),
    resourceType: textField('Kind of the affected resource.', 'transaction'),
    resourceId: nullableText(
      'Id of the affected resource; null if there are several.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
    ),
    accountId: nullableText('Account that it is booked on.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5'),
  })
  .openapi('ActivityResponse')

export const ListActivityResponse = z
  .object({
    activity: z
      .array(ActivityResponse)
      .openapi({ description: 'One page of the list, newest first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('ListActivityResponse')

export const presentActivity = ({
  rows,
  count,
  nextCursor,
}: Listed<ActivityRow>): z.infer<typeof ListActivityResponse> => ({
  activity: rows.map((row) => ({
    id: row.id,
    at: toInstant(row.at),
    actorId: row.actorId,
    actorName: row.actorName,
    action: row.type,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    accountId: row.accountId,
  })),
  count,
  nextCursor,
})

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
