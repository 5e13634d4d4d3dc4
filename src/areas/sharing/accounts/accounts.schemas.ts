import { z } from '@hono/zod-openapi'
import { RIGHTS } from '../../../domain/sharing.ts'
import { count, id, idInput, maybe, output } from '../../../http/fields.ts'
import { permission, shareFields } from '../sharing.schemas.ts'

export const ShareToGroupDTO = z
  .strictObject({
    groupId: idInput('grp', 'The group; null stops sharing.').nullable(),
    permission: permission.default('view'),
  })
  .openapi('ShareToGroupDTO')

const PersonResponse = z.object({
  userId: id('usr', 'Who sees it.'),
  name: output('Name of the person.', 'Grace Hopper'),
  source: z.enum(['owner', 'share', 'group']).openapi({
    description: 'By what; whoever sees it in two ways is listed twice.',
    example: 'share',
  }),
  shareId: maybe('The share by which it is seen; null for the owner.'),
  groupId: maybe('The group by which it is seen.'),
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
