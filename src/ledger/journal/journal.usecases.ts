import { coreOf } from '../../domain/ids.ts'
import { legOf, singleEntries } from '../../domain/ledger.ts'
import { add } from '../../domain/money.ts'
import type { Context } from '../../platform/context.ts'
import type { Change, Created, Deleted, DomainEvent, Thing } from '../../platform/events.ts'
import type { Refusal } from '../../platform/refusals.ts'
import type { Statement } from '../../platform/statements.ts'
import {
  insertTransactions,
  type Replacement,
  replaceTransactions,
} from '../books/books.queries.ts'
import { entriesOf, headerOf } from '../rows/images.queries.ts'
import { labelsAt, labelsFrom, labelsOf, WHOLE } from '../labels/labels.rules.ts'
import { type Told, transactionEvents, transferEvents } from '../ledger.events.ts'
import { type LedgerRow, removeTransaction } from '../rows/rows.queries.ts'
import {
  matchTransactions,
  type Part,
  unmatchTransfer,
  type Whole,
} from '../books/matched.queries.ts'
import { eraseAsRead } from '../trash/erasure.queries.ts'
import { eraseTrashed, restoreTransactions, trashTransactions } from '../trash/trash.queries.ts'
import { historyFacts } from './history.queries.ts'
import { type Adjusted, adjustedBy, type Side, sidesOf, type Snapshot } from './snapshots.rules.ts'

// The journal is where transactions change. Each of its functions gives the statements and the events that tell of them,
// for one transaction or many: an event for each account's side, with what the account's history says of adjustments.

/** Whether a change was forced upon what is reconciled. */
export interface Forced {
  forced?: true
}

/** The whole transaction that a row shows one side of. */
export const wholeOf = (row: LedgerRow): Whole => ({
  header: headerOf(row),
  entries: entriesOf(row),
  labels: labelsOf(row),
})

/** An event, before it is known what later ones do to the same account. */
interface Draft {
  accountId: string
  adjusted: Adjusted | undefined
  eventWith: (history: Pick<Thing, 'history'>) => DomainEvent
}

/** @param version the version that the transaction has afterwards */
function draft<Content extends object>(
  tell: (thing: Thing, content: Content) => DomainEvent,
  { id, accountId, ownerId }: Side,
  version: number,
  { before, after }: { before?: Snapshot; after?: Snapshot },
  content: Content,
  { forced }: Forced,
): Draft {
  const adjusted = adjustedBy(accountId, before, after)
  const thing = { id, resourceType: 'transaction', ownerId, accountId, version }
  const told = {
    ...content,
    ...(before?.private || after?.private ? { private: true } : {}),
    ...(forced ? { forced } : {}),
  }
  return { accountId, adjusted, eventWith: (history) => tell({ ...thing, ...history }, told) }
}

/** A change of transactions whose events may still be told together with later ones. */
export interface JournalChange extends Change {
  drafts: Draft[]
}

const changeOf = (statements: Statement[], drafts: Draft[]): JournalChange => ({
  statements,
  drafts,
  events: eventsOf(drafts),
})

/** Several of them in one commit, in their order: the history of an account tells the balance after each. */
export const inOrder = (changes: JournalChange[]): Change => ({
  statements: changes.flatMap(({ statements }) => statements),
  events: eventsOf(changes.flatMap(({ drafts }) => drafts)),
})

/** The balance that an account's history tells after an event leaves out what later events do to it. */
function eventsOf(drafts: Draft[]): DomainEvent[] {
  const later = new Map<string, number>()
  return drafts
    .toReversed()
    .map(({ accountId, adjusted, eventWith }) => {
      if (!adjusted) {
        return eventWith({})
      }
      const laterMinor = later.get(accountId) ?? 0
      later.set(accountId, add(laterMinor, adjusted.changeMinor))
      const transactionId = eventWith({}).id
      return eventWith({
        history: historyFacts({ ...adjusted, laterMinor, transactionId }),
      })
    })
    .toReversed()
}

type Appearing = (thing: Thing, content: Created<Snapshot> & Told) => DomainEvent
type Vanishing = (thing: Thing, content: Deleted<Snapshot> & Told) => DomainEvent

const appeared = (tell: Appearing, whole: Whole, forced: Forced = {}): Draft[] =>
  sidesOf(whole).map((side) => {
    const images = { after: side.snapshot }
    return draft(tell, side, whole.header.version, images, images, forced)
  })

const vanished = (tell: Vanishing, whole: Whole, version: number, forced: Forced = {}): Draft[] =>
  sidesOf(whole).map((side) => {
    const images = { before: side.snapshot }
    return draft(tell, side, version, images, images, forced)
  })

/** Books new transactions. */
export const book = (all: Whole[]): JournalChange =>
  changeOf(
    all.length === 0 ? [] : insertTransactions(all),
    all.flatMap((whole) => appeared(transactionEvents.created, whole)),
  )

/** A change of a stored transaction; without entries, and without labels, those that are stored stay. */
export interface Amendment extends Forced, Omit<Replacement, 'row'> {
  row: LedgerRow
}

/** Changes transactions as they were read. */
export const amend = (ctx: Context, all: Amendment[]): JournalChange =>
  changeOf(replaceTransactions(ctx, all), all.flatMap(amended))

function amended({ row, columns, entries, labels, ...forced }: Amendment): Draft[] {
  const whole = wholeOf(row)
  const changed = {
    header: { ...whole.header, ...columns },
    entries: entries ?? whole.entries,
    labels: labels ?? whole.labels,
  }
  const version = row.version + 1
  const sides = sidesOf(whole)
  const { updated } = transactionEvents
  return sidesOf(changed).flatMap((side) => {
    const was = sides.find(({ line }) => line === side.line)
    const [before, after] = [was?.snapshot, side.snapshot]
    if (!was || !before || was.accountId === side.accountId) {
      const images = { ...(before ? { before } : {}), after }
      return [draft(updated, side, version, images, { before: {}, ...images }, forced)]
    }
    const moved = {
      before: { ...before, accountId: was.accountId },
      after: { ...after, accountId: side.accountId },
    }
    return [
      draft(updated, was, version, { before }, { before }, forced),
      draft(updated, side, version, { after }, moved, forced),
    ]
  })
}

/** Moves transactions to the trash as they were read. */
export const discard = (ctx: Context, all: ({ row: LedgerRow } & Forced)[]): JournalChange =>
  changeOf(
    all.length === 0
      ? []
      : trashTransactions(
          ctx,
          all.map(({ row: { transactionId, version } }) => ({ id: transactionId, version })),
        ),
    all.flatMap(({ row, ...forced }) =>
      vanished(transactionEvents.deleted, wholeOf(row), row.version + 1, forced),
    ),
  )

/** Brings a transaction back from the trash. */
export const restore = (ctx: Context, row: LedgerRow, changed: Refusal): Change => ({
  statements: restoreTransactions(ctx, [{ id: row.transactionId, version: row.version }], changed),
  events: eventsOf(appeared(transactionEvents.restored, nextVersion(wholeOf(row)))),
})

const nextVersion = ({ header, ...rest }: Whole): Whole => ({
  ...rest,
  header: { ...header, version: header.version + 1 },
})

/** Erases a transaction that is in the trash, for good. */
export const eraseFromTrash = (row: LedgerRow, changed: Refusal): Change => ({
  statements: eraseTrashed({ id: row.transactionId, version: row.version }, changed),
  // What it did to a balance was taken back when it was moved to the trash.
  events: vanished(transactionEvents.erased, wholeOf(row), row.version).map(({ eventWith }) =>
    eventWith({}),
  ),
})

/**
 * Erases transactions, booked or not, with an account that goes. What a transfer moved on the account at its other end
 * stays there as an adjustment, with the same core in its id: no balance of it changes. A fee is part of that amount.
 */
export function eraseWithAccount(
  accountId: string,
  { rows, areBooked }: { rows: LedgerRow[]; areBooked: boolean },
  changed: Refusal,
): Change[] {
  const booked = areBooked ? rows : []
  const left = booked.flatMap((row) => leftOf(wholeOf(row), accountId))
  return [
    {
      statements: eraseAsRead(rows, changed),
      // What is not booked was told of when it was put away.
      events: booked.flatMap((row) =>
        vanished(transactionEvents.erased, wholeOf(row), row.version).map(({ eventWith }) =>
          eventWith({}),
        ),
      ),
    },
    {
      statements: left.length === 0 ? [] : insertTransactions(left),
      // It is no change of the balance, so no record of the account's history.
      events: left
        .flatMap((whole) => appeared(transactionEvents.created, whole))
        .map(({ eventWith }) => eventWith({})),
    },
  ]
}

/** What stays of a transfer on another account. */
function leftOf({ header, entries, labels }: Whole, accountId: string): Whole[] {
  const own = entries.find((entry) => entry.end === 'account' && entry.accountId !== accountId)
  if (!own) {
    return []
  }
  const { date, rate: _rate, ...kept } = header
  return [
    {
      header: {
        ...kept,
        date,
        rate: null,
        id: `txn_${coreOf(header.id)}`,
        kind: 'adjustment',
        version: header.version + 1,
      },
      entries: singleEntries({
        kind: 'adjustment',
        leg: legOf(own),
        date,
        signedMinor: own.amountMinor,
        categoryId: null,
        splits: [],
      }),
      labels: labelsFrom([labelsAt(labels, WHOLE)]),
    },
  ]
}

/** Takes a transaction back that is in no trash: an opening whose balance became zero. */
export const takeBack = (row: LedgerRow, forced: Forced): Change => ({
  statements: removeTransaction(row.transactionId, row.version),
  events: eventsOf(vanished(transactionEvents.erased, wholeOf(row), row.version, forced)),
})

/** Books a transfer in the place of two rows, which are put away. */
export const match = (
  ctx: Context,
  rows: LedgerRow[],
  transfer: Whole,
  forced: Forced,
): Change => ({
  statements: matchTransactions(ctx, rows, transfer),
  events: eventsOf([
    ...appeared(transferEvents.matched, transfer, forced),
    ...rows.flatMap((row) =>
      vanished(transferEvents.matched, wholeOf(row), row.version + 1, forced),
    ),
  ]),
})

/** Takes a transfer back, and books a row in the place of each of its legs. */
export const unmatch = (
  ctx: Context,
  transfer: LedgerRow,
  parts: [Part, Part],
  forced: Forced,
): Change => ({
  statements: unmatchTransfer(ctx, transfer, parts),
  events: eventsOf([
    ...vanished(transferEvents.unmatched, wholeOf(transfer), transfer.version, forced),
    ...parts.flatMap((part) => appeared(transferEvents.unmatched, part, forced)),
  ]),
})
