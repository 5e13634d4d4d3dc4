import type { CalendarDate } from '../../../domain/calendar.ts'
import { AppError } from '../../../domain/errors.ts'
import { type Context, freshId, type SignedIn } from '../../../platform/context.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import type { Change } from '../../../platform/log/events.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../identity/notifications/notifications.public.ts'
import { record, type Recorded } from '../../money/transactions/transactions.public.ts'
import type { DatedOccurrence, OccurrenceView } from './occurrences/occurrences.rules.ts'
import { recurringEvents } from './recurring.events.ts'
import { mustBeOpen, saveOccurrences } from './recurring.queries.ts'
import {
  draftOf,
  type RecurringItem,
  type StoredOccurrence,
  transactionWith,
} from './recurring.rules.ts'

/** An occurrence, or a template without one, that is to be booked. */
export type ToBook =
  | DatedOccurrence
  | (Pick<DatedOccurrence, 'item' | 'date' | 'changes'> & { nominalDate: null })

type Options = Pick<Parameters<typeof record>[2], 'force' | 'dryRun' | 'list' | 'leavesOut'> & {
  /** Further changes of the commit. */
  others?: Change[]
}

type ResultOf<Result> = (recorded: (Recorded | AppError)[]) => Result

/** Books occurrences, each with what was changed for it alone, and keeps what became of them. */
export const bookOccurrences = <Result>(
  ctx: SignedIn,
  wanted: ToBook[],
  { others = [], ...options }: Options,
  resultOf: ResultOf<Result>,
): Promise<Result> =>
  record(
    ctx,
    wanted.map(({ item, nominalDate, date, changes }) => ({
      ...draftOf(transactionWith(item.transaction, changes), date),
      id: freshId(ctx, item.transaction.kind === 'transfer' ? 'trf' : 'txn'),
      ...{ source: 'recurring', recurringId: item.id, recurringDate: nominalDate ?? undefined },
    })),
    {
      ...options,
      premises: [mustBeOpen(wanted)],
      also: (decided) => [...others, outcomesOf(ctx, wanted, decided)],
    },
    resultOf,
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
  { item, nominalDate, known }: Pick<OccurrenceView, 'item' | 'nominalDate' | 'known'>,
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
  kind: string,
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
