import type { z } from '@hono/zod-openapi'
import { listEvents } from '../../../src/areas/events/change-feed/change-feed.routes.ts'
import type { EventsResponse } from '../../../src/areas/events/change-feed/change-feed.contract.ts'
import {
  createTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'

export type Events = z.infer<typeof EventsResponse>

/** A client that stores its cursor. */
export interface Follower {
  pull: (limit?: number) => Promise<Events>
  cursor: () => string
}

export async function follow(as: Principal): Promise<Follower> {
  let { cursor } = await ok(listEvents, { as })
  return {
    pull: async (limit = 500) => {
      const found = await ok(listEvents, { as, query: { cursor, limit } })
      cursor = found.cursor
      return found
    },
    cursor: () => cursor,
  }
}

/** What an answer says, in short: the type, the resource, and if it is gone. */
export const told = ({ events }: Events): string[] =>
  events.map(({ type, resourceId, gone }) => `${type} ${resourceId}${gone ? ' gone' : ''}`)

export const book = (
  as: Principal,
  accountId: string,
  more: { private?: boolean; amount?: string; note?: string } = {},
) =>
  ok(createTransaction, {
    as,
    json: { kind: 'expense', accountId, date: '2026-01-05', amount: '1.00', ...more },
  })

export const edit = (as: Principal, id: string, json: Record<string, unknown>) =>
  ok(updateTransaction, { as, id, json })
