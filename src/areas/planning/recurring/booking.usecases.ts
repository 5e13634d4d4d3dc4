import type { CalendarDate } from '../../../domain/calendar.ts'
import { AppError, checkAll } from '../../../domain/errors.ts'
import { type Context, freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { read } from '../../../platform/database/database.ts'
import { forbidden } from '../../../platform/database/refusals.ts'
import {
  insertNotifications,
  type NewNotification,
  type NotificationKind,
} from '../../identity/notifications/notifications.public.ts'
import {
  type Creation,
  outcomeOf,
  record,
  type Recorded,
} from '../../money/transactions/transactions.public.ts'
import {
  changesWith,
  type DatedOccurrence,
  isBooked,
  type OccurrenceView,
  noSuchOccurrence,
  viewNamed,
} from './occurrences/occurrences.rules.ts'
import { mustBeUnchanged } from './linking/candidates.queries.ts'
import { recurringEvents } from './recurring.events.ts'
import { isOneOf, itemFinders, mustBeOpen, saveOccurrences } from './recurring.queries.ts'
import {
  draftOf,
  itemsFrom,
  type RecurringItem,
  type StoredOccurrence,
  transactionWith,
} from './recurring.rules.ts'
import { recurringErrors } from './recurring.errors.ts'

/** An occurrence, or a template without one, that is to be booked. */
export type ToBook =
  | DatedOccurrence
  | (Pick<DatedOccurrence, 'item' | 'date' | 'changes'> & { nominalDate: null })

interface Booking extends Pick<
  Parameters<typeof record>[2],
  'force' | 'dryRun' | 'list' | 'leavesOut'
> {
  /** Further changes of the commit. */
  others?: Change[]
}

/** Books occurrences, each with what was changed for it alone, and keeps what became of them. */
export const bookOccurrences = (
  ctx: SignedIn,
  wanted: ToBook[],
  { others = [], dryRun = false, ...options }: Booking,
): Promise<Creation> =>
  record(
    ctx,
    wanted.map(({ item, nominalDate, date, changes }) => ({
      ...draftOf(transactionWith(item.transaction, changes), date),
      id: freshId(ctx, item.transaction.kind === 'transfer' ? 'trf' : 'txn'),
      ...{ source: 'recurring', recurringId: item.id, recurringDate: nominalDate ?? undefined },
    })),
    {
      ...{ ...options, dryRun, premises: [mustBeOpen(wanted)] },
      also: (decided) => [...others, outcomesOf(ctx, wanted, decided)],
    },
    (recorded) => ({ results: recorded.map((one) => outcomeOf(one, dryRun)), dryRun }),
  )

/** Keeps which occurrences were booked, and which were missed and why. */
export function outcomesOf(
  ctx: SignedIn,
  wanted: ToBook[],
  decided: (Recorded | AppError)[],
): Change {
  const outcomes = wanted.flatMap((one, at) =>
    one.nominalDate === null ? [] : [{ one, outcome: decided[at] }],
  )
  return {
    statements: [
      saveOccurrences(
        outcomes.map(({ one, outcome }) =>
          storedWith(
            ctx,
            one,
            outcome instanceof AppError
              ? { state: 'missed', reason: outcome.code }
              : { state: 'booked', reason: null, expectedMinor: one.expected.amountMinor },
          ),
        ),
      ),
      ...notify(
        outcomes.flatMap(({ one, outcome }) =>
          outcome instanceof AppError ? [notificationOf(ctx, 'recurring.missed', one)] : [],
        ),
      ),
    ],
    events: outcomes.map(({ one: { item, nominalDate }, outcome }) =>
      outcome instanceof AppError
        ? recurringEvents.missed(thingOf(item), { nominalDate, reason: outcome.code })
        : recurringEvents.settled(thingOf(item), {
            nominalDate,
            transactionIds: outcome && 'made' in outcome ? [outcome.made.header.id] : [],
          }),
    ),
  }
}

/** What is stored of an occurrence, with what became of it. */
export const storedWith = (
  { now }: Context,
  {
    item,
    nominalDate,
    known,
  }: Pick<OccurrenceView, 'item' | 'nominalDate'> & Partial<OccurrenceView>,
  outcome: Partial<StoredOccurrence>,
): StoredOccurrence => ({
  ...{ date: null, changes: null, state: null, reason: null, expectedMinor: null, told: false },
  ...known,
  ...{ recurringId: item.id, ownerId: item.ownerId, nominalDate, updatedAt: now },
  ...outcome,
})

/** The item as the thing that an event is about. */
export const thingOf = ({ id, ownerId, version }: RecurringItem) => ({ id, ownerId, version })

export const notify = (all: NewNotification[]): Statement[] =>
  all.length === 0 ? [] : [insertNotifications(all)]

export const notificationOf = (
  ctx: Context,
  kind: NotificationKind,
  { item, nominalDate }: { item: RecurringItem; nominalDate: CalendarDate },
  facts: NewNotification['facts'] = {},
): NewNotification => ({
  id: freshId(ctx, 'ntf'),
  userId: item.ownerId,
  kind,
  ...{ resourceType: 'recurring', resourceId: item.id },
  facts: { nominalDate, ...facts },
  groupKey: `${kind} ${item.id}`,
  createdAt: ctx.now,
})

/** An occurrence that is to be booked, or a template without one. */
interface WantedPosting {
  recurringId: string
  nominalDate?: CalendarDate | undefined
  changes?: Record<string, unknown> | undefined
}

interface Posting {
  items: WantedPosting[]
  force?: boolean | undefined
  dryRun: boolean
}

/** Books occurrences, and templates: all of them, or none. */
export async function postOccurrences(
  ctx: SignedIn,
  { items: wanted, force, dryRun }: Posting,
): Promise<Creation> {
  const ids = [...new Set(wanted.map(({ recurringId }) => recurringId))]
  const found = itemsFrom(ctx, await read(ctx, ...itemFinders(ctx, isOneOf(ids))))
  const items = new Map(found.map((item) => [item.id, item]))
  const toBook = checkAll(
    ...wanted.map((one, at) => () => {
      const place = `items.${at}`
      if (one.nominalDate !== undefined && wanted.findIndex(isSameAs(one)) < at) {
        throw recurringErrors.settled({ field: `${place}.nominalDate` })
      }
      return toPost(items.get(one.recurringId), one, place)
    }),
  )
  requireBookings(ctx, toBook)
  return bookOccurrences(ctx, toBook, {
    ...{ force, dryRun, list: 'items' },
    others: [withoutEvents([mustBeUnchanged(found)])],
  })
}

const isSameAs = (one: WantedPosting) => (other: WantedPosting) =>
  other.recurringId === one.recurringId && other.nominalDate === one.nominalDate

/** @param place the field of the request */
function toPost(
  item: RecurringItem | undefined,
  { nominalDate, changes = {} }: WantedPosting,
  place: string,
): ToBook {
  if (!item) {
    throw recurringErrors.unknownItem({ field: `${place}.recurringId` })
  }
  const field = `${place}.nominalDate`
  const { date: sent, ...fields } = changes as { date?: CalendarDate }
  if (item.schedule === null) {
    if (nominalDate !== undefined) {
      throw recurringErrors.dateOfTemplate({ field })
    }
    const only = JSON.stringify(changesWith(item, null, fields))
    return { item, nominalDate: null, date: sent ?? item.today, changes: only }
  }
  if (nominalDate === undefined) {
    throw recurringErrors.dateNeeded({ field })
  }
  const view = viewNamed(item, nominalDate)
  if (!view) {
    const { code, message } = noSuchOccurrence(item, nominalDate)
    throw new AppError('invalid', code, message, { field })
  }
  if (isBooked(view)) {
    throw recurringErrors.settled({ field })
  }
  return {
    ...view,
    date: sent ?? view.date ?? nominalDate,
    changes: JSON.stringify(changesWith(item, view.changes, fields)),
  }
}

/** Booking takes the permission that it takes elsewhere. */
function requireBookings(ctx: SignedIn, wanted: ToBook[]): void {
  const { permissions } = profileOf(ctx)
  for (const { item } of wanted) {
    const needed = item.transaction.kind === 'transfer' ? 'transfers.write' : 'transactions.write'
    if (!permissions.includes(needed)) {
      throw forbidden(needed)
    }
  }
}
