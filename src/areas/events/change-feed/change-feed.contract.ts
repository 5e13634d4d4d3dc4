import { z } from '@hono/zod-openapi'
import { exampleId } from '../../../domain/ids.ts'
import {
  booleanField,
  id,
  instant,
  integerField,
  nullableText,
  textField,
  toInstant,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { SealedCursor } from '../../../http/sealed-cursors.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../money/transaction-views/transaction-views.public.ts'
import type { FeedCursor, FeedEntry } from './change-feed.rules.ts'
import type { Feed } from './change-feed.usecases.ts'

const SEALED = 'q8Yx0dTn2bWc4RkA…'

export const ListEventsQuery = z.strictObject({
  limit: pageQuery(1000, 500).limit.openapi({
    description:
      'Maximum number of events. A page ends early once its transactions exceed one mebibyte.',
  }),
  cursor: z.string().max(6000).optional().openapi({
    description:
      '`cursor` of the previous answer. Without it, the answer has only a cursor for now.',
    example: SEALED,
  }),
})

const EventResponse = z
  .object({
    id: id('evt', 'Id of the event.'),
    type: textField('Type of the event.', 'transaction.updated'),
    at: instant('Time of the change.'),
    actorId: nullableText('User who made the change; null for the service.', exampleId('usr')),
    resourceType: textField('Kind of resource.', 'transaction'),
    resourceId: nullableText('The resource; null if there is no single one.', exampleId('txn')),
    accountId: nullableText('Account that it is, or is booked on.', exampleId('acc')),
    version: integerField('Version of the resource after the change.', 4)
      .nullable()
      .openapi({ description: 'Version of the resource after the change; null if it has none.' }),
    gone: booleanField(
      'Whether the caller no longer sees the resource on that account. Forget it if the copy is on that account.',
      false,
    ),
  })
  .openapi('EventResponse')

export const EventsResponse = z
  .object({
    cursor: textField('Cursor for the next request. Store it together with what changed.', SEALED),
    hasMore: booleanField('Whether there are more events. Ask again at once.', false),
    accountIds: z.array(id('acc', 'Account.')).openapi({
      description:
        'All accounts that the caller sees now. Forget all others, with what is on them.',
    }),
    fresh: z.array(id('acc', 'Account.')).openapi({
      description:
        'Those that are new to the cursor, or seen with another right. Read them in full, with their transactions.',
    }),
    events: z
      .array(EventResponse)
      .openapi({ description: 'The newest event of each resource on each account.' }),
    transactions: z.array(TransactionResponse).openapi({
      description: 'The transactions of the events, as far as the caller sees them now.',
    }),
  })
  .openapi('EventsResponse')

const presentEvent = (entry: FeedEntry): z.infer<typeof EventResponse> => ({
  id: entry.id.replace(/^log_/, 'evt_'),
  type: entry.type,
  at: toInstant(entry.at),
  actorId: entry.actorId,
  resourceType: entry.resourceType,
  resourceId: entry.resourceId,
  accountId: entry.accountId,
  version: entry.version,
  gone: entry.gone,
})

export const presentEvents = (
  { entries, rows, ...feed }: Omit<Feed, 'next'> & { cursor: string },
  ctx: SignedIn,
): z.infer<typeof EventsResponse> => ({
  ...feed,
  events: entries.map(presentEvent),
  transactions: rows.map((row) => presentTransaction(row, ctx)),
})

/** The place in the log of a cursor that the service has sealed. */
export const feedCursorIn = ({ fields, hashes }: SealedCursor): FeedCursor => {
  const { begun, ...rest } = fields as unknown as Omit<FeedCursor, 'known' | 'begun'> & {
    begun: number
  }
  const end = hashes.length - begun
  return { ...rest, known: hashes.slice(0, end), begun: hashes.slice(end) }
}

export const sealedFeedCursor = ({ known, begun, ...rest }: FeedCursor): SealedCursor => ({
  fields: { ...rest, begun: begun.length },
  hashes: [...known, ...begun],
})
