import { json, operation } from '../../../http/route.ts'
import { openSealedCursor, sealCursor } from '../../../http/sealed-cursors.ts'
import {
  EventsResponse,
  feedCursorIn,
  ListEventsQuery,
  presentEvents,
  sealedFeedCursor,
} from './change-feed.contract.ts'
import * as changeFeed from './change-feed.usecases.ts'

export const listEvents = operation({
  access: 'events.read',
  on: 'GET /event',
  summary: 'List what changed',
  request: { query: ListEventsQuery },
  responses: { 200: json(EventsResponse, 'What changed after the cursor') },
  errors: [409, 410],
  run: async (ctx, { query: { cursor, limit } }) => {
    const from =
      cursor === undefined ? undefined : feedCursorIn(await openSealedCursor(ctx, cursor))
    const { next, ...found } = await changeFeed.listEvents(ctx, { from, limit })
    return { ...found, cursor: await sealCursor(ctx, sealedFeedCursor(next)) }
  },
  present: presentEvents,
})
