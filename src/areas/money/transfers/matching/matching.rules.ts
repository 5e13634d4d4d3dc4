import { transferIdFrom } from '../../../../domain/ids.ts'
import {
  type Fee,
  type Leg,
  legOf,
  MAX_FEES,
  movedMinorOf,
  singleEntries,
  type Transfer,
  transferOf,
} from '../../../../domain/ledger.ts'
import { add, negate, parseMoney } from '../../../../domain/money.ts'
import {
  entriesOf,
  type Header,
  headerOf,
  type LedgerRow,
  othersOf,
  type Part,
} from '../../../../ledger/ledger.public.ts'
import {
  labelsAt,
  type Labels,
  labelsFrom,
  labelsOf,
  type Named,
  WHOLE,
} from '../../../../ledger/labels/labels.public.ts'
import { MOST_TAGS } from '../../../../domain/ledger-ids.ts'
import type { BookableAccount } from '../../accounts/accounts.public.ts'
import {
  transferErrors as errors,
  transferWithNew,
} from '../../transactions/transactions.public.ts'

/** Two rows: what left an account, and what arrived in another. Of a transfer with one new leg, the same row twice. */
export interface MatchedSides {
  from: LedgerRow
  to: LedgerRow
}

/** The fields of a request for the transfer that it makes of two rows. */
export interface MatchWords {
  categoryId?: string | null | undefined
  /** Set if less arrives because of a fee. */
  fee?: { categoryId?: string | null | undefined } | undefined
}

/** The categories that a request names, each with the field that names it. */
export const categoriesIn = ({ categoryId, fee }: MatchWords): Named[] =>
  [
    { id: categoryId, field: 'categoryId' },
    { id: fee?.categoryId, field: 'fee.categoryId' },
  ].flatMap(({ id, field }) => (id ? [{ id, field }] : []))

/** Refuses rows that are no two halves of a transfer. */
export function requireHalves({ from, to }: MatchedSides): void {
  requireHalf(from, 'expense', 'fromTransactionId')
  requireHalf(to, 'income', 'toTransactionId')
  if (from.accountId === to.accountId) {
    throw errors.sameAccount({ field: 'toTransactionId' })
  }
  if (from.ownerId !== to.ownerId) {
    throw errors.otherOwner({ field: 'toTransactionId' })
  }
}

function requireHalf(row: LedgerRow, kind: 'expense' | 'income', field?: string): void {
  const detail = field === undefined ? {} : { field }
  if (row.kind !== kind) {
    throw errors.notMatchable(detail)
  }
  if (row.status === 'void') {
    throw errors.voidRow(detail)
  }
  if (othersOf(row).length > 1) {
    throw errors.splitRow(detail)
  }
}

/**
 * The transfer of one row, with a new leg on another account.
 * @param toAmount what arrives or leaves there, which between currencies nothing else says
 */
export function transferWith(
  row: LedgerRow,
  { id, ownerId, currency }: BookableAccount,
  toAmount: string | undefined,
): Transfer {
  requireHalf(row, row.kind === 'income' ? 'income' : 'expense')
  if (id === row.accountId) {
    throw errors.sameAccount({ field: 'accountId' })
  }
  if (ownerId !== row.ownerId) {
    throw errors.otherOwner({ field: 'accountId' })
  }
  if (toAmount === undefined && currency !== row.currency) {
    throw errors.toAmountNeeded({ field: 'toAmount' })
  }
  const otherMinor =
    toAmount === undefined
      ? Math.abs(row.amountMinor)
      : parseMoney(toAmount, currency, { allowZero: false, field: 'toAmount' })
  return transferWithNew(
    legAt(row),
    { id, ownerId, currency },
    { date: row.date, signedMinor: row.amountMinor, otherMinor },
  )
}

/** Returns the amount that does not arrive; zero for different currencies. */
const missingIn = ({ from, to }: MatchedSides): number =>
  from.currency === to.currency ? add(negate(from.amountMinor), negate(to.amountMinor)) : 0

/** Two rows that their source says are one transfer, and the fees that it states. */
export interface StatedSides extends MatchedSides {
  fees?: Fee[] | undefined
}

/** The transfer of two rows as their source states it: what does not arrive is its fee, whether the source says so or not. */
export function statedTransfer({ fees, ...sides }: StatedSides): Transfer {
  const missing = missingIn(sides)
  if (fees === undefined || missing < 0) {
    return transferFrom(sides, {})
  }
  const wholeTransfer = transferFrom(sides, missing > 0 ? { fee: {} } : {})
  const isOfOne = sides.from.currency === sides.to.currency
  const total =
    wholeTransfer.amountMinor - movedMinorOf({ amountMinor: wholeTransfer.amountMinor, fees })
  const isUsable =
    fees.length <= MAX_FEES &&
    fees.every(({ amountMinor }) => amountMinor > 0) &&
    (isOfOne ? total === missing : total < wholeTransfer.amountMinor)
  return isUsable ? { ...wholeTransfer, fees } : wholeTransfer
}

/** The transfer that two rows are; within one currency what does not arrive is its fee, if it has one. */
export function transferFrom(
  { from, to }: MatchedSides,
  { categoryId = null, fee }: MatchWords,
): Transfer {
  const missing = missingIn({ from, to })
  if (missing < 0 || (missing > 0 && !fee)) {
    throw errors.amountsDiffer({ field: 'toTransactionId' })
  }
  if (fee && missing === 0) {
    const isSame = from.currency === to.currency
    const reason = isSame ? 'the two amounts are equal' : 'the currencies differ'
    throw errors.noFee({ reason }, { field: 'fee' })
  }
  return {
    from: legAt(from),
    to: legAt(to),
    date: from.date,
    amountMinor: negate(from.amountMinor),
    toAmountMinor: to.amountMinor,
    categoryId,
    fees: fee ? [{ amountMinor: missing, categoryId: fee.categoryId ?? null, note: null }] : [],
  }
}

const legAt = (row: LedgerRow): Leg => {
  const own = entriesOf(row).find(({ line }) => line === row.line)
  if (!own) {
    throw new Error('legAt: a row has a line of its own')
  }
  return legOf(own)
}

/** The fields that a transfer takes from both matched rows. */
type Words = Pick<
  Header,
  | ('description' | 'time' | 'payeeRaw' | 'note' | 'location' | 'metadata')
  | ('reviewed' | 'private' | 'excludeFromReports' | 'source')
>

/**
 * Takes the fields of the outgoing row, or of the incoming one where they are empty. The transfer is private if
 * either row is.
 */
export function wordsFrom({ from, to }: MatchedSides): Words {
  const [one, other] = [headerOf(from), headerOf(to)]
  return {
    description: one.description || other.description,
    time: one.time ?? other.time,
    payeeRaw: one.payeeRaw ?? other.payeeRaw,
    note: one.note ?? other.note,
    location: one.location ?? other.location,
    metadata: one.metadata ?? other.metadata,
    reviewed: one.reviewed && other.reviewed,
    private: one.private || other.private,
    excludeFromReports: one.excludeFromReports && other.excludeFromReports,
    source: one.source,
  }
}

/** The tags of both, as many as there may be, and the payee of the outgoing one, else of the incoming one. */
export function labelsFromBoth({ from, to }: MatchedSides): Labels {
  const [one, other] = [wholeOf(from), wholeOf(to)]
  return labelsFrom([
    {
      line: WHOLE,
      payeeId: one.payeeId ?? other.payeeId,
      tagIds: [...new Set([...one.tagIds, ...other.tagIds])].slice(0, MOST_TAGS),
    },
  ])
}

const wholeOf = (row: LedgerRow) => labelsAt(labelsOf(row), WHOLE)

/**
 * Returns a matched row as it is restored: with the money, the status and the bank's id of its leg, and with later
 * changes of the transfer.
 * @param matched both rows as they were matched; undefined when one of them is erased
 */
export function partFrom(
  original: LedgerRow,
  leg: LedgerRow,
  { matched, now: updatedAt }: { matched: MatchedSides | undefined; now: number },
): Part {
  const before: (Words & { date: string }) | undefined = matched && {
    ...wordsFrom(matched),
    date: matched.from.date,
  }
  const now = headerOf(leg)
  const names = Object.keys(before ?? { date: leg.date }) as (keyof Words | 'date')[]
  const changed = Object.fromEntries(
    names.filter((name) => now[name] !== before?.[name]).map((name) => [name, now[name]]),
  ) as Partial<Header>
  const { version } = original
  const header = { ...headerOf(original), ...changed, version: version + 1, updatedAt }
  const own = legAt(leg)
  const { accountId, ownerId, currency, status, externalId } = own
  const entries = entriesOf(original).map((entry) => {
    const isOwn = entry.side === 'account'
    const booked = { accountId, ownerId, currency, status, date: header.date }
    return {
      ...entry,
      ...booked,
      amountMinor: isOwn ? leg.amountMinor : negate(leg.amountMinor),
      externalId: isOwn ? externalId : null,
    }
  })
  const labels = labelsOfPart(original, leg, matched)
  return { header, entries, labels, returning: { version, changed } }
}

/** The row's own labels, with those that the transfer was given since and without those it lost. */
function labelsOfPart(
  original: LedgerRow,
  leg: LedgerRow,
  matched: MatchedSides | undefined,
): Labels {
  const own = labelsOf(original)
  if (!matched) {
    return own
  }
  const [then, now] = [labelsAt(labelsFromBoth(matched), WHOLE), wholeOf(leg)]
  const whole = labelsAt(own, WHOLE)
  const kept = whole.tagIds.filter((id) => now.tagIds.includes(id) || !then.tagIds.includes(id))
  const given = now.tagIds.filter((id) => !then.tagIds.includes(id))
  const parts = [...new Set([...own.payees, ...own.tags].map(({ line }) => line))]
    .filter((line) => line !== WHOLE)
    .map((line) => labelsAt(own, line))
  return labelsFrom([
    {
      line: WHOLE,
      payeeId: now.payeeId === then.payeeId ? whole.payeeId : now.payeeId,
      tagIds: [...kept, ...given],
    },
    ...parts,
  ])
}

/** True if a bank has reported a leg. */
const isReported = ({ externalId, status }: LedgerRow): boolean =>
  externalId !== null || status === 'cleared' || status === 'reconciled'

/** A transfer, and the rows that it took the place of. */
export interface Joined {
  legs: LedgerRow[]
  originals: LedgerRow[]
}

/** The rows to be booked in the place of a transfer. */
export interface Parting {
  /** Both rows as they were put away; undefined where one is gone for good, or there was none. */
  matched: MatchedSides | undefined
  /** First the one that takes over what hangs on the transfer. */
  rows: { leg: LedgerRow; original: LedgerRow | undefined }[]
}

/**
 * Decides what takes the place of a transfer. A leg that was made for another row goes, unless a bank has reported it since.
 * @param stays the line of the leg that stays if the transfer never was anything else
 */
export function partingOf({ legs, originals }: Joined, stays?: number): Parting {
  const [only, ...more] = originals
  const single =
    more.length === 0 && only && transferIdFrom(only.transactionId) === legs[0]?.transactionId
      ? only
      : undefined
  const [from, to] = [-1, 1].map((sign) =>
    originals.find(({ amountMinor }) => Math.sign(amountMinor) === sign),
  )
  const rows = legs.map((leg) => ({ leg, original: leg.line === 1 ? from : to }))
  const own = single ? rows.find(({ original }) => original)?.leg.line : only ? undefined : stays
  return {
    matched: single ? { from: single, to: single } : from && to && { from, to },
    rows: rows
      .filter(({ leg }) => own === undefined || leg.line === own || isReported(leg))
      .toSorted((one, other) => Number(one.leg.line !== own) - Number(other.leg.line !== own)),
  }
}

/** A leg that never was a row of its own, as one: without a category, the fees as parts of what left. */
export function newPart(leg: LedgerRow, { id, now }: { id: string; now: number }): Part {
  const kind = leg.amountMinor < 0 ? 'expense' : 'income'
  const fees = kind === 'expense' ? (transferOf(entriesOf(leg))?.fees ?? []) : []
  const amountMinor = movedMinorOf({ amountMinor: Math.abs(leg.amountMinor), fees })
  const stamps = { version: 1, createdAt: now, updatedAt: now }
  return {
    header: { ...headerOf(leg), id, kind, rate: null, ...stamps },
    entries: singleEntries({
      kind,
      leg: legAt(leg),
      date: leg.date,
      signedMinor: leg.amountMinor,
      categoryId: null,
      splits: fees.length > 0 ? [{ amountMinor, categoryId: null, note: null }, ...fees] : [],
    }),
    labels: labelsFrom([wholeOf(leg)]),
  }
}
