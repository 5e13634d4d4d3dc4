import { type Transfer, transferEntries } from '../../../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import type { Change } from '../../../../platform/events.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  type LedgerRow,
  ledgerRowById,
  matchedRows,
  newHeader,
  type Part,
  requireUnreconciled,
  rowOf,
  withAttachmentsOf,
  withRefundsOf,
  match,
  unmatch,
  post,
  type Forced,
  type MatchedRows,
} from '../../../../ledger/ledger.public.ts'
import {
  requireTransferCategories,
  transferBookingErrors,
  transferErrors,
} from '../../transactions/transactions.public.ts'
import { rowsOfOwner } from '../../../../ledger/labels/labels.public.ts'
import { transferById } from '../transfers.queries.ts'
import { transferConflicts, existing, type TransferView, viewsOf } from '../transfers.usecases.ts'
import {
  categoriesIn,
  labelsFromBoth,
  type MatchWords,
  newPart,
  partFrom,
  requireHalves,
  type Sides,
  type ToldSides,
  transferFrom,
  transferTold,
  wordsFrom,
} from './matching.rules.ts'

export interface Match extends MatchWords {
  fromTransactionId: string
  toTransactionId: string
  force?: boolean | undefined
}

function found(row: LedgerRow | undefined, field: string): LedgerRow {
  if (!row) {
    throw transferErrors.unknownTransaction({ field })
  }
  return row
}

/** Puts one transfer in the place of an expense and an income, which are kept beside the ledger. */
export async function matchTransfer(ctx: SignedIn, wanted: Match): Promise<TransferView> {
  const { fromTransactionId, toTransactionId } = wanted
  const named = categoriesIn(wanted)
  const [[one], [other], categories] = await read(
    ctx,
    ledgerRowById(ctx, fromTransactionId),
    ledgerRowById(ctx, toTransactionId),
    categoriesByIds(
      ctx,
      named.map(({ id }) => id),
    ),
  )
  const sides: Sides = {
    from: found(one, 'fromTransactionId'),
    to: found(other, 'toTransactionId'),
  }
  requireHalves(sides)
  requireTransferCategories(named, rowsOfOwner(sides.from.ownerId, categories))
  const { joined, view } = joining(ctx, sides, transferFrom(sides, wanted), wanted.force)
  return commit(ctx, {
    changes: [post(ctx, { ...transferBookingErrors, force: wanted.force }, match(ctx, [joined]))],
    result: {
      from: withAttachmentsOf(view.from, sides.from, sides.to),
      to: withAttachmentsOf(view.to, sides.from, sides.to),
    },
    conflicts: transferConflicts,
  })
}

/** What puts one transfer in the place of two halves. */
function joining(
  ctx: SignedIn,
  sides: Sides,
  transfer: Transfer,
  force: boolean | undefined,
): { joined: MatchedRows; view: TransferView } {
  const rows = [sides.from, sides.to]
  const forced = forcedBy(rows, force)
  const entries = transferEntries(transfer)
  const { ownerId } = sides.from
  const header = newHeader(ctx, {
    id: freshId(ctx, 'trf'),
    ownerId,
    kind: 'transfer',
    date: transfer.date,
    ...wordsFrom(sides),
  })
  const labels = labelsFromBoth(sides)
  const view = { from: rowOf(header, entries, 1, labels), to: rowOf(header, entries, 2, labels) }
  return { joined: { rows, transfer: { header, entries, labels }, forced }, view }
}

/** Joins halves that are known to belong together, all in one change. */
export function joinHalves(ctx: SignedIn, pairs: ToldSides[], force: boolean | undefined): Change {
  const all = pairs.map((sides) => {
    requireHalves(sides)
    return joining(ctx, sides, transferTold(sides), force).joined
  })
  return post(ctx, { ...transferBookingErrors, force }, match(ctx, all))
}

const forcedBy = (rows: LedgerRow[], force: boolean | undefined): Forced =>
  Object.assign(
    {},
    ...rows.map((row) => requireUnreconciled(row, { force }, transferErrors.reconciled)),
  )

/** Puts two rows in the place of a transfer: those that were matched, or else new ones. */
export async function unmatchTransfer(ctx: SignedIn, id: string, force?: boolean): Promise<Sides> {
  const [legs, originals] = await read(ctx, transferById(ctx, id), matchedRows(ctx, id))
  const { from, to } = existing(viewsOf(legs)[0])
  const forced = forcedBy([from], force)
  const outgoing = originals.find(({ amountMinor }) => amountMinor < 0)
  const incoming = originals.find(({ amountMinor }) => amountMinor > 0)
  const matched = outgoing && incoming && { from: outgoing, to: incoming }
  const partOf = (leg: LedgerRow, original: LedgerRow | undefined) =>
    original
      ? partFrom(original, leg, { matched, now: ctx.now })
      : newPart(leg, { id: freshId(ctx, 'txn'), now: ctx.now })
  const parts: [Part, Part] = [partOf(from, outgoing), partOf(to, incoming)]
  const [one, other] = [rowFrom(parts[0]), rowFrom(parts[1])]
  return commit(ctx, {
    // The transfer may have become less than what its rows were linked with.
    changes: [post(ctx, { ...transferBookingErrors, force }, unmatch(ctx, from, parts, forced))],
    result: {
      from: withRefundsOf(withAttachmentsOf(one, from), outgoing),
      to: withRefundsOf(other, incoming),
    },
    conflicts: transferConflicts,
  })
}

const rowFrom = ({ header, entries, labels }: Part) => rowOf(header, entries, 1, labels)
