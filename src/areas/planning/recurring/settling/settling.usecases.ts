import type { CalendarDate } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../../identity/notifications/notifications.public.ts'
import {
  record,
  type RecordDraft,
  type Recorded,
} from '../../../money/transactions/transactions.public.ts'
import { draftOf } from '../checking.usecases.ts'
import { expectedFor, factsById, transactionFor } from '../occurrences/occurrences.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import { keepLinking, mustBeOpen, saveOccurrences } from '../recurring.queries.ts'
import type { RecurringItem, StoredOccurrence } from '../recurring.rules.ts'
import { dueItems, dueOwners, profileOfOwner, saveProgress } from './settling.queries.ts'
import { type DueOccurrence, firstOf, MOST_AT_ONCE, type Plan, planOf } from './settling.rules.ts'

export const SETTLE = 'recurring.settle'

/** Owners of one run of the clock. What is left is the next one's. */
const MOST_OWNERS = 200

/** Starts a task for each owner who has something due. */
export async function startDue(ctx: Context): Promise<void> {
  const [owners] = await read(ctx, dueOwners(ctx.now, MOST_OWNERS))
  if (owners.length > 0) {
    await commit(ctx, {
      changes: [],
      tasks: owners.map(({ ownerId, since }) => ({
        ...{ kind: SETTLE, payload: { ownerId } },
        // One that died is tried again on another day.
        dedupeKey: `${SETTLE} ${ownerId} ${since} ${Math.floor(ctx.now / DAY_MS)}`,
      })),
      result: undefined,
    })
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Items that are looked at together. */
const ITEMS_AT_ONCE = 20

/** Books what is due of an owner, or tells that it is due. Killed anywhere, the next run goes on with the next commit. */
export async function settleDue(
  ctx: Context,
  { ownerId }: { ownerId: string },
  finish: Statement[],
): Promise<void> {
  let most = MOST_AT_ONCE
  for (;;) {
    const [[profile], rows, stored, linked] = await readOrStop(
      ctx,
      profileOfOwner(ownerId),
      ...dueItems(ownerId, ctx.now, ITEMS_AT_ONCE),
    )
    if (!profile || rows.length === 0) {
      // Items that came out of an archive may wait for transactions.
      return commit(ctx, {
        changes: [withoutEvents([...finish, ...keepLinking(ownerId)])],
        result: undefined,
      })
    }
    const factsOf = factsById(stored, linked)
    const plans = firstOf(
      rows.map((row) => planOf(ctx.now, row, factsOf(row.id))),
      most,
    )
    most = (await settle(asOwner(ctx, profile), plans)) ? MOST_AT_ONCE : 1
  }
}

/** Does what is planned in one commit; false if one of several refuses it, so that each has to be tried alone. */
async function settle(owner: SignedIn, plans: Plan[]): Promise<boolean> {
  const due = plans.flatMap((plan) => plan.due)
  const toBook = due.filter(({ item }) => item.mode === 'post')
  const toTell = due.filter(({ item }) => item.mode !== 'post')
  const drafts = toBook.map((one) => draftFor(owner, one))
  const others = [
    withoutEvents(plans.flatMap(({ row, after }) => saveProgress(row, after))),
    tell(owner, toTell),
    remind(owner, plans),
  ]
  const also = (decided: (Recorded | AppError)[]) => [...others, outcomesOf(owner, toBook, decided)]
  try {
    await (drafts.length === 0
      ? commit(owner, { changes: others, result: undefined })
      : record(
          owner,
          drafts,
          { list: 'occurrences', leavesOut: true, premises: [mustBeOpen(toBook.map(keyOf))], also },
          () => undefined,
        ))
    return true
  } catch (error) {
    if (!isFinal(error)) {
      throw error
    }
    // Somebody was faster: what is left is read again.
    if (error.code === changedMeanwhile().code || error.code === recurringErrors.settled().code) {
      return true
    }
    if (drafts.length > 1) {
      return false
    }
    await commit(owner, { changes: also([error]), result: undefined })
    return true
  }
}

/** Kinds of errors that end a commit, because the next attempt would fail in the same way. */
const FINAL = ['invalid', 'forbidden', 'notFound', 'conflict']

/** True of the refusal of a commit in a task, which is not one of the task itself. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && FINAL.includes(error.kind) && !error.code.startsWith('tasks.')

const keyOf = ({ item, nominalDate }: DueOccurrence) => ({ recurringId: item.id, nominalDate })

/** The draft of an occurrence, with what was changed for it alone. */
function draftFor(ctx: SignedIn, { item, nominalDate, date, facts }: DueOccurrence): RecordDraft {
  const transaction = transactionFor(item, facts.stored.get(nominalDate)?.changes ?? null)
  return {
    ...draftOf(transaction, date),
    ...originOf(ctx, { item, nominalDate }),
  }
}

/** Where the transaction of an occurrence, or of a template without one, comes from. */
export const originOf = (
  ctx: SignedIn,
  { item, nominalDate }: { item: RecurringItem; nominalDate: CalendarDate | null },
) => ({
  id: freshId(ctx, item.transaction.kind === 'transfer' ? 'trf' : 'txn'),
  ...{ source: 'recurring' as const, recurringId: item.id },
  ...(nominalDate === null ? {} : { recurringDate: nominalDate }),
})

/** What is stored of an occurrence, with what became of it. */
export const storedWith = (
  { now }: Context,
  { item, nominalDate, facts }: DueOccurrence,
  outcome: Partial<StoredOccurrence>,
): StoredOccurrence => ({
  ...{ date: null, changes: null, state: null, reason: null, expectedMinor: null, told: false },
  ...facts.stored.get(nominalDate),
  ...{ recurringId: item.id, ownerId: item.ownerId, nominalDate, updatedAt: now },
  ...outcome,
})

/** Keeps which occurrences were booked, and which were missed and why. */
export function outcomesOf(
  ctx: SignedIn,
  due: DueOccurrence[],
  decided: (Recorded | AppError)[],
): Change {
  const outcomes = due.map((one, at) => ({ one, outcome: decided[at] }))
  const rows = outcomes.map(({ one, outcome }) =>
    storedWith(
      ctx,
      one,
      outcome instanceof AppError
        ? { state: 'missed', reason: outcome.code }
        : {
            state: 'booked',
            reason: null,
            expectedMinor: expectedFor(one.item, one.facts.stored.get(one.nominalDate)).amountMinor,
          },
    ),
  )
  const missed = outcomes.filter(({ outcome }) => outcome instanceof AppError)
  return {
    statements: [
      saveOccurrences(rows),
      ...notify(missed.map(({ one }) => notificationOf(ctx, 'recurring.missed', one))),
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

export const thingOf = ({ id, ownerId, version }: DueOccurrence['item']) => ({
  id,
  ownerId,
  version,
})

/** Tells that occurrences wait to be confirmed, or for a transaction to be linked to them. */
const tell = (ctx: SignedIn, due: DueOccurrence[]): Change => {
  const moved = due.filter(({ facts, nominalDate }) => facts.stored.get(nominalDate)?.date)
  return withoutEvents([
    ...(moved.length === 0
      ? []
      : [saveOccurrences(moved.map((one) => storedWith(ctx, one, { told: true })))]),
    ...notify(
      due.map((one) =>
        notificationOf(ctx, one.item.mode === 'ask' ? 'recurring.waits' : 'recurring.due', one),
      ),
    ),
  ])
}

const remind = (ctx: SignedIn, plans: Plan[]): Change =>
  withoutEvents(
    notify(
      plans.flatMap(({ isReminded, item, after: { remindedOn } }) =>
        isReminded && remindedOn !== null
          ? [notificationOf(ctx, 'recurring.reminder', { item, nominalDate: remindedOn })]
          : [],
      ),
    ),
  )

const notify = (all: NewNotification[]): Statement[] =>
  all.length === 0 ? [] : [insertNotifications(all)]

export const notificationOf = (
  ctx: Context,
  kind: string,
  { item, nominalDate }: Pick<DueOccurrence, 'item' | 'nominalDate'>,
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
