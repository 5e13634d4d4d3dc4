import type { CalendarDate } from '../../../domain/calendar.ts'
import { singleEntries } from '../../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import type { LogItem } from '../../../platform/old-change.ts'
import type { Statement } from '../../../platform/statements.ts'
import {
  imageOf,
  insertTransaction,
  type LedgerRow,
  newHeader,
  replaceTransaction,
  requireUnreconciled,
  rowOf,
  trashTransactions,
} from '../../ledger/ledger.public.ts'
import { valuationErrors } from '../valuations.errors.ts'

/** What brings an adjustment to where it is wanted. */
interface Booking {
  transactionId: string | null
  writes: Statement[]
  items: LogItem[]
  forced: { forced?: true }
}

/**
 * The adjustment of a valuation among those that were read. One that was made another kind by hand, void, or
 * moved to another day or account is a booking of the user's own, and is left alone.
 */
export const adjustmentIn = (
  rows: LedgerRow[],
  valuation: { accountId: string; date: CalendarDate; transactionId: string | null },
): LedgerRow | undefined =>
  rows.find(
    (row) =>
      row.transactionId === valuation.transactionId &&
      row.kind === 'adjustment' &&
      row.status !== 'void' &&
      row.accountId === valuation.accountId &&
      row.date === valuation.date,
  )

/** Books, rebooks or moves to the trash, whichever leads from the adjustment that is there to the wanted one. */
export function bookAdjustment(
  ctx: SignedIn,
  account: { id: string; ownerId: string; currency: string },
  row: LedgerRow | undefined,
  { date, minor, force }: { date: CalendarDate; minor: number; force: boolean | undefined },
): Booking {
  const isThere = (row?.amountMinor ?? 0) === minor && (!row || row.date === date)
  if (isThere) {
    return { transactionId: row?.transactionId ?? null, writes: [], items: [], forced: {} }
  }
  const forced = row ? requireUnreconciled(row, { force }, valuationErrors.reconciled) : {}
  const before = row && imageOf(row)
  const itemOf = (resourceId: string, after?: object): LogItem[] => [
    { resourceId, changes: { before, after, ...forced } },
  ]
  if (row && minor === 0) {
    const { transactionId: id, version } = row
    return {
      transactionId: null,
      writes: trashTransactions(ctx, [{ id, version }]),
      items: itemOf(id),
      forced,
    }
  }
  const entries = singleEntries({
    kind: 'adjustment',
    leg: {
      accountId: account.id,
      ownerId: account.ownerId,
      currency: account.currency,
      status: row?.status ?? 'cleared',
      externalId: row?.externalId ?? null,
    },
    date,
    signedMinor: minor,
    categoryId: null,
    splits: [],
  })
  if (row) {
    const { transactionId } = row
    const writes = replaceTransaction(ctx, row, { date }, entries)
    const items = itemOf(transactionId, { ...before, date, entries })
    return { transactionId, writes, items, forced }
  }
  const id = freshId(ctx, 'txn')
  const header = newHeader(ctx, { id, ownerId: account.ownerId, kind: 'adjustment', date })
  return {
    transactionId: id,
    writes: insertTransaction(header, entries),
    items: itemOf(id, imageOf(rowOf(header, entries, 1))),
    forced,
  }
}
