import type { Context } from '../../platform/context.ts'
import type { DomainEvent, Thing } from '../../platform/log/events.ts'
import {
  type MatchedPart,
  matchIntoPart,
  moveMatched,
  type Part,
  takeFromPart,
} from '../books/matched.queries.ts'
import { splitEvents, transactionEvents } from '../ledger.events.ts'
import type { LedgerRow } from '../rows/rows.queries.ts'
import {
  amend,
  type Amendment,
  eventsOfAmended,
  moved,
  type Posting,
  wholeAfter,
  wholeOf,
} from './journal.usecases.ts'
import { appeared, type JournalEvent, vanished } from './journal-events.usecases.ts'

// A row and a part of a split: the row is put away while it is the other side of the part.

/** Makes a row the other side of a part, by a change of the whole of the part. */
export function matchPart(
  ctx: Context,
  whole: Amendment,
  { row, part }: { row: LedgerRow; part: MatchedPart },
): Posting {
  const { written, movements } = amend(ctx, [whole])
  const into = whole.row.transactionId
  const before = wholeOf(row)
  const { forced } = whole
  return {
    written: matchIntoPart(ctx, row, { into, part }, written),
    // Files and links of the row stay with it. Meanwhile they are shown with the other side.
    movements: [moved('matched', { before }), ...movements],
    journalEvents: [
      ...eventsOf(whole, part.line, 'splitMatched'),
      ...vanished(
        splitEvents.splitMatched,
        before,
        before.header.version + 1,
        forced ? { forced } : {},
      ),
    ],
  }
}

/** Books a row again that was the other side of a part, after a change of the whole of the part. */
export function unmatchPart(
  ctx: Context,
  whole: Amendment,
  { row, line }: { row: Part & Required<Pick<Part, 'returning'>>; line: number },
): Posting {
  const { written, movements } = amend(ctx, [whole])
  const { forced } = whole
  return {
    written: takeFromPart(ctx, whole.row.transactionId, row, written),
    movements: [...movements, moved('restored', { after: row })],
    journalEvents: [
      ...eventsOf(whole, line, 'splitUnmatched'),
      ...appeared(splitEvents.splitUnmatched, row, forced ? { forced } : {}),
    ],
  }
}

/** Keeps the rows that are the other sides of parts with those, where they are parts of another transaction from now on. */
export const carryMatched = (...moves: Parameters<typeof moveMatched>): Posting => ({
  written: [moveMatched(...moves)],
  movements: [],
  journalEvents: [],
})

/** The events of the whole and of the part's other side contain the match; those of other parts contain only another version. */
function eventsOf(
  whole: Amendment,
  line: number,
  type: 'splitMatched' | 'splitUnmatched',
): JournalEvent[] {
  const before = wholeOf(whole.row)
  const after = wholeAfter(before, whole)
  const legs = [...before.entries, ...after.entries].filter(({ pair }) => pair === line)
  const splitEvent: (thing: Thing, content: never) => DomainEvent = splitEvents[type]
  const events = {
    created: splitEvent,
    updated: splitEvent,
    deleted: splitEvent,
  } as typeof transactionEvents
  return eventsOfAmended(whole, before, after, (at) =>
    at === 1 || legs.some((leg) => leg.line === at) ? events : transactionEvents,
  )
}
