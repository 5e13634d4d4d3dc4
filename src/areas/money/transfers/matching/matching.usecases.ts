import { transferIdFrom } from '../../../../domain/ids.ts'
import { addressOf, isLegOfPart } from '../../../../domain/ledger-ids.ts'
import { type Transfer, transferEntries } from '../../../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { accountsForBooking, type BookableAccount } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  type Amendment,
  entriesOf,
  headerOf,
  type LedgerRow,
  ledgerRowById,
  matchedRows,
  newHeader,
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
  transactionErrors,
  transferBookingErrors,
  transferErrors,
} from '../../transactions/transactions.public.ts'
import { labelsOf, rowsOfOwner } from '../../../../ledger/labels/labels.public.ts'
import { transferById } from '../transfers.queries.ts'
import {
  transferConflicts,
  existingTransfer,
  type TransferView,
  viewsOf,
} from '../transfers.usecases.ts'
import {
  categoriesIn,
  labelsFromBoth,
  type MatchWords,
  newPart,
  partFrom,
  partingOf,
  requireHalves,
  type MatchedSides,
  type StatedSides,
  transferFrom,
  statedTransfer,
  transferWith,
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
  const sides: MatchedSides = {
    from: found(one, 'fromTransactionId'),
    to: found(other, 'toTransactionId'),
  }
  requireHalves(sides)
  requireTransferCategories(named, rowsOfOwner(sides.from.ownerId, categories))
  return join(ctx, sides, transferFrom(sides, wanted), wanted.force)
}

export interface TransferConversion {
  accountId: string
  toAmount?: string | undefined
  force?: boolean | undefined
}

/** Puts a transfer in the place of one expense or income, which is kept beside the ledger. The other leg is new. */
export async function convertToTransfer(
  ctx: SignedIn,
  id: string,
  { accountId, toAmount, force }: TransferConversion,
): Promise<TransferView> {
  const [[row], [account]] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsForBooking(ctx, [accountId]),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  if (!account) {
    throw transferErrors.unknownAccount({ field: 'accountId' })
  }
  return join(ctx, { from: row, to: row }, transferWith(row, account, toAmount), force)
}

function join(
  ctx: SignedIn,
  sides: MatchedSides,
  transfer: Transfer,
  force: boolean | undefined,
): Promise<TransferView> {
  const { joined, view } = joining(ctx, sides, transfer, force)
  return commit(ctx, {
    changes: [post(ctx, { ...transferBookingErrors, force }, match(ctx, [joined]))],
    result: {
      from: withAttachmentsOf(view.from, sides.from, sides.to),
      to: withAttachmentsOf(view.to, sides.from, sides.to),
    },
    // Somebody else may have made the same transfer meanwhile.
    conflicts: { ...transferConflicts, 'transactions.id': changedMeanwhile },
  })
}

/** Returns the change that replaces two halves, or one row, by a transfer. */
function joining(
  ctx: SignedIn,
  sides: MatchedSides,
  transfer: Transfer,
  force: boolean | undefined,
): { joined: MatchedRows; view: TransferView } {
  const rows = [...new Set([sides.from, sides.to])]
  const forced = forcedBy(rows, force)
  const entries = transferEntries(transfer)
  const { ownerId, transactionId } = sides.from
  const header = newHeader(ctx, {
    id: rows.length === 1 ? transferIdFrom(transactionId) : freshId(ctx, 'trf'),
    ownerId,
    kind: 'transfer',
    date: transfer.date,
    ...wordsFrom(sides),
  })
  const labels = labelsFromBoth(sides)
  const view = { from: rowOf(header, entries, 1, labels), to: rowOf(header, entries, 2, labels) }
  return { joined: { rows, transfer: { header, entries, labels }, forced }, view }
}

/** The transfer that takes the place of one row, with a change of the row in it. The row is kept as it was. */
export function converting(
  ctx: SignedIn,
  { row, columns, entries = entriesOf(row), labels = labelsOf(row), facts }: Amendment,
  account: BookableAccount,
  force: boolean | undefined,
): MatchedRows {
  const forced = forcedBy([row], force)
  const changed = rowOf({ ...headerOf(row), ...columns }, entries, row.line, labels)
  const sides = { from: changed, to: changed }
  const { joined } = joining(ctx, sides, transferWith(changed, account, undefined), force)
  return { rows: [row], transfer: { ...joined.transfer, facts }, forced }
}

/** Joins halves that are known to belong together, all in one change. */
export function joinHalves(
  ctx: SignedIn,
  pairs: StatedSides[],
  force: boolean | undefined,
): Change {
  const all = pairs.map((sides) => {
    requireHalves(sides)
    return joining(ctx, sides, statedTransfer(sides), force).joined
  })
  return post(ctx, { ...transferBookingErrors, force }, match(ctx, all))
}

const forcedBy = (rows: LedgerRow[], force: boolean | undefined): Forced =>
  Object.assign(
    {},
    ...rows.map((row) => requireUnreconciled(row, { force }, transferErrors.reconciled)),
  )

/** The rows that took the place of a transfer; null of a leg that is gone. */
export interface Parted {
  from: LedgerRow | null
  to: LedgerRow | null
}

/** Puts two rows in the place of a transfer: those that were matched, or else new ones; or the only one that it was made of. */
export const unmatchTransfer = (ctx: SignedIn, id: string, force?: boolean): Promise<Parted> =>
  part(ctx, id, { force })

/** Reverts a transfer by the id of a leg, or of the row that became one. If the transfer never was rows, that leg alone stays. */
export function revertToSingle(ctx: SignedIn, id: string, force?: boolean): Promise<Parted> {
  const { transactionId, line } = addressOf(id)
  const transferId = isLegOfPart(line) ? '' : transferIdFrom(transactionId)
  return part(ctx, transferId, { force, stays: line })
}

async function part(
  ctx: SignedIn,
  id: string,
  { force, stays }: { force: boolean | undefined; stays?: number },
): Promise<Parted> {
  const [legs, originals] = await read(ctx, transferById(ctx, id), matchedRows(ctx, id))
  const { from, to } = existingTransfer(viewsOf(legs)[0])
  requireVersion(ctx, from.version)
  const forced = forcedBy([from], force)
  const { matched, rows } = partingOf({ legs: [from, to], originals }, stays)
  const parted = rows.map(({ leg, original }) => ({
    ...{ leg, original },
    part: original
      ? partFrom(original, leg, { matched, now: ctx.now })
      : newPart(leg, { id: freshId(ctx, 'txn'), now: ctx.now }),
  }))
  const parts = parted.map((one) => one.part)
  const booked = parted.map(({ leg, original, part: { header, entries, labels } }, at) => {
    const row = withRefundsOf(rowOf(header, entries, 1, labels), original)
    return { line: leg.line, row: at === 0 ? withAttachmentsOf(row, from) : row }
  })
  const rowOn = (line: number) => booked.find((one) => one.line === line)?.row ?? null
  return commit(ctx, {
    // The transfer may have become less than what its rows were linked with.
    changes: [post(ctx, { ...transferBookingErrors, force }, unmatch(ctx, from, parts, forced))],
    result: { from: rowOn(1), to: rowOn(2) },
    conflicts: transferConflicts,
  })
}
