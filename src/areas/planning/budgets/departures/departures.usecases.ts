import { addDays, type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import type { DomainEvent } from '../../../../platform/events.ts'
import type { LoggedEvent } from '../../../../platform/reader-rows.ts'
import type { Reaction } from '../../../../platform/readers.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { budgetEvents } from '../budgets.events.ts'
import {
  budgetsLeftBy,
  budgetsLeftOn,
  type LeftBudget,
  markReceiversOn,
} from './departures.queries.ts'

/** Which account it was is its owner's business again, so the event does not name it. */
const told = ({ id, groupId, ownerId }: LeftBudget): DomainEvent =>
  budgetEvents.accountLeft({ id, groupId, ownerId })

/** Tells groups that an account left their budgets as it is not shared with them any more. */
export async function tellDepartures(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const departures = events.flatMap(({ accountId, groupId }) =>
    accountId === null || groupId === null ? [] : [{ accountId, groupId }],
  )
  const [left] = await read(ctx, budgetsLeftBy(ctx.now, departures))
  return { changes: [{ statements: [], events: left.map(told) }] }
}

export const TELL_EXPIRED = 'budgets.tellExpired'

/**
 * Tells groups, every night, that accounts left their budgets as their shares expired on the day before. Nothing else marks the
 * budgets that these accounts were in.
 */
export async function tellExpired(
  ctx: Context,
  { day = dateInZone(ctx.now, 'UTC') }: { day?: CalendarDate | undefined },
  finish: Statement[],
): Promise<void> {
  const yesterday = addDays(day, -1)
  const [left] = await read(ctx, budgetsLeftOn(ctx.now, yesterday))
  await commit(ctx, {
    changes: [{ statements: [...finish, markReceiversOn(yesterday)], events: left.map(told) }],
    result: undefined,
  })
}
