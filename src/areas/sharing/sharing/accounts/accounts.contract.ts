import { z } from '@hono/zod-openapi'
import { rightOfRank, RIGHTS } from '../../../../domain/sharing.ts'
import {
  count,
  id,
  idInput,
  nullableText,
  textField,
  toInstantOrNull,
} from '../../../../http/fields.ts'
import { permission, shareFields } from '../sharing.contract.ts'
import type { Person } from './accounts.queries.ts'

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
