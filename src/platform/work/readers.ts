import type { Context } from '../context.ts'
import { commit, read } from '../database/database.ts'
import { type Change, withoutEvents } from '../log/events.ts'
import { codeOf, detailOf, logEvent } from '../logger.ts'
import { readerEvents } from '../log/platform-events.ts'
import {
  beginReader,
  endOfLog,
  eventsAfter,
  type LoggedEvent,
  MOST_EVENTS,
  holdBack,
  listenersBehind,
  movePlace,
  type ReaderPlace,
  reachOf,
  readerRows,
  type ReaderSelection,
} from './reader-rows.ts'
import { MAX_ATTEMPTS, type NewTask, retryAt } from './task-rows.ts'

// A reader reacts to what others have committed: it goes through the log in its order. What it decides and how far it
// has come are one commit, so each event is reacted to once, whatever fails and however many runs there are.

/** A reader goes through the log and reacts to some of its events. */
export interface Reader extends ReaderSelection {
  /** Decides what these events lead to. What is to be sent is a task: it may decide twice, but is stored once. */
  react: (ctx: Context, events: LoggedEvent[]) => Promise<Reaction>
}

export interface Reaction {
  changes?: Change[]
  tasks?: NewTask[]
}

/** The types of events that some reader wants, whoever's they are. */
export const typesWanted = (readers: readonly Reader[]): ReadonlySet<string> =>
  new Set(readers.flatMap(({ of, types }) => (of ? [] : types)))

/** Commits of one run of a reader, and of all listeners that are behind; what is left is the next one's. */
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
  const waking = contextFor('readers')
  const finders = [
    readerRows(),
    endOfLog(),
    listenersBehind(readers, waking.now, MOST_STEPS),
  ] as const
  const [rows, [end], behind] = await read(waking, ...finders)
  let isDone = behind.length < MOST_STEPS
  const ofListeners = { left: MOST_STEPS }
  for (const reader of readers) {
    const ctx = contextFor(reader.name)
    const isOfReader = ({ name }: ReaderPlace) => name === reader.name
    const row: ReaderPlace | undefined = rows.find(isOfReader)
    if (!row) {
      isDone = (await tryTo(reader, () => begin(ctx, reader))) && isDone
    } else if (row.cursor < (end?.number ?? 0)) {
      isDone = (await tryTo(reader, () => goOn(ctx, reader, row, { left: MOST_STEPS }))) && isDone
    }
    for (const place of behind.filter(isOfReader)) {
      isDone = (await tryTo(reader, () => goOn(ctx, reader, place, ofListeners))) && isDone
    }
  }
  return isDone
}

/** Runs one step of work. Returns true if there is nothing left to do, if it failed, or if another run does it. */
async function tryTo({ name }: Reader, run: () => Promise<boolean>): Promise<boolean> {
  try {
    return await run()
  } catch (error) {
    // Another run that was faster goes on itself.
    if (codeOf(error) !== MOVED) {
      logEvent('error', 'reader.undone', { name, ...detailOf(error) })
    }
    return true
  }
}

const begin = (ctx: Context, reader: Reader): Promise<boolean> =>
  commit(ctx, {
    changes: [withoutEvents([beginReader(reader)])],
    result: !reader.fromStart && !reader.of,
  })

const MOVED = 'readers.moved'

/** Continues a reader, or a listener of it. Returns true if there is nothing more to do now. */
async function goOn(
  ctx: Context,
  reader: Reader,
  begun: ReaderPlace,
  steps: { left: number },
): Promise<boolean> {
  let row = begun
  // Up to this place events are passed on one by one, so that all events of a failed page are handled but the one
  // that fails.
  let oneByOneTo = row.failures > 0 ? row.cursor + 1 : 0
  for (; steps.left > 0; steps.left--) {
    if (row.failures > 0 && row.nextAttemptAt > ctx.now) {
      return true
    }
    const limit = row.cursor < oneByOneTo ? 1 : MOST_EVENTS
    const finders = [eventsAfter(reader, row, limit), reachOf(reader, row)] as const
    const [events, [reach]] = await read(ctx, ...finders)
    const place = { ...row, caughtUp: reach?.caughtUp ?? '[]' }
    const last = events.at(-1)
    const cursor = last?.number ?? reach?.number ?? 0
    if (cursor <= row.cursor) {
      return true
    }
    try {
      row = await handOn(ctx, reader, { row: place, events, cursor })
    } catch (error) {
      if (codeOf(error) === MOVED || !last) {
        throw error
      }
      if (events.length > 1) {
        oneByOneTo = cursor
      } else {
        row = await noteFailure(ctx, reader, place, { event: last, failure: error })
      }
    }
  }
  return false
}

interface Page {
  row: ReaderPlace
  events: LoggedEvent[]
  /** The progress of the reader after it. */
  cursor: number
}

async function handOn(
  ctx: Context,
  reader: Reader,
  { row, events, cursor }: Page,
): Promise<ReaderPlace> {
  const { changes = [], tasks = [] } = events.length === 0 ? {} : await reader.react(ctx, events)
  const moved = { cursor, failures: 0, error: null }
  return commit(ctx, {
    changes: [withoutEvents(movePlace(row, moved)), ...changes],
    tasks,
    result: { ...row, ...moved },
  })
}

/**
 * Has the event wait for another try, and after the last one leaves it out: the others behind it cannot wait for ever. Those of
 * other listeners do not wait.
 */
async function noteFailure(
  ctx: Context,
  { of }: Reader,
  row: ReaderPlace,
  { event, failure }: { event: LoggedEvent; failure: unknown },
): Promise<ReaderPlace> {
  const error = codeOf(failure)
  const { name, skipped } = row
  const failures = row.failures + 1
  const isLast = failures >= MAX_ATTEMPTS
  const waits = { failures, error, nextAttemptAt: retryAt(ctx.now, failures) }
  const isHeldBack = of !== undefined && row.ownerId === undefined
  const changed = isHeldBack
    ? { cursor: event.number, failures: 0 }
    : isLast
      ? { cursor: event.number, failures: 0, error, skipped: skipped + 1 }
      : waits
  const detail = detailOf(failure)
  logEvent('error', 'reader', { name, id: event.id, failures, skipped: isLast, ...detail })
  const eventContent = { event: event.id, error }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...movePlace(row, changed),
          ...(isHeldBack ? [holdBack(name, event, waits)] : []),
        ],
        events: [
          isLast
            ? readerEvents.skipped({ id: name }, eventContent)
            : readerEvents.failed({ id: name }, eventContent),
        ],
      },
    ],
    result: { ...row, ...changed },
  })
}
