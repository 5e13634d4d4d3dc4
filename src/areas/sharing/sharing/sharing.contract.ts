import { z } from '@hono/zod-openapi'
import {
  count,
  emailInput,
  id,
  idInput,
  instantInput,
  nullableText,
  nextCursor,
  presentStamps,
  stamps,
  toInstantOrNull,
  booleanField,
  textField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { rightOfRank, RIGHTS } from '../../../domain/sharing.ts'
import {
  isConfirmationPending,
  pendingConfirmation,
} from '../../identity/addresses/addresses.public.ts'
import type { NamedShare, Share, Person } from './sharing.queries.ts'
import { resourceOf, SHARED_KINDS, SHARED_RIGHTS, WRITE_SCOPES } from './sharing.rules.ts'

export const ListSharesQuery = z.strictObject(pageQuery())

const resourceType = z
  .enum(SHARED_KINDS)
  .openapi({ description: 'Kind of the shared resource.', example: 'account' })

const permission = z.enum(SHARED_RIGHTS).openapi({
  description:
    'What the receiver may do. Each permission includes those before it. A budget is shared with `view` or `manage`, a file with `view`.',
  example: 'view',
})

const writeScope = z.enum(WRITE_SCOPES).openapi({
  description:
    'Whether a receiver of an account who may write can change all transactions (`all`) or only their own (`own`).',
  example: 'all',
})

const resourceId = idInput(
  'acc',
  'Id of the shared resource: of the account, the budget or the file, as `resourceType` says.',
)

const expiresAt = instantInput('Time at which the share ends; by default never.').nullable()

const userId = idInput('usr', 'User to share with.')

export const ListAllSharesQuery = z.strictObject({
  accountId: idInput('acc', 'Only shares of this account.').optional(),
  ownerId: idInput('usr', 'Only shares of data of this user.').optional(),
  userId: idInput('usr', 'Only shares with this user, not through a group.').optional(),
  groupId: idInput('grp', 'Only shares with this group.').optional(),
  ...pageQuery(),
})

export const ShareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId, permission })
  .openapi('ShareResourceRequest')

export const UnshareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId })
  .openapi('UnshareResourceRequest')

export const CreateShareRequest = z
  .strictObject({
    resourceType: resourceType.default('account'),
    resourceId,
    userId: idInput('usr', 'User to share with. Send either this or `email`.').optional(),
    email: emailInput(
      'E-mail address of the user to share with. Send either this or `userId`.',
      'grace@example.com',
    ).optional(),
    permission: permission.default('view'),
    writeScope: writeScope.default('all'),
    expiresAt: expiresAt.optional(),
  })
  .refine(({ userId, email }) => (userId === undefined) !== (email === undefined), {
    ...must('or email is required, and not both', 'combination'),
    path: ['userId'],
  })
  .openapi('CreateShareRequest', { description: 'Either `userId` or `email` is required.' })

export const UpdateShareRequest = z
  .strictObject({
    permission: permission.optional(),
    writeScope: writeScope.optional(),
    expiresAt: expiresAt.optional(),
  })
  .openapi('UpdateShareRequest')

export const AcceptShareRequest = z
  .strictObject({
    includeInTotals: booleanField(
      'Whether the account counts in the caller’s totals. For a budget or a file it cannot be true.',
      true,
    ).default(false),
  })
  .openapi('AcceptShareRequest')

const shareFields = {
  permission,
  writeScope,
  expiresAt: nullableText(
    'Time at which the share ends; null for never.',
    '2027-11-20T08:30:00.000Z',
  ),
}

export const ShareResponse = z
  .object({
    id: id('shr', 'Id of the share.'),
    resourceType,
    resourceId: id('acc', 'Id of the shared resource.'),
    ownerId: id('usr', 'Owner of the shared resource.'),
    granteeUserId: nullableText(
      'User whom the resource is shared with.',
      'usr_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    groupId: nullableText('Group that an account is shared with.'),
    email: nullableText('Address that the resource is shared with, until the share is accepted.'),
    ...shareFields,
    includeInTotals: booleanField(
      'Whether the account counts in the totals of the receiver. For a budget or a file it is false.',
      false,
    ),
    state: z.enum(['pending', 'accepted']).openapi({
      description: 'State of the share. A share with a group needs no acceptance.',
      example: 'accepted',
    }),
    ...stamps,
  })
  .openapi('ShareResponse')

export const SharesResponse = pageResponse(
  'shares',
  ShareResponse,
  'One page of the list, newest first.',
).openapi('SharesResponse')

const ReceivedShareResponse = ShareResponse.extend({
  resourceName: textField('Name of the account or budget, or the file name.', 'Everyday'),
  ownerName: textField('Name of the owner.', 'Ada'),
}).openapi('ReceivedShareResponse')

export const ReceivedSharesResponse = z
  .object({
    shares: z
      .array(ReceivedShareResponse)
      .openapi({ description: 'One page of the list, newest first.' }),
    count,
    nextCursor,
    pendingConfirmation: pendingConfirmation('shares'),
  })
  .openapi('ReceivedSharesResponse')

export const presentShare = (share: Share): z.infer<typeof ShareResponse> => ({
  id: share.id,
  resourceType: resourceOf(share).kind,
  resourceId: resourceOf(share).id,
  ownerId: share.ownerId,
  granteeUserId: share.granteeUserId,
  groupId: share.groupId,
  email: share.email,
  permission: share.permission,
  writeScope: share.writeScope,
  expiresAt: toInstantOrNull(share.expiresAt),
  includeInTotals: share.includeInTotals,
  state: share.acceptedAt === null && share.groupId === null ? 'pending' : 'accepted',
  ...presentStamps(share),
})

export const presentShares = presentPage('shares', presentShare)

export const presentReceivedShares = (
  { rows, count, nextCursor }: Listed<NamedShare>,
  ctx: SignedIn,
): z.infer<typeof ReceivedSharesResponse> => ({
  shares: rows.map((share) => ({
    ...presentShare(share),
    resourceName: share.resourceName,
    ownerName: share.ownerName,
  })),
  count,
  nextCursor,
  pendingConfirmation: isConfirmationPending(ctx),
})

export const ShareToGroupDTO = z
  .strictObject({
    groupId: idInput('grp', 'Group to share with; null stops sharing.').nullable(),
    permission: permission.default('view'),
  })
  .openapi('ShareToGroupDTO')

const PersonResponse = z.object({
  userId: id('usr', 'User who sees the account.'),
  name: textField('Name of the person.', 'Grace Hopper'),
  source: z.enum(['owner', 'share', 'group']).openapi({
    description:
      'How the person sees the account. A person who sees it in two ways is listed twice.',
    example: 'share',
  }),
  shareId: nullableText('Share through which the person sees the account; null for the owner.'),
  groupId: nullableText('Group through which the person sees the account.'),
  ...shareFields,
  permission: z.enum(RIGHTS).openapi({
    description: 'What the person may do. Viewers of a group can only view.',
    example: 'view',
  }),
})

export const AccountSharesResponse = z
  .object({
    people: z.array(PersonResponse).openapi({
      description:
        'People who see the account. Users who neither own nor manage it see only themselves.',
    }),
    count,
  })
  .openapi('AccountSharesResponse')

export const presentPeople = (people: Person[]): z.infer<typeof AccountSharesResponse> => ({
  people: people.map((person) => ({
    userId: person.userId,
    name: person.name,
    source: person.shareId === null ? 'owner' : person.groupId === null ? 'share' : 'group',
    shareId: person.shareId,
    groupId: person.groupId,
    permission: rightOfRank(person.rank),
    writeScope: person.ownRows ? 'own' : 'all',
    expiresAt: toInstantOrNull(person.expiresAt),
  })),
  count: people.length,
})
