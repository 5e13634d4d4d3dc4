import {
  addDays,
  type CalendarDate,
  daysBetween,
  LAST_DATE,
  nearDay,
} from '../../../../domain/calendar.ts'
import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { LoggedEvent } from '../../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../../platform/work/readers.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { keepLinking, mustBeOpen } from '../recurring.queries.ts'
import { itemsFrom } from '../recurring.rules.ts'
import { isFinal } from '../settling/settling.usecases.ts'
import { profileOfOwner } from '../settling/settling.queries.ts'
import {
  daysOfTransactions,
  daysToLink,
  isCut,
  linkFinders,
  mustBeUnchanged,
  OF_TASK,
} from './candidates.queries.ts'
import { linking, type NewLink, readToLink } from './linking.usecases.ts'
import { type FoundLink, linksIn } from './linking.rules.ts'

export const LINK = 'recurring.link'

/** Has transactions linked after they were recorded, changed or imported, and after an item was created, changed or restored. */
export async function linkAfter(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const isOfTransaction = ({ resourceType }: LoggedEvent) => resourceType === 'transaction'
  const ids = events
    .filter(isOfTransaction)
    .map(({ resourceId }) => addressOf(resourceId ?? '').transactionId)
  const [days] = await read(ctx, daysOfTransactions([...new Set(ids)]))
  // An import has transactions of many days, and so may a new item.
  const whole = events.flatMap((event) =>
    isOfTransaction(event) || event.ownerId === null
      ? []
      : [{ ownerId: event.ownerId, from: '', to: LAST_DATE }],
  )
  const byOwner = Map.groupBy([...days, ...whole], ({ ownerId }) => ownerId)
  return {
    tasks: [...byOwner].map(([ownerId, some]) => ({
      kind: LINK,
      dedupeKey: `${LINK} ${ownerId} ${events.at(-1)?.number}`,
      payload: {
        ownerId,
        from: some.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
        to: some.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
      },
    })),
  }
}

/** Nominal dates that are looked at together. */
const DAYS_AT_ONCE = 30

/** The most days between a nominal date and its transaction; another occurrence can be as far on the other side of that. */
const REACH = 18

/** Links that one commit makes. */
const MOST_AT_ONCE = 50

/** Links the transactions of some days. Killed anywhere, the next run goes on with what is not linked. */
export async function linkTransactions(
  ctx: Context,
  { ownerId, from, to }: { ownerId: string; from: CalendarDate; to: CalendarDate },
  finish: Statement[],
): Promise<void> {
  const [[profile], [days]] = await readOrStop(
    ctx,
    profileOfOwner(ownerId),
    daysToLink(ownerId, [from, to]),
  )
  if (profile && days?.from && days.to) {
    const last = nearDay(days.to, REACH)
    const owner = asOwner(ctx, profile)
    let first = nearDay(days.from, -REACH)
    let end = first
    do {
      end = nearDay(first, DAYS_AT_ONCE - 1)
      await linkOccurrences(owner, [first, end])
      first = nearDay(end, 1)
    } while (end < last)
  }
  await commit(ctx, {
    changes: [withoutEvents([...finish, ...keepLinking(ownerId)])],
    result: undefined,
  })
}

/** Links transactions to the occurrences with these nominal dates: to fewer of them at once where there are very many candidates. */
async function linkOccurrences(owner: SignedIn, [first, last]: Span): Promise<void> {
  const span: Span = [nearDay(first, -2 * REACH), nearDay(last, 2 * REACH)]
  const wide = {
    ...{ isOwn: true, occurrences: span, most: OF_TASK },
    days: [nearDay(first, -REACH), nearDay(last, REACH)] as const,
  }
  const refused = new Set<FoundLink['occurrenceId']>()
  let most = MOST_AT_ONCE
  for (;;) {
    const found = await readOrStop(owner, ...linkFinders(owner, wide))
    const candidates = found[3]
    if (isCut(candidates, OF_TASK) && first < last) {
      const middle = addDays(first, Math.floor(daysBetween(first, last) / 2))
      await linkOccurrences(owner, [first, middle])
      await linkOccurrences(owner, [addDays(middle, 1), last])
      return
    }
    const wanted = linksIn(itemsFrom(owner, found), candidates, span)
      .made.filter(
        ({ nominalDate, occurrenceId }) =>
          nominalDate >= first && nominalDate <= last && !refused.has(occurrenceId),
      )
      .slice(0, most)
    if (wanted.length === 0) {
      return
    }
    const isMade = await isDone(() => link(owner, wanted))
    if (!isMade && wanted.length === 1 && !(await isDone(() => link(owner, wanted, false)))) {
      refused.add(wanted[0]?.occurrenceId ?? '')
    }
    most = isMade ? MOST_AT_ONCE : 1
  }
}

/** False if what is tried is refused. */
async function isDone(run: () => Promise<void>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (isFinal(error)) {
      return false
    }
    throw error
  }
}

/** @param fills false if the other fields of the transactions stay as they are */
async function link(owner: SignedIn, wanted: FoundLink[], fills = true): Promise<void> {
  const items = wanted.map(({ item }) => item)
  const found = await readToLink(
    owner,
    items,
    wanted.map(({ transactionId }) => transactionId),
  )
  const links = wanted.flatMap((one): NewLink[] => {
    const row = found.byId.get(one.transactionId)
    // One that was changed meanwhile is looked at again.
    return row?.version === one.row.version ? [{ ...one, row }] : []
  })
  if (links.length === 0) {
    throw changedMeanwhile()
  }
  await commit(owner, {
    changes: [
      withoutEvents([mustBeUnchanged(items), mustBeOpen(links)]),
      ...linking(owner, links, found, { fills }),
    ],
    result: undefined,
  })
}
