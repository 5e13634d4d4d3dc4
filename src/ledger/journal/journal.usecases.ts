import type { BookingRight } from '../../areas/identity/access/access.public.ts'
import type { Entry } from '../../domain/ledger.ts'
import type { Context } from '../../platform/context.ts'
import type { Change } from '../../platform/log/events.ts'
import { conflicting, type Refusal } from '../../platform/database/refusals.ts'
import type { Statement } from '../../platform/database/statements.ts'
import {
  insertTransactions,
  type Replacement,
  replaceTransactions,
} from '../books/books.queries.ts'
import {
  matchTransactions,
  type NewWhole,
  type Part,
  takeParts,
  type Whole,
} from '../books/matched.queries.ts'
import {
  followsOf,
  guardsOf,
  type Movement,
  ofTransactions,
  type PostingErrors,
  type TransactionMovement,
} from '../hooks/hooks.usecases.ts'
import {
  bookedAnew,
  bookedWith,
  type BookedWith,
  type LabelErrors,
  mustBeBookable,
} from '../labels/bookable.queries.ts'
import { labelsOf } from '../labels/labels.rules.ts'
import { transactionEvents, transferEvents } from '../ledger.events.ts'
import { entriesOf, headerOf } from '../rows/images.queries.ts'
import { mustBeUnlocked } from '../locks/locks.queries.ts'
import { daysOf } from '../locks/locks.rules.ts'
import { type LedgerRow, removeTransaction } from '../rows/rows.queries.ts'
import { eraseAsRead } from '../trash/erasure.queries.ts'
import { eraseTrashed, restoreTransactions, trashTransactions } from '../trash/trash.queries.ts'
import { inRangeAtTheEnd } from './range.usecases.ts'
import { sidesOf } from './snapshots.rules.ts'
import {
  appeared,
  eventsOf,
  type Forced,
  journalEvent,
  type JournalEvent,
  vanished,
  withoutHistory,
} from './journal-events.usecases.ts'

// The journal is where transactions change. Each of its functions gives a posting for one transaction or many; `post`
// makes a change of postings, with the guards of all areas before them and what follows from them after.

/** The writes for some transactions, with their effects and the events for the log. Only `post` makes it a change. */
export interface Posting {
  written: Statement[]
  /** Statements that run after everything attached to the transactions has moved. */
  last?: Statement[]
  movements: Movement[]
  journalEvents: JournalEvent[]
  /** Rights on data go before books: no lock hinders an erasure. */
  ignoresLocks?: true
  /** Labels that somebody chose. Labels that are carried along may have been archived since. */
  chosen?: BookedWith[]
}

/** Several postings of one commit, in their order: the history of an account tells the balance after each. */
export function post(ctx: Context, errors: PostingErrors, ...postings: Posting[]): Change {
  const movements = postings.flatMap((posting) => posting.movements)
  if (movements.length === 0) {
    return { statements: postings.flatMap(({ written }) => written), events: [] }
  }
  const days = daysOf(
    ofTransactions(postings.flatMap((posting) => (posting.ignoresLocks ? [] : posting.movements))),
  )
  const moving = [
    ...postings.flatMap(({ written }) => written),
    ...followsOf(ctx, movements, errors),
    ...postings.flatMap(({ last = [] }) => last),
  ]
  return {
    statements: [
      ...guardsOf(ctx, movements, errors),
      ...mustBeUnlocked(ctx, days, errors),
      ...mustBeBookable(
        postings.flatMap(({ chosen = [] }) => chosen),
        errors.labels ?? unbookable,
      ),
      ...inRangeAtTheEnd(movements, moving),
    ],
    events: eventsOf(
      postings.flatMap(({ journalEvents }) => journalEvents),
      errors.force ? days : [],
    ),
  }
}

/** Errors for operations in which nobody chooses labels. */
const unbookable: LabelErrors = {
  categories: { unknown: conflicting, otherKind: conflicting, archived: conflicting },
  payees: { unknown: conflicting, archived: conflicting },
  tags: { unknown: conflicting, archived: conflicting },
}

/** The whole transaction that a row shows one side of. */
export const wholeOf = (row: LedgerRow): Whole => ({
  header: headerOf(row),
  entries: entriesOf(row),
  labels: labelsOf(row),
})

const accountsIn = (...lists: (Entry[] | undefined)[]) => [
  ...new Set(lists.flatMap((entries = []) => entries.map(({ accountId }) => accountId))),
]

/** The movement of a transaction that is created or removed as a whole. */
export const moved = (
  what: TransactionMovement['what'],
  images: { before: Whole } | { after: Whole },
  into?: string[],
): TransactionMovement => {
  const { header, entries } = 'after' in images ? images.after : images.before
  return {
    ...{ what, id: header.id, ...images, accountIds: accountsIn(entries), change: 'money' },
    ...(into ? { into } : {}),
  }
}

/** Books new transactions. */
export const book = (all: NewWhole[]): Posting => ({
  written: all.length === 0 ? [] : insertTransactions(all),
  movements: all.map((after) => moved('booked', { after })),
  journalEvents: all.flatMap((one) => appeared(transactionEvents.created, one, {}, one.facts)),
  chosen: all.flatMap((whole) => bookedAnew(whole)),
})

/** A change of a stored transaction; without entries, and without labels, those that are stored stay. */
export interface Amendment extends Forced, Replacement {
  row: LedgerRow
  /** The right that a change of the entries requires. */
  right: BookingRight
  /** The labels come from another transaction and may be archived. */
  carries?: true
  /** Facts for the log, which stand in the events of the transaction. */
  facts?: Record<string, unknown> | undefined
  /** The accounts that it is changed on, where the others of the transaction may be hidden from the caller. */
  on?: string[]
}

/** Changes transactions as they were read. */
export const amend = (ctx: Context, all: Amendment[]): Posting => {
  const amended = all.map((one) => {
    const before = wholeOf(one.row)
    return { one, before, after: wholeAfter(before, one) }
  })
  return {
    written: replaceTransactions(ctx, all),
    movements: amended.map(({ one: { row, entries, right, on }, before, after }) => ({
      ...{ what: 'amended', id: row.transactionId, before, after },
      accountIds: on ?? accountsIn(before.entries, entries),
      change: entries ? (right === 'write' ? 'money' : 'meaning') : 'words',
    })),
    journalEvents: amended.flatMap(({ one, before, after }) => eventsOfAmended(one, before, after)),
    chosen: amended.flatMap(({ one: { carries }, before, after }) =>
      carries ? [] : bookedWith(after, before),
    ),
  }
}

export const wholeAfter = (
  { header, ...rest }: Whole,
  { columns, entries = rest.entries, labels = rest.labels }: Amendment,
): Whole => ({
  header: { ...header, ...columns, version: header.version + 1 },
  entries,
  labels,
})

/** @param eventsAt the types of the events of a side, by its line */
export function eventsOfAmended(
  { forced, facts }: Forced & Pick<Amendment, 'facts'>,
  whole: Whole,
  changed: Whole,
  eventsAt: (line: number) => SideEvents = () => transactionEvents,
): JournalEvent[] {
  const { version } = changed.header
  const sides = sidesOf(whole)
  const changedSides = sidesOf(changed)
  const force = forced ? { forced } : {}
  // The other side of a part that is no transfer any more.
  const gone = sides
    .filter((side) => changedSides.every(({ line }) => line !== side.line))
    .map((side) => {
      const images = { before: side.snapshot }
      return journalEvent(eventsAt(side.line).deleted, side, version, images, images, force)
    })
  const sideEvents = changedSides.flatMap((side) => {
    const { created, updated } = eventsAt(side.line)
    const was = sides.find(({ line }) => line === side.line)
    const [before, after] = [was?.snapshot, side.snapshot]
    if (!was || !before) {
      return [journalEvent(created, side, version, { after }, { ...facts, after }, force)]
    }
    if (was.accountId === side.accountId) {
      const images = { before, after }
      return [journalEvent(updated, side, version, images, { ...facts, ...images }, force)]
    }
    const both = {
      before: { ...before, accountId: was.accountId },
      after: { ...after, accountId: side.accountId },
    }
    return [
      journalEvent(updated, was, version, { before }, { ...facts, before }, force),
      journalEvent(updated, side, version, { after }, { ...facts, ...both }, force),
    ]
  })
  return [...sideEvents, ...gone]
}

/** The types of the events of a side that appears, changes or goes with a change of its transaction. */
type SideEvents = Pick<typeof transactionEvents, 'created' | 'updated' | 'deleted'>

/** A transaction that goes to the trash, either by itself or because another one replaces it. */
interface Discarded extends Forced {
  row: LedgerRow
  mergedInto?: string
}

const seenIn = ({ transactionId: id, version, ownerId }: LedgerRow) => ({ id, version, ownerId })

/** Moves transactions to the trash as they were read. */
export const discard = (ctx: Context, all: Discarded[]): Posting => {
  const going = all.map(({ row, mergedInto, ...forced }) => ({
    ...{ before: wholeOf(row), mergedInto, forced },
  }))
  return {
    written:
      all.length === 0
        ? []
        : trashTransactions(
            ctx,
            all.map(({ row }) => seenIn(row)),
          ),
    movements: going.map(({ before, mergedInto }) =>
      mergedInto === undefined
        ? moved('discarded', { before })
        : moved('merged', { before }, [mergedInto]),
    ),
    journalEvents: going.flatMap(({ before, forced }) =>
      vanished(transactionEvents.deleted, before, before.header.version + 1, forced),
    ),
  }
}

/** Brings transactions back from the trash as they were read. */
export const restore = (ctx: Context, rows: LedgerRow[], changed: Refusal): Posting => {
  const wholes = rows.map((row) => nextVersion(wholeOf(row)))
  return {
    written: rows.length === 0 ? [] : restoreTransactions(ctx, rows.map(seenIn), changed),
    movements: wholes.map((after) => moved('restored', { after })),
    journalEvents: wholes.flatMap((after) => appeared(transactionEvents.restored, after)),
  }
}

const nextVersion = ({ header, ...rest }: Whole): Whole => ({
  ...rest,
  header: { ...header, version: header.version + 1 },
})

/** Erases a transaction that is in the trash, for good: no movement, as nothing is booked of it. */
export const eraseTrashedRow = (row: LedgerRow, changed: Refusal): Change => ({
  statements: eraseTrashed(seenIn(row), changed),
  // Its effect on the balance was reversed when it was moved to the trash.
  events: eventsOf(withoutHistory(vanished(transactionEvents.erased, wholeOf(row), row.version))),
})

/** Takes a transaction back that is in no trash: an opening whose balance became zero. */
export const takeBack = (row: LedgerRow, forced: Forced): Posting => {
  const before = wholeOf(row)
  return {
    written: removeTransaction(row),
    movements: [moved('erased', { before })],
    journalEvents: vanished(transactionEvents.erased, before, row.version, forced),
  }
}

/** Erases booked transactions as they were read, without the trash: an import is taken back. */
export const takeBackAll = (rows: LedgerRow[], changed: Refusal): Posting => {
  const wholes = rows.map(wholeOf)
  return {
    written: rows.length === 0 ? [] : eraseAsRead(rows, changed),
    movements: wholes.map((before) => moved('erased', { before })),
    journalEvents: wholes.flatMap((whole) =>
      vanished(transactionEvents.erased, whole, whole.header.version),
    ),
  }
}

/** Two rows, or one, and the transfer that is booked in their place. */
export interface MatchedRows {
  rows: LedgerRow[]
  transfer: NewWhole
  forced: Forced
}

/** Books transfers in the places of rows, which are put away. */
export const match = (ctx: Context, all: MatchedRows[]): Posting => ({
  written: all.length === 0 ? [] : matchTransactions(ctx, all),
  movements: all.flatMap(({ rows, transfer }) => [
    ...rows.map((row) => moved('matched', { before: wholeOf(row) }, [transfer.header.id])),
    moved('booked', { after: transfer }),
  ]),
  journalEvents: all.flatMap(({ rows, transfer, forced }) => [
    ...appeared(transferEvents.matched, transfer, forced, transfer.facts),
    ...rows
      .map(wholeOf)
      .flatMap((whole) =>
        vanished(transferEvents.matched, whole, whole.header.version + 1, forced),
      ),
  ]),
})

/**
 * Takes a transfer back, and books rows in the place of its legs.
 * @param parts what hangs on the transfer goes to the first
 */
export const unmatch = (
  ctx: Context,
  transfer: LedgerRow,
  parts: Part[],
  forced: Forced,
): Posting => {
  const before = wholeOf(transfer)
  const into = parts.map(({ header }) => header.id)
  return {
    written: takeParts(ctx, before.header, parts),
    last: removeTransaction(transfer),
    movements: [
      moved('unmatched', { before }, into),
      ...parts.map((after) => moved(after.returning ? 'restored' : 'booked', { after })),
    ],
    journalEvents: [
      ...vanished(transferEvents.unmatched, before, transfer.version, forced),
      ...parts.flatMap((part) => appeared(transferEvents.unmatched, part, forced)),
    ],
  }
}
