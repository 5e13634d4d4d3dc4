import { remainderId } from '../../domain/ids.ts'
import { type Entry, legOf, singleEntries } from '../../domain/ledger.ts'
import { type Context, freshId } from '../../platform/context.ts'
import type { Refusal } from '../../platform/database/refusals.ts'
import type { Whole } from '../books/matched.queries.ts'
import { labelsAt, labelsFrom, NO_LABELS, WHOLE } from '../labels/labels.rules.ts'
import { transactionEvents } from '../ledger.events.ts'
import { headerBy, type LedgerRow } from '../rows/rows.queries.ts'
import { eraseAsRead } from '../trash/erasure.queries.ts'
import { amend, book, moved, type Posting, wholeOf } from './journal.usecases.ts'
import { vanished, withoutHistory } from './journal-events.usecases.ts'

/**
 * Erases transactions, booked or not, with an account that goes. What a transfer moved on the account at its other end
 * stays there as an adjustment, with the same core in its id: no balance of it changes. A fee is part of that amount. What a part
 * moved stays likewise, on whichever account is left, with a core that follows from that of the whole.
 * @param taken those of `remaindersOf` that something else has: what would get one gets a new id instead
 */
export function eraseWithAccount(
  ctx: Context,
  accountId: string,
  { rows, areBooked, taken }: { rows: LedgerRow[]; areBooked: boolean; taken: string[] },
  changed: Refusal,
): Posting {
  // The log already has the deletion of transactions that are not booked.
  const [staying, going] = areBooked
    ? [
        rows.filter((row) => staysWithout(row, accountId)),
        rows.filter((row) => !staysWithout(row, accountId)),
      ]
    : [[], rows]
  const booked = areBooked ? going.map(wholeOf) : []
  const left = booked.flatMap((whole) => leftOf(ctx, whole, accountId, new Set(taken)))
  const { written, movements, journalEvents } = book(left)
  const kept = amend(
    ctx,
    staying.map((row) => ({
      row,
      columns: {},
      entries: entriesWithout(wholeOf(row).entries, accountId),
      right: 'write',
      carries: true,
    })),
  )
  return {
    ignoresLocks: true,
    written: [
      ...(going.length === 0 ? [] : eraseAsRead(going, changed)),
      ...written,
      ...(staying.length === 0 ? [] : kept.written),
    ],
    movements: [
      ...booked.map((before) => moved('erased', { before })),
      ...movements,
      ...kept.movements,
    ],
    // The remaining adjustments do not change the balance, so they do not appear in the account's history.
    journalEvents: withoutHistory([
      ...booked.flatMap((whole) => vanished(transactionEvents.erased, whole, whole.header.version)),
      ...journalEvents,
      ...kept.journalEvents,
    ]),
  }
}

/**
 * True if a transaction is on another account that stays, and has the erased one only as the other side of its parts.
 */
const staysWithout = (row: LedgerRow, accountId: string): boolean =>
  row.headerKind !== 'transfer' && row.accountId !== accountId

/** The entries of a transaction whose parts with an account become adjustments: they have no category. */
function entriesWithout(entries: Entry[], accountId: string): Entry[] {
  const parts = new Set(
    entries.flatMap(({ accountId: id, pair }) => (id === accountId && pair !== null ? [pair] : [])),
  )
  return entries
    .filter((entry) => entry.accountId !== accountId)
    .map((entry) =>
      parts.has(entry.line) ? { ...entry, side: 'adjustment', categoryId: null } : entry,
    )
}

/** The ids of what these booked transactions leave on other accounts. */
export const remaindersOf = (accountId: string, rows: LedgerRow[]): string[] =>
  rows
    .filter((row) => !staysWithout(row, accountId))
    .map(wholeOf)
    .flatMap((whole) =>
      otherLines(whole, accountId).map(({ pair }) => remainderId(whole.header.id, pair)),
    )

const otherLines = ({ entries }: Whole, accountId: string): Entry[] =>
  entries.filter((entry) => entry.side === 'account' && entry.accountId !== accountId)

/** Returns the adjustments that replace a transaction on its other accounts. */
const leftOf = (
  ctx: Context,
  whole: Whole,
  accountId: string,
  taken: ReadonlySet<string>,
): Whole[] =>
  otherLines(whole, accountId).map((own) => {
    const id = remainderId(whole.header.id, own.pair)
    return leftOn(ctx, whole, own, taken.has(id) ? freshId(ctx, 'txn') : id)
  })

function leftOn(ctx: Context, { header, entries, labels }: Whole, own: Entry, id: string): Whole {
  const { date, rate: _rate, ...kept } = header
  const left = singleEntries({
    kind: 'adjustment',
    leg: legOf(own),
    date,
    signedMinor: own.amountMinor,
    categoryId: null,
    splits: [],
  })
  if (own.pair === null) {
    return {
      header: {
        ...kept,
        date,
        rate: null,
        id,
        kind: 'adjustment',
        version: header.version + 1,
      },
      entries: left,
      labels: labelsFrom([labelsAt(labels, WHOLE)]),
    }
  }
  // Readers of this account learn no more about the whole transaction than before.
  const note = entries.find(({ line }) => line === own.pair)?.note ?? null
  const { ownerId, private: isPrivate, source, createdBy } = header
  return {
    header: headerBy(createdBy, ctx.now, {
      ...{ id, ownerId, kind: 'adjustment', date },
      ...{ private: isPrivate, source, note, payeeRaw: own.payeeRaw },
    }),
    entries: left,
    labels: NO_LABELS,
  }
}
