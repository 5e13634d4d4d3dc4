import { AppError } from '../../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import {
  bookOccurrences,
  notificationOf,
  notify,
  outcomesOf,
  storedWith,
} from '../booking.usecases.ts'
import type { DatedOccurrence } from '../occurrences/occurrences.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { keepLinking, saveOccurrences } from '../recurring.queries.ts'
import { itemsFrom } from '../recurring.rules.ts'
import { dueItems, dueOwners, profileOfOwner, saveProgress } from './settling.queries.ts'
import { firstOf, MOST_AT_ONCE, type Plan, planOf } from './settling.rules.ts'

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
    const [[profile], ...found] = await readOrStop(
      ctx,
      profileOfOwner(ownerId),
      ...dueItems(ownerId, ctx.now, ITEMS_AT_ONCE),
    )
    const items = itemsFrom(ctx, found)
    if (!profile || items.length === 0) {
      // Items that came out of an archive may wait for transactions.
      return commit(ctx, {
        changes: [withoutEvents([...finish, ...keepLinking(ownerId)])],
        result: undefined,
      })
    }
    const plans = firstOf(
      items.map((item) => planOf(ctx.now, item)),
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
  const others = [
    withoutEvents([
      ...plans.flatMap(({ item, after }) => saveProgress(item.row, after)),
      ...tell(owner, toTell, plans),
    ]),
  ]
  try {
    await (toBook.length === 0
      ? commit(owner, { changes: others, result: undefined })
      : bookOccurrences(owner, toBook, { list: 'occurrences', leavesOut: true, others }))
    return true
  } catch (error) {
    if (!isFinal(error)) {
      throw error
    }
    // Somebody was faster: what is left is read again.
    if (error.code === changedMeanwhile().code || error.code === recurringErrors.settled().code) {
      return true
    }
    if (toBook.length > 1) {
      return false
    }
    const changes = [...others, outcomesOf(owner, toBook, [error])]
    await commit(owner, { changes, result: undefined })
    return true
  }
}

/** Kinds of errors that end a commit, because the next attempt would fail in the same way. */
const FINAL = ['invalid', 'forbidden', 'notFound', 'conflict']

/** True of the refusal of a commit in a task, which is not one of the task itself. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && FINAL.includes(error.kind) && !error.code.startsWith('tasks.')

/** Tells that occurrences wait to be confirmed, or for a transaction to be linked to them, and reminds of items. */
function tell(ctx: SignedIn, due: DatedOccurrence[], plans: Plan[]): Statement[] {
  const moved = due.filter(({ known }) => known?.date)
  const reminders = plans.flatMap(({ isReminded, item, after: { remindedOn } }) =>
    isReminded && remindedOn !== null ? [{ item, nominalDate: remindedOn }] : [],
  )
  return [
    ...(moved.length === 0
      ? []
      : [saveOccurrences(moved.map((one) => storedWith(ctx, one, { told: true })))]),
    ...notify([
      ...due.map((one) =>
        notificationOf(ctx, one.item.mode === 'ask' ? 'recurring.waits' : 'recurring.due', one),
      ),
      ...reminders.map((one) => notificationOf(ctx, 'recurring.reminder', one)),
    ]),
  ]
}
