import type { Context } from './context.ts'
import { commit, read } from './database.ts'
import { type Change, withoutEvents } from './events.ts'
import { codeOf, detailOf, logEvent } from './logger.ts'
import { readerEvents } from './platform-events.ts'
import {
  beginReader,
  endOfLog,
  eventsAfter,
  type LoggedEvent,
  MOST_EVENTS,
  MOST_LOOKED_AT,
  moveReader,
  readerRows,
  type ReaderRow,
} from './reader-rows.ts'
import { MAX_ATTEMPTS, type NewTask, retryAt } from './task-rows.ts'

// A reader reacts to what others have committed: it goes through the log in its order. What it decides and how far it
// has come are one commit, so each event is reacted to once, whatever fails and however many runs there are.

/** What goes through the log, and does something about some of its events. */
export interface Reader {
  /** Names its place in the log, and the operation of what it commits. Another name begins anew. */
  name: string
  /** The events that it wants; none that it makes itself. */
  types: readonly string[]
  /** Set where it begins with the first event of the log, and not with the one after its first run. */
  fromStart?: true
  /** Decides what these events lead to. What is to be sent is a task: it may decide twice, but is stored once. */
  react: (ctx: Context, events: LoggedEvent[]) => Promise<Reaction>
}

export interface Reaction {
  changes?: Change[]
  tasks?: NewTask[]
}

/** The types of events that some reader wants. */
export const typesWanted = (readers: readonly Reader[]): ReadonlySet<string> =>
  new Set(readers.flatMap(({ types }) => types))

/** Commits of one run of a reader; what is left is the next one's. */
const MOST_STEPS = 50

/**
 * Has each reader go on from where it is. One that fails holds up no other.
 * @returns whether all that is in the log now was seen to, or waits for another try
 */
export async function runReaders(
  readers: readonly Reader[],
  contextFor: (operation: string) => Context,
): Promise<boolean> {
  if (readers.length === 0) {
    return true
  }
  const [rows, [end]] = await read(contextFor('readers'), readerRows(), endOfLog())
  let isDone = true
  for (const reader of readers) {
    const ctx = contextFor(reader.name)
    const row = rows.find(({ name }) => name === reader.name)
    try {
      if (!row) {
        await commit(ctx, { changes: [withoutEvents([beginReader(reader)])], result: undefined })
        isDone = isDone && !reader.fromStart
      } else if (row.cursor < (end?.number ?? 0)) {
        isDone = (await goOn(ctx, reader, row)) && isDone
      }
    } catch (error) {
      // Another run that was faster goes on itself.
      if (codeOf(error) !== MOVED) {
        logEvent('error', 'reader.undone', { name: reader.name, ...detailOf(error) })
      }
    }
  }
  return isDone
}

const MOVED = 'readers.moved'

/** Whether the reader has nothing more to do now. */
async function goOn(ctx: Context, reader: Reader, begun: ReaderRow): Promise<boolean> {
  let row = begun
  // As far as events are handed on one by one, so that of a page that failed all are done but the one that fails.
  let oneByOneTo = row.failures > 0 ? row.cursor + 1 : 0
  for (let step = 0; step < MOST_STEPS; step++) {
    if (row.failures > 0 && row.nextAttemptAt > ctx.now) {
      return true
    }
    const limit = row.cursor < oneByOneTo ? 1 : MOST_EVENTS
    const [events, [end]] = await read(
      ctx,
      eventsAfter(row.cursor, reader.types, limit),
      endOfLog(),
    )
    const last = events.at(-1)
    const cursor = last?.number ?? Math.min(row.cursor + MOST_LOOKED_AT, end?.number ?? 0)
    if (cursor <= row.cursor) {
      return true
    }
    try {
      row = await handOn(ctx, reader, { row, events, cursor })
    } catch (error) {
      if (codeOf(error) === MOVED || !last) {
        throw error
      }
      if (events.length > 1) {
        oneByOneTo = cursor
      } else {
        row = await noteFailure(ctx, row, last, error)
      }
    }
  }
  return false
}

interface Page {
  row: ReaderRow
  events: LoggedEvent[]
  /** Where the reader is after it. */
  cursor: number
}

async function handOn(
  ctx: Context,
  reader: Reader,
  { row, events, cursor }: Page,
): Promise<ReaderRow> {
  const { changes = [], tasks = [] } = events.length === 0 ? {} : await reader.react(ctx, events)
  const moved = { cursor, failures: 0, error: null }
  return commit(ctx, {
    changes: [withoutEvents(moveReader(row, moved)), ...changes],
    tasks,
    result: { ...row, ...moved },
  })
}

/** Has the event wait for another try, and after the last one leaves it out: the others behind it cannot wait for ever. */
async function noteFailure(
  ctx: Context,
  row: ReaderRow,
  event: LoggedEvent,
  failure: unknown,
): Promise<ReaderRow> {
  const error = codeOf(failure)
  const { name, skipped } = row
  const failures = row.failures + 1
  const isLast = failures >= MAX_ATTEMPTS
  const changed = isLast
    ? { cursor: event.number, failures: 0, error, skipped: skipped + 1 }
    : { failures, error, nextAttemptAt: retryAt(ctx.now, failures) }
  const detail = detailOf(failure)
  logEvent('error', 'reader', { name, id: event.id, failures, skipped: isLast, ...detail })
  const told = { event: event.id, error }
  return commit(ctx, {
    changes: [
      {
        statements: moveReader(row, changed),
        events: [
          isLast
            ? readerEvents.skipped({ id: name }, told)
            : readerEvents.failed({ id: name }, told),
        ],
      },
    ],
    result: { ...row, ...changed },
  })
}
