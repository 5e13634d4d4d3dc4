import type { CalendarDate } from '../../../../domain/calendar.ts'
import { singleEntries } from '../../../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import {
  type LedgerRow,
  newHeader,
  requireUnreconciled,
  amend,
  book,
  discard,
  type Forced,
  type Posting,
} from '../../../../ledger/ledger.public.ts'
import { NO_LABELS } from '../../../../ledger/labels/labels.public.ts'
import { valuationErrors } from '../valuations.errors.ts'

/** Returns the change that brings an adjustment to the wanted amount. */
interface Booking {
  transactionId: string | null
  /** Undefined where it is there already. */
  posting?: Posting
  forced: Forced
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
    return { transactionId: row?.transactionId ?? null, forced: {} }
  }
  const forced = row ? requireUnreconciled(row, { force }, valuationErrors.reconciled) : {}
  if (row && minor === 0) {
    return { transactionId: null, posting: discard(ctx, [{ row, ...forced }]), forced }
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
    const posting = amend(ctx, [{ row, columns: { date }, entries, right: 'write', ...forced }])
    return { transactionId: row.transactionId, posting, forced }
  }
  const id = freshId(ctx, 'txn')
  const header = newHeader(ctx, { id, ownerId: account.ownerId, kind: 'adjustment', date })
  return { transactionId: id, posting: book([{ header, entries, labels: NO_LABELS }]), forced }
}
