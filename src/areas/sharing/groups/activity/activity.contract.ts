import { z } from '@hono/zod-openapi'
import {
  countOfLog,
  id,
  instant,
  nullableText,
  nextCursor,
  textField,
  toInstant,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import type { ActivityRow } from './activity.queries.ts'

export const ListActivityQuery = z.strictObject(pageQuery())

export const ActivityResponse = z
  .object({
    id: id('log', 'Id of the entry.'),
    at: instant('When.'),
    actorId: nullableText('Who did it; null for the service.', 'usr_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    actorName: nullableText('The name, while that is a member.', 'Grace'),
    action: textField('What was done, `resource.pastTense`.', 'transaction.created'),
    resourceType: textField('What it was done to.', 'transaction'),
    resourceId: nullableText(
      'Its id; null where it was done to many.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
    ),
    accountId: nullableText('The account that it is booked on.', 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5'),
  })
  .openapi('ActivityResponse')

export const ListActivityResponse = z
  .object({
    activity: z.array(ActivityResponse).openapi({ description: 'One page, newest first.' }),
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
