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
