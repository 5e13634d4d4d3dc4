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
    groupId: idInput('grp', 'The group; null stops sharing.').nullable(),
    permission: permission.default('view'),
  })
  .openapi('ShareToGroupDTO')

const PersonResponse = z.object({
  userId: id('usr', 'Who sees it.'),
  name: textField('Name of the person.', 'Grace Hopper'),
  source: z.enum(['owner', 'share', 'group']).openapi({
    description: 'By what; whoever sees it in two ways is listed twice.',
    example: 'share',
  }),
  shareId: nullableText('The share by which it is seen; null for the owner.'),
  groupId: nullableText('The group by which it is seen.'),
  ...shareFields,
  permission: z.enum(RIGHTS).openapi({
    description: 'What the person may do; viewers of a group only view.',
    example: 'view',
  }),
})

export const AccountSharesResponse = z
  .object({
    people: z.array(PersonResponse).openapi({
      description: 'Who sees the account: all for its owner and managers, else only the caller.',
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
