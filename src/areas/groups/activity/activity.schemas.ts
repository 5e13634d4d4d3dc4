import { z } from '@hono/zod-openapi'
import { count, id, instant, maybe, nextCursor, output } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'

export const ListActivityQuery = z.strictObject(pageQuery())

export const ActivityResponse = z
  .object({
    id: id('log', 'Id of the entry.'),
    at: instant('When.'),
    actorId: maybe('Who did it; null for the service.', 'usr_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    actorName: maybe('The name, while that is a member.', 'Grace'),
    action: output('What was done, `resource.pastTense`.', 'transaction.created'),
    resourceType: output('What it was done to.', 'transaction'),
    resourceId: maybe('Its id; null where it was done to many.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    accountId: maybe('The account that it is booked on.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5'),
  })
  .openapi('ActivityResponse')

export const ListActivityResponse = z
  .object({
    activity: z.array(ActivityResponse).openapi({ description: 'One page, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListActivityResponse')
