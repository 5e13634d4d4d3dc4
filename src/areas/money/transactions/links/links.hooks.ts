import type { Entry } from '../../../../domain/ledger.ts'
import { sum } from '../../../../domain/money.ts'
import {
  type LedgerHook,
  ofTransactions,
  type TransactionMovement,
} from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { moveLinks, mustCoverLinked } from './coverage.queries.ts'
import { mustHaveRoomForLinks } from './links.queries.ts'

/**
 * Links go with a transaction to the one in its place, but from the rows of a transfer, which may come back. Where a
 * transaction is less than before, or something else, it is as much as is linked with it still.
 */
export const linkedTransactions: LedgerHook = {
  followsStored: true,
  follow: (_, all, { linked = transactionErrors.linkedAmount }) => {
    const movements = ofTransactions(all)
    const replaced = movements.flatMap(({ what, before, into = [] }) =>
      before && (what === 'merged' || what === 'unmatched') ? [{ from: before.header, into }] : [],
    )
    const suspect = [
      ...movements.filter(coversLess).map(({ id }) => id),
      // A row that was matched comes back with the amount that it was given meanwhile.
      ...movements.filter(({ what }) => what === 'restored').map(({ id }) => id),
      ...replaced.flatMap(({ into }) => into),
    ]
    return [
      ...replaced.flatMap(({ from, into: [toId = ''] }) => moveLinks(from, toId)),
      ...(replaced.length === 0
        ? []
        : [mustHaveRoomForLinks(replaced.flatMap(({ into: [toId = ''] }) => toId))]),
      ...(suspect.length === 0 ? [] : [mustCoverLinked([...new Set(suspect)], linked)]),
    ]
  },
}

/** Amounts are linked of expenses and incomes alone. */
function coversLess({ before, after }: TransactionMovement): boolean {
  const [was, is] = [before?.entries[0], after?.entries[0]]
  if (!before || !after || !was || !is) {
    return false
  }
  const { kind } = before.header
  return (
    kind !== after.header.kind ||
    ((kind === 'expense' || kind === 'income') &&
      (was.currency !== is.currency || spendable(after.entries) < spendable(before.entries)))
  )
}

/** Returns the amount of a transaction that can be given back: parts that are transfers stayed with the owner. */
const spendable = (entries: Entry[]): number =>
  Math.abs(
    sum(
      entries
        .filter(({ line, side, pair }) => pair === null && (line === 1 || side === 'exchange'))
        .map(({ amountMinor }) => amountMinor),
    ),
  )
