import { type AppError, errorTable } from './errors.ts'
import { coreOf } from './ids.ts'
import { add, negate, sum } from './money.ts'

// Money moves only as balanced entries. A transaction is a header and signed lines that sum to zero in
// every currency; docs/topics/ledger.md works the numbers.

const errors = errorTable('ledger', {
  feeTooLarge: [
    'invalid',
    'The fees together must be less than the amount that leaves the account.',
  ],
  transferMismatch: [
    'invalid',
    'The accounts have the same currency, so toAmount must be amount less the fees.',
  ],
  unbalanced: ['internal', 'The service failed.'],
})

export type Kind = 'expense' | 'income' | 'transfer' | 'adjustment' | 'opening'
export type Status = 'pending' | 'uncleared' | 'cleared' | 'reconciled' | 'void'

/** Where the money of a line is: in the account itself, or outside of it. */
export type EntrySide = 'account' | 'expense' | 'income' | 'opening' | 'adjustment' | 'exchange'

export interface Entry {
  /** Keeps its number for as long as it exists. */
  line: number
  accountId: string
  ownerId: string
  side: EntrySide
  date: string
  /** Signed minor units of `currency`; into the account is positive. */
  amountMinor: number
  currency: string
  status: Status
  categoryId: string | null
  note: string | null
  externalId: string | null
}

/** One account's side of a transaction. */
export interface Leg {
  accountId: string
  ownerId: string
  currency: string
  status: Status
  externalId: string | null
}

/** A part of a transaction; `amountMinor` is signed against the whole: a refund inside is negative. */
export interface Split {
  /** Of a line that is kept; a new one gets the next number. */
  line?: number | undefined
  amountMinor: number
  categoryId: string | null
  note: string | null
}

const ACCOUNT_LINE = 1
const FIRST_OTHER_LINE = 2

interface Single {
  kind: Exclude<Kind, 'transfer'>
  leg: Leg
  date: string
  /** As seen from the account. */
  signedMinor: number
  categoryId: string | null
  splits: Split[]
  /** Those of its categories that are of the kind `expense`: an income may have them, and is a refund then. */
  expenseCategoryIds?: ReadonlySet<string>
  /** The highest number that a line has or had: a new part comes after it, and is never taken for one that was dropped. */
  lastLine?: number
}

/** How many parts a transaction may have. */
export const MAX_PARTS = 100

/** The entries of a transaction with one account: what the account sees, and where it came from or went. */
export function singleEntries(single: Single): Entry[] {
  const { kind, leg, date, signedMinor, categoryId, splits, lastLine = ACCOUNT_LINE } = single
  const parts: Split[] =
    splits.length > 0
      ? splits
      : [{ line: FIRST_OTHER_LINE, amountMinor: Math.abs(signedMinor), categoryId, note: null }]
  let nextLine = Math.max(lastLine, ...parts.map(({ line = 0 }) => line))
  const others = parts.map((part) =>
    entry(leg, date, {
      line: part.line ?? ++nextLine,
      side: isRefund(single, part.categoryId) ? 'expense' : kind,
      amountMinor: signedMinor < 0 ? part.amountMinor : negate(part.amountMinor),
      categoryId: part.categoryId,
      note: part.note,
    }),
  )
  const own = entry(leg, date, { line: ACCOUNT_LINE, side: 'account', amountMinor: signedMinor })
  return balanced([{ ...own, externalId: leg.externalId }, ...others])
}

/** Whether a part of an income gives back what was spent on its category. */
const isRefund = ({ kind, expenseCategoryIds }: Single, categoryId: string | null): boolean =>
  kind === 'income' && categoryId !== null && expenseCategoryIds?.has(categoryId) === true

/** The categories of lines that are of the kind `expense`. */
export const expenseCategoriesOf = (entries: Pick<Entry, 'side' | 'categoryId'>[]): string[] =>
  entries.flatMap(({ side, categoryId }) =>
    side === 'expense' && categoryId !== null ? [categoryId] : [],
  )

/** A cost of a transfer, which is part of what leaves. */
export interface Fee {
  amountMinor: number
  categoryId: string | null
  note: string | null
}

/** How many fees a transfer may have. */
export const MAX_FEES = 10

export interface Transfer {
  from: Leg
  to: Leg
  date: string
  /** All that leaves `from`, the fees included. */
  amountMinor: number
  /** All that arrives at `to`, in its currency. */
  toAmountMinor: number
  /** What the money is moved for; the fees have categories of their own. */
  categoryId: string | null
  fees: Fee[]
}

/** Line numbers of a transfer; fixed, because legs are addressed by them. Fees have the numbers from the last one on. */
const TRANSFER_LINES = { from: 1, to: 2, sold: 3, bought: 4, fees: 5 }

/** The amount that leaves without the fees; zero or negative where they take all of it. */
export const movedMinorOf = ({ amountMinor, fees }: Pick<Transfer, 'amountMinor' | 'fees'>) =>
  // Stops there, so that no number of fees is out of range.
  fees.reduce((left, fee) => (left <= 0 ? left : add(left, negate(fee.amountMinor))), amountMinor)

/**
 * The entries of a transfer. Between currencies each side is met by a line on the exchange, so that each
 * currency sums to zero on its own.
 * @param feeField the field of the request that says the fees
 * @throws AppError invalid `ledger.transferMismatch` when within one currency other than everything but
 * the fees arrives
 */
export function transferEntries(
  { from, to, date, amountMinor, toAmountMinor, categoryId, fees }: Transfer,
  feeField = 'fees',
): Entry[] {
  const moved = movedMinorOf({ amountMinor, fees })
  if (moved <= 0) {
    throw errors.feeTooLarge({ field: feeField })
  }
  if (from.currency === to.currency && moved !== toAmountMinor) {
    throw errors.transferMismatch({ field: 'toAmount' })
  }
  const { from: fromLine, to: toLine, sold, bought, fees: firstFee } = TRANSFER_LINES
  const out = entry(from, date, {
    line: fromLine,
    side: 'account',
    amountMinor: negate(amountMinor),
    categoryId,
  })
  const into = entry(to, date, {
    line: toLine,
    side: 'account',
    amountMinor: toAmountMinor,
    categoryId,
  })
  const exchange =
    from.currency === to.currency
      ? []
      : [
          entry(from, date, { line: sold, side: 'exchange', amountMinor: moved }),
          entry(to, date, { line: bought, side: 'exchange', amountMinor: negate(toAmountMinor) }),
        ]
  const charged = fees.map((fee, at) =>
    entry(from, date, { line: firstFee + at, side: 'expense', ...fee }),
  )
  return balanced([
    { ...out, externalId: from.externalId },
    { ...into, externalId: to.externalId },
    ...exchange,
    ...charged,
  ])
}

/** What `transferEntries` made the entries of a transfer from; undefined for other entries. */
export function transferOf(entries: Entry[]): Transfer | undefined {
  const at = (line: number) => entries.find((one) => one.line === line)
  const [from, to] = [TRANSFER_LINES.from, TRANSFER_LINES.to].map(at)
  if (from?.side !== 'account' || to?.side !== 'account') {
    return undefined
  }
  return {
    from: legOf(from),
    to: legOf(to),
    date: from.date,
    amountMinor: negate(from.amountMinor),
    toAmountMinor: to.amountMinor,
    categoryId: from.categoryId,
    fees: feesIn(entries).map(({ amountMinor, categoryId, note }) => ({
      ...{ amountMinor, categoryId, note },
    })),
  }
}

/** The lines of a transfer's fees, in their order. */
export const feesIn = <Line extends Pick<Entry, 'side' | 'line'>>(entries: Line[]): Line[] =>
  entries.filter(({ side }) => side === 'expense').toSorted((a, b) => a.line - b.line)

/** What a transfer moves, as seen from one of its accounts. */
export interface Flow {
  counterAccountId: string
  /** Without the fees, which are lines of their own; what leaves is negative. */
  flowMinor: number
}

const NO_FLOW: { [key in keyof Flow]: null } = { counterAccountId: null, flowMinor: null }

/** What moves between the accounts of a transaction, on the line that it is kept on: each account line of a transfer. */
export function flowOf(entries: Entry[], { side, line, accountId, amountMinor }: Entry) {
  const counter =
    side === 'account'
      ? entries.find((other) => other.side === 'account' && other.line !== line)
      : undefined
  if (!counter) {
    return NO_FLOW
  }
  const fees = entries.filter((fee) => fee.side === 'expense' && fee.accountId === accountId)
  const flowMinor = sum([amountMinor, ...fees.map((fee) => fee.amountMinor)])
  return { counterAccountId: counter.accountId, flowMinor } satisfies Flow
}

/** The account's side that an account line stands for. */
export const legOf = ({ accountId, ownerId, currency, status, externalId }: Entry): Leg => ({
  accountId,
  ownerId,
  currency,
  status,
  externalId,
})

/** Whether two lists of entries are the same lines with the same content, in whatever order. */
export const isSameBooking = (one: Entry[], other: Entry[]): boolean =>
  JSON.stringify(comparable(one)) === JSON.stringify(comparable(other))

/**
 * Whether they say something else of the same money at most: its categories, and notes on its parts. The category of an income
 * says whether a line is on the side of the income or, as a refund, of the expenses.
 */
export const isSameMoney = (one: Entry[], other: Entry[]): boolean =>
  isSameBooking(one.map(withoutWords), other.map(withoutWords))

/** The statuses between which a line may change in place: each counts in the balance, and says how far it is confirmed. */
const IN_PLACE: Status[] = ['uncleared', 'cleared', 'reconciled']

/** Whether the one becomes the other without a line that comes or goes: what may change in place moves no money. */
export const isSameInPlace = (one: Entry[], other: Entry[]): boolean =>
  isSameMoney(one.map(withoutStep), other.map(withoutStep))

const withoutStep = (line: Entry): Entry => ({
  ...line,
  status: IN_PLACE.includes(line.status) ? 'uncleared' : line.status,
})

/** Whether something of a transaction that could have a category has none, on that account. */
export const lacksCategory = (entries: Entry[], accountId: string): boolean =>
  entries.some(
    (entry) =>
      entry.accountId === accountId &&
      (entry.side === 'expense' || entry.side === 'income') &&
      entry.categoryId === null,
  )

const withoutWords = ({ side, ...line }: Entry): Entry => ({
  ...line,
  side: side === 'income' ? 'expense' : side,
  categoryId: null,
  note: null,
})

const comparable = (entries: Entry[]) =>
  entries
    .toSorted((a, b) => a.line - b.line)
    .map((one) => Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))

type Part = Pick<Entry, 'line' | 'side' | 'amountMinor'> &
  Partial<Pick<Entry, 'categoryId' | 'note'>>

const entry = (leg: Leg, date: string, part: Part): Entry => ({
  accountId: leg.accountId,
  ownerId: leg.ownerId,
  currency: leg.currency,
  status: leg.status,
  date,
  categoryId: null,
  note: null,
  externalId: null,
  ...part,
})

/** Entries that do not sum to zero per currency: a defect of whoever made them. */
export const unbalanced = (): AppError => errors.unbalanced()

/** Returns the entries, or throws when they do not sum to zero per currency: a defect of the caller. */
export function balanced(entries: Entry[]): Entry[] {
  const byCurrency = Map.groupBy(entries, ({ currency }) => currency)
  for (const lines of byCurrency.values()) {
    if (sum(lines.map(({ amountMinor }) => amountMinor)) !== 0 || lines.length < 2) {
      throw unbalanced()
    }
  }
  return entries
}

// A transaction with one account has the id of its header. A transfer has an id of its own, and each leg
// one made of the transfer's and its line; so legs need no column, and no index, of their own.

/** The id under which the account line of a header is addressed. */
export const legIdOf = (transactionId: string, kind: Kind, line: number): string =>
  kind === 'transfer' ? `txn_${coreOf(transactionId)}-${line}` : transactionId

export const splitIdOf = (transactionId: string, line: number): string =>
  `spl_${coreOf(transactionId)}-${line}`

/**
 * The header and line that a transaction id addresses; whether they exist is another question. What is no
 * such id, as the id of a transfer itself, addresses nothing.
 */
export function addressOf(id: string): { transactionId: string; line: number } {
  const [, core, line] = /^txn_([0-9a-z]{26})(?:-([12]))?$/.exec(id) ?? []
  if (core === undefined) {
    return { transactionId: '', line: 0 }
  }
  return line === undefined
    ? { transactionId: id, line: ACCOUNT_LINE }
    : { transactionId: `trf_${core}`, line: Number(line) }
}

/** The line that a split id addresses within its transaction; undefined for another transaction's. */
export function splitLineOf(transactionId: string, splitId: string): number | undefined {
  const [, core, line] = /^spl_([0-9a-z]{26})-([1-9]\d{0,11})$/.exec(splitId) ?? []
  return line !== undefined && core === coreOf(transactionId) ? Number(line) : undefined
}
