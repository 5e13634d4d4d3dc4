import type { AppError } from '../../../../domain/errors.ts'
import {
  type Entry,
  MAX_TRANSFER_PARTS,
  type PartTransfer,
  singleEntries,
  type Split,
  type Status,
} from '../../../../domain/ledger.ts'
import { splitLineOf } from '../../../../domain/ledger-ids.ts'
import {
  entriesOf,
  headerOf,
  hidesAccount,
  type LedgerRow,
  type MatchedPart,
  type MatchedRow,
  othersOf,
  type Part,
} from '../../../../ledger/ledger.public.ts'
import {
  labelsAt,
  type Labels,
  labelsFrom,
  labelsOf,
} from '../../../../ledger/labels/labels.public.ts'
import { furtherOf } from '../duplicates/duplicates.rules.ts'
import { transferErrors } from '../recording/transfers.errors.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'
import { type Booking, bookingOf } from '../transactions.rules.ts'

/** A part of a transaction, with the line that stores it. */
interface FoundPart {
  booking: Booking
  split: Split
  line: number
  entry: Entry
}

/** The part that a path names. */
export function partAt(row: LedgerRow, splitId: string): FoundPart {
  if (row.pair !== null) {
    throw errors.partLeg()
  }
  const { kind, transactionId } = row
  const line = splitLineOf(transactionId, splitId)
  const entries = entriesOf(row)
  const entry = entries.find((one) => one.line === line)
  const booking = kind === 'transfer' || kind === 'opening' ? undefined : bookingOf(kind, entries)
  const split = booking?.splits.find((one) => one.line === line)
  if (!booking || !split || !entry || line === undefined) {
    throw errors.splitNotFound()
  }
  const other = split.transfer?.leg.accountId
  if (other !== undefined && hidesAccount(row, other)) {
    throw errors.partHidden()
  }
  return { booking, split, line, entry }
}

/** The entries and labels of a whole after one of its parts has changed. */
export interface WholeAfter {
  entries: Entry[]
  labels: Labels
}

const unfit = (reason: string, field?: string): AppError =>
  errors.partNotMatchable({ reason }, field === undefined ? undefined : { field })

/** Refuses a row that is not the other half of a part. */
function requireHalf(whole: LedgerRow, { split, entry }: FoundPart, row: LedgerRow): void {
  const field = 'transactionId'
  if (row.ownerId !== whole.ownerId) {
    throw transferErrors.otherOwner({ field })
  }
  if (whole.status === 'void') {
    throw unfit('the transaction is void')
  }
  if (row.accountId === whole.accountId) {
    throw unfit('both are on the same account', field)
  }
  if (split.transfer && split.transfer.leg.accountId !== row.accountId) {
    throw unfit('the part is a transfer with another account', field)
  }
  if ((row.kind !== 'expense' && row.kind !== 'income') || othersOf(row).length > 1) {
    throw unfit('only an expense or an income without parts can be matched', field)
  }
  if (row.status === 'void') {
    throw unfit('the other transaction is void', field)
  }
  // The line of the part goes the other way than its account.
  if (row.amountMinor > 0 !== entry.amountMinor > 0) {
    throw unfit('both move money in the same direction', field)
  }
  if (row.currency === whole.currency && row.amountMinor !== entry.amountMinor) {
    throw unfit('the amounts differ', field)
  }
  // Everybody who sees the account of the row would see it from then on.
  if (row.private === 1 && whole.private === 0) {
    throw unfit('the other transaction is private, and this one is not', field)
  }
}

/** Returns the fields that the matched part takes from the row, and from the other side that it had. */
const taken = (
  row: Pick<LedgerRow, 'status' | 'externalId' | 'payeeRaw'>,
  leg: MatchedPart['leg'],
) => ({
  status: leg ? furtherOf(row.status, leg.status) : row.status,
  externalId: row.externalId ?? leg?.externalId ?? null,
  payeeRaw: row.payeeRaw ?? leg?.payeeRaw ?? null,
})

/** The category that a part keeps as a transfer, which has one for expenses. */
const keptCategory = ({ side, categoryId }: Pick<MatchedPart, 'side' | 'categoryId'>) =>
  side === 'expense' || side === 'exchange' ? categoryId : null

/**
 * Makes a row the other side of a part, or refuses it.
 * @param matched the rows that are such of other parts already
 */
export function matchedWith(
  whole: LedgerRow,
  found: FoundPart,
  row: LedgerRow,
  matched: MatchedRow[],
): WholeAfter & { part: MatchedPart } {
  const { booking, split, line, entry } = found
  if (matched.some((one) => partOf(one).line === line)) {
    throw unfit('it is matched already')
  }
  requireHalf(whole, found, row)
  const { transfer } = split
  if (!transfer && booking.splits.filter((one) => one.transfer).length >= MAX_TRANSFER_PARTS) {
    throw errors.tooManyTransferParts()
  }
  const labels = labelsOf(whole)
  const part: MatchedPart = {
    line,
    side: entry.side,
    categoryId: split.categoryId,
    payeeId: labelsAt(labels, line).payeeId,
    date: whole.date,
    leg: transfer
      ? {
          amountMinor: transfer.amountMinor,
          payeeRaw: transfer.payeeRaw,
          status: transfer.leg.status,
          externalId: transfer.leg.externalId,
        }
      : null,
  }
  const { payeeRaw, ...said } = taken(row, part.leg)
  const { accountId, ownerId, currency } = row
  const after: Split = {
    line,
    amountMinor: split.amountMinor,
    categoryId: keptCategory(part),
    note: split.note,
    transfer: {
      line: transfer?.line,
      leg: { accountId, ownerId, currency, ...said },
      amountMinor: Math.abs(row.amountMinor),
      payeeRaw,
    },
  }
  return {
    part,
    entries: entriesWith(whole, booking, after),
    labels: withPayee(labels, line, null),
  }
}

const partOf = ({ matchedPart }: MatchedRow): MatchedPart =>
  JSON.parse(matchedPart ?? '{}') as MatchedPart

/** The row that is the other side of a part. */
export function rowMatchedInto(found: FoundPart, matched: MatchedRow[]): MatchedRow {
  const row = matched.find((one) => one.matchedPart !== null && partOf(one).line === found.line)
  if (!row) {
    throw unfit('it was not matched')
  }
  if (row.isSeen === 0) {
    throw errors.partHidden()
  }
  return row
}

/** A whole, and the row that was the other side of a part of it. */
export interface Unmatched {
  transaction: LedgerRow
  restored: LedgerRow
}

/** The labels that a part gets back, as far as they are still there. */
type Restored = Pick<MatchedPart, 'categoryId' | 'payeeId'>

/** Takes a row away from a part again. What was changed since, of the row or of the part, stays changed on both. */
export function unmatchedFrom(
  whole: LedgerRow,
  { booking, split, line }: FoundPart,
  row: MatchedRow,
  now: number,
): WholeAfter & { row: ReturningPart; restored: Restored } {
  const { transfer } = split
  if (!transfer) {
    throw new Error('unmatchedFrom: what a row was matched into is a transfer')
  }
  if (whole.status === 'void') {
    throw unfit('the transaction is void')
  }
  const was = partOf(row)
  const isRestored = was.side !== 'exchange' && split.categoryId === keptCategory(was)
  const restored: Restored = {
    categoryId: isRestored && row.hasCategory === 1 ? was.categoryId : null,
    payeeId: row.hasPayee === 1 ? was.payeeId : null,
  }
  const after: Split = {
    line,
    amountMinor: split.amountMinor,
    categoryId: isRestored ? restored.categoryId : split.categoryId,
    note: split.note,
    ...(was.leg ? { transfer: legBefore(whole, transfer, row, was.leg) } : {}),
    ...(was.side === 'adjustment' && split.categoryId === null ? { isLeft: true } : {}),
  }
  const labels = labelsOf(whole)
  return {
    restored,
    // While it was a transfer it could be given a category for expenses alone.
    entries: entriesWith(
      whole,
      booking,
      after,
      isRestored && was.side === 'income' ? null : after.categoryId,
    ),
    labels: was.leg ? labels : withPayee(labels, line, restored.payeeId),
    row: returned(whole, transfer, { row, was, now }),
  }
}

/** The other side that a part had before: what was changed of it since stays. */
function legBefore(
  { currency }: LedgerRow,
  transfer: PartTransfer,
  row: MatchedRow,
  was: NonNullable<MatchedPart['leg']>,
): PartTransfer {
  const then = taken(row, was)
  const { leg, payeeRaw, amountMinor } = transfer
  const isSameAmount = amountMinor === Math.abs(row.amountMinor)
  return {
    line: transfer.line,
    leg: {
      ...leg,
      status: leg.status === then.status ? was.status : leg.status,
      externalId: was.externalId,
    },
    amountMinor: currency !== leg.currency && isSameAmount ? was.amountMinor : amountMinor,
    payeeRaw: payeeRaw === then.payeeRaw ? was.payeeRaw : payeeRaw,
  }
}

type ReturningPart = Part & Required<Pick<Part, 'returning'>>

/** A row as it comes back: with the money of the other side, and with what else was changed of that since. */
function returned(
  whole: LedgerRow,
  { leg, amountMinor, payeeRaw }: PartTransfer,
  { row, was, now }: { row: MatchedRow; was: MatchedPart; now: number },
): ReturningPart {
  const then = taken(row, was.leg)
  const date = whole.date === was.date ? row.date : whole.date
  const status: Status = leg.status === then.status ? row.status : leg.status
  const changed = {
    ...(date === row.date ? {} : { date }),
    ...(payeeRaw === then.payeeRaw ? {} : { payeeRaw }),
  }
  const { version } = row
  return {
    header: { ...headerOf(row), ...changed, version: version + 1, updatedAt: now },
    entries: entriesOf(row).map((entry) => ({
      ...entry,
      date,
      status,
      amountMinor: entry.amountMinor < 0 ? -amountMinor : amountMinor,
    })),
    labels: labelsOf(row),
    returning: { version, changed },
  }
}

/** The entries of a whole with one part changed. */
function entriesWith(
  row: LedgerRow,
  booking: Booking,
  after: Split,
  expenseCategoryId: string | null = null,
): Entry[] {
  return singleEntries({
    ...booking,
    splits: booking.splits.map((one) => (one.line === after.line ? after : one)),
    expenseCategoryIds: new Set([
      ...booking.expenseCategoryIds,
      ...(expenseCategoryId === null ? [] : [expenseCategoryId]),
    ]),
    lastLine: Math.max(row.lastLine, ...entriesOf(row).map(({ line }) => line)),
  })
}

const withPayee = (labels: Labels, line: number, payeeId: string | null): Labels =>
  labelsFrom(
    [...new Set([...labels.payees, ...labels.tags].map((one) => one.line)), line]
      .filter((at, index, all) => all.indexOf(at) === index)
      .map((at) => ({ ...labelsAt(labels, at), ...(at === line ? { payeeId } : {}) })),
  )
