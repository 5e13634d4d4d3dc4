import { addDays, type CalendarDate, LAST_DATE, nearDay } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { LoggedEvent } from '../../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../../platform/work/readers.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { amend, post } from '../../../../ledger/ledger.public.ts'
import { bookingErrors } from '../../../money/transactions/transactions.public.ts'
import { factsById } from '../occurrences/occurrences.rules.ts'
import {
  anyRecurring,
  isLinkable,
  keepLinking,
  linkedRows,
  mustBeOpen,
  storedOccurrences,
  within,
} from '../recurring.queries.ts'
import { profileOfOwner } from '../settling/settling.queries.ts'
import {
  candidateRows,
  daysOfTransactions,
  daysToLink,
  mustBeUnchanged,
} from './candidates.queries.ts'
import { linkedTo, readToLink, settledBy } from './linking.usecases.ts'
import { type FoundLink, linksIn } from './linking.rules.ts'
import { sql } from 'drizzle-orm'

export const LINK = 'recurring.link'

/** Has transactions linked after they were recorded, changed or imported, and after an item was created, changed or restored. */
export async function linkAfter(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const [ofTransactions, others] = [true, false].map((isIt) =>
    events.filter(({ resourceType }) => (resourceType === 'transaction') === isIt),
  ) as [LoggedEvent[], LoggedEvent[]]
  const ids = ofTransactions.map(({ resourceId }) => addressOf(resourceId ?? '').transactionId)
  const [days] = await read(ctx, daysOfTransactions([...new Set(ids)]))
  const whole = others.flatMap(({ ownerId }) =>
    ownerId === null ? [] : [{ ownerId, from: '', to: LAST_DATE }],
  )
  const byOwner = Map.groupBy([...days, ...whole], ({ ownerId }) => ownerId)
  return {
    tasks: [...byOwner].map(([ownerId, some]) => ({
      kind: LINK,
      payload: {
        ownerId,
        from: some.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
        to: some.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
      },
    })),
  }
}

/** Nominal dates that are looked at together; on both sides of them others may be as near to a transaction. */
const DAYS_AT_ONCE = 60
const BESIDE = 35

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
    const last = nearDay(days.to, BESIDE)
    let first = nearDay(days.from, -BESIDE)
    while (first <= last) {
      await linkOccurrences(asOwner(ctx, profile), [first, nearDay(first, DAYS_AT_ONCE - 1)])
      first = first > nearDay(LAST_DATE, -DAYS_AT_ONCE) ? '9' : addDays(first, DAYS_AT_ONCE)
    }
  }
  await commit(ctx, {
    changes: [withoutEvents([...finish, ...keepLinking(ownerId)])],
    result: undefined,
  })
}

/** Links transactions to the occurrences with these nominal dates. */
async function linkOccurrences(owner: SignedIn, [first, last]: Span): Promise<void> {
  const span: Span = [nearDay(first, -BESIDE), nearDay(last, BESIDE)]
  const isOwned = sql`recurring.owner_id = ${owner.caller.userId} AND ${isLinkable}`
  const items = sql`SELECT recurring.id, recurring.account_id FROM recurring WHERE ${isOwned}`
  const refused = new Set<FoundLink['occurrenceId']>()
  let most = MOST_AT_ONCE
  for (;;) {
    const [rows, stored, linked, candidates] = await readOrStop(
      owner,
      anyRecurring(isOwned),
      storedOccurrences(items, within(span).stored),
      linkedRows(owner, items, within(span).linked),
      candidateRows(
        sql`SELECT recurring.* FROM recurring WHERE ${isOwned}`,
        span,
        owner.caller.userId,
      ),
    )
    const found = { rows, factsOf: factsById(stored, linked), candidates }
    const wanted = linksIn(owner, found, span)
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
    if (error instanceof AppError && REFUSALS.includes(error.kind) && !isOfTask(error)) {
      return false
    }
    throw error
  }
}

const REFUSALS = ['invalid', 'forbidden', 'notFound', 'conflict']

const isOfTask = ({ code }: AppError) => code.startsWith('tasks.')

/** @param fills false if the other fields of the transactions stay as they are */
async function link(owner: SignedIn, links: FoundLink[], fills = true): Promise<void> {
  const items = links.map(({ item }) => item)
  const ids = links.map(({ transactionId }) => transactionId)
  const { byId, expenseCategoryIds } = await readToLink(owner, items, ids)
  const fitting = links.flatMap((one) => {
    const row = byId.get(one.transactionId)
    // One that was changed meanwhile is looked at again.
    return row?.version === one.row.version ? [{ ...one, row }] : []
  })
  const amendments = fitting.map(({ row, ...place }) => {
    const { columns, ...filled } = linkedTo(row, place, expenseCategoryIds)
    return fills ? { columns, ...filled } : { row, columns, right: 'annotate' as const }
  })
  await commit(owner, {
    changes: [
      withoutEvents([
        mustBeUnchanged(items),
        mustBeOpen(fitting.map(({ item, nominalDate }) => ({ recurringId: item.id, nominalDate }))),
      ]),
      post(owner, bookingErrors, amend(owner, amendments)),
      settledBy(
        owner,
        fitting.map(({ transactionId, ...one }) => ({ ...one, transactionIds: [transactionId] })),
      ),
    ],
    result: undefined,
  })
}
