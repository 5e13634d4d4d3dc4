import { add } from '../../domain/money.ts'
import type { Created, Deleted, DomainEvent, Thing } from '../../platform/log/events.ts'
import type { Whole } from '../books/matched.queries.ts'
import type { EventFlags } from '../ledger.events.ts'
import { factsWithLocks, forcedFacts } from '../locks/locks.queries.ts'
import type { ChangedDay } from '../locks/locks.rules.ts'
import { historyFacts } from '../rows/rows.queries.ts'
import {
  type Adjusted,
  adjustedBy,
  type AccountSide,
  sidesOf,
  type Snapshot,
} from './snapshots.rules.ts'

// The events of a transaction in the log: one for each account's side, with the adjustments that the account's
// history shows.

/** Set if a change of something reconciled was forced. */
export interface Forced {
  forced?: true
}

/** An event, before it is known what later ones do to the same account. */
export interface JournalEvent {
  accountId: string
  adjusted: Adjusted | undefined
  /** The earliest day that it moved money on; undefined where it has no line. */
  date?: string | undefined
  eventWith: (computed: Pick<Thing, 'history' | 'facts'>) => DomainEvent
}

/** @param version the version that the transaction has afterwards */
export function journalEvent<Content extends object>(
  event: (thing: Thing, content: Content) => DomainEvent,
  { id, accountId, ownerId }: AccountSide,
  version: number,
  { before, after }: { before?: Snapshot; after?: Snapshot },
  content: Content,
  { forced }: Forced,
): JournalEvent {
  const adjusted = adjustedBy(accountId, before, after)
  const thing = { id, resourceType: 'transaction', ownerId, accountId, version }
  const fullContent = {
    ...content,
    ...(before?.private || after?.private ? { private: true } : {}),
    ...(forced ? { forced } : {}),
  }
  const [date] = [before?.date, after?.date].flatMap((day) => day ?? []).toSorted()
  return {
    ...{ accountId, adjusted, date },
    eventWith: (computed) => event({ ...thing, ...computed }, fullContent),
  }
}

/**
 * The balance that an account's history tells after an event leaves out what later events do to it.
 * @param forced the days on which lines were changed by force, as far as a lock may be on them
 */
export function eventsOf(journalEvents: JournalEvent[], forced: ChangedDay[] = []): DomainEvent[] {
  const days = new Map(forced.map(({ accountId, date }) => [accountId, date]))
  const later = new Map<string, number>()
  return journalEvents
    .toReversed()
    .map(({ accountId, adjusted, date: own, eventWith }) => {
      // Only lines on locked days are marked as forced, not all that were booked beside them.
      const date = days.has(accountId) ? (own ?? days.get(accountId)) : undefined
      if (!adjusted) {
        return eventWith(date === undefined ? {} : { facts: forcedFacts(date) })
      }
      const laterMinor = later.get(accountId) ?? 0
      later.set(accountId, add(laterMinor, adjusted.changeMinor))
      const transactionId = eventWith({}).id
      const history = historyFacts({ ...adjusted, laterMinor, transactionId })
      return eventWith(
        date === undefined
          ? { history }
          : {
              history: { ...history, sql: factsWithLocks(history.sql) },
              facts: forcedFacts(date),
            },
      )
    })
    .toReversed()
}

type Appearing = (thing: Thing, content: Created<Snapshot> & EventFlags) => DomainEvent
type Vanishing = (thing: Thing, content: Deleted<Snapshot> & EventFlags) => DomainEvent

/** @param facts facts beside the snapshots */
export const appeared = (
  event: Appearing,
  whole: Whole,
  forced: Forced = {},
  facts: Record<string, unknown> = {},
): JournalEvent[] =>
  sidesOf(whole).map((side) => {
    const images = { after: side.snapshot }
    const content = { ...facts, ...images }
    return journalEvent(event, side, whole.header.version, images, content, forced)
  })

export const vanished = (
  event: Vanishing,
  whole: Whole,
  version: number,
  forced: Forced = {},
): JournalEvent[] =>
  sidesOf(whole).map((side) => {
    const images = { before: side.snapshot }
    return journalEvent(event, side, version, images, images, forced)
  })

/** Returns the same events without entries in the history of the account. */
export const withoutHistory = (journalEvents: JournalEvent[]): JournalEvent[] =>
  journalEvents.map((event) => ({ ...event, adjusted: undefined }))
