import { type AppError, errorTable } from './errors.ts'
import { add, negate, sum } from './money.ts'

// Money moves only as balanced entries. A transaction is a header and signed lines that sum to zero in
// every currency; docs/internals/ledger.md works the numbers.

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

/** The place of a line's money: in the account itself, or outside of it. */
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
  /** On the two lines that a part has on its other account, where it is a transfer: the line of the part. */
  pair: number | null
  /** The other party as the bank of that account wrote it, on the account line of such a part. */
  payeeRaw: string | null
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
  /** The number of a line that is kept; a new one gets the next number. */
  line?: number | undefined
  amountMinor: number
  categoryId: string | null
  note: string | null
  /** The destination or origin of a part whose money stays with the owner. */
  transfer?: PartTransfer | undefined
  /** It was a transfer, and its other account was erased. */
  isLeft?: true
}

/** The other side of a part that is a transfer. */
export interface PartTransfer {
  /**
   * The number of the account's own line there, which its exchange line follows; a new one gets the next two numbers.
   */
  line?: number | undefined
  leg: Leg
  /** The amount that arrives there, or leaves; never negative. */
  amountMinor: number
  /** The other party as the bank of that account wrote it. */
  payeeRaw: string | null
}

const ACCOUNT_LINE = 1
const FIRST_OTHER_LINE = 2

interface Single {
  kind: Exclude<Kind, 'transfer'>
  leg: Leg
  date: string
  /** The amount as seen from the account. */
  signedMinor: number
  categoryId: string | null
  splits: Split[]
  /** The ids of its categories of the kind `expense`. An income may have them, and is a refund then. */
  expenseCategoryIds?: ReadonlySet<string>
  /** The highest number that a line has or had: a new part comes after it, and is never taken for one that was dropped. */
  lastLine?: number
}

/** The most parts of a transaction. */
export const MAX_PARTS = 100

/** The most parts of a transaction that are transfers. */
export const MAX_TRANSFER_PARTS = 20

/**
 * The entries of a transaction with one account: what the account sees, and where it came from or went. A part that is a
 * transfer has two more lines on its other account, behind those of all parts.
 */
export function singleEntries(single: Single): Entry[] {
  const { leg, date, signedMinor, categoryId, splits, lastLine = ACCOUNT_LINE } = single
  const parts: Split[] =
    splits.length > 0
      ? splits
      : [{ line: FIRST_OTHER_LINE, amountMinor: Math.abs(signedMinor), categoryId, note: null }]
  let last = Math.max(lastLine, ...parts.flatMap(linesOf))
  const others = parts.map((part) =>
    entry(leg, date, {
      line: part.line ?? ++last,
      side: sideOf(single, part),
      amountMinor: signedMinor < 0 ? part.amountMinor : negate(part.amountMinor),
      categoryId: part.categoryId,
      note: part.note,
    }),
  )
  const legs = others.flatMap((other, at) => {
    const transfer = parts[at]?.transfer
    if (!transfer) {
      return []
    }
    const line = transfer.line ?? last + 1
    last = Math.max(last, line + 1)
    return legOfPart(other, { ...transfer, line })
  })
  const own = entry(leg, date, { line: ACCOUNT_LINE, side: 'account', amountMinor: signedMinor })
  return balanced([{ ...own, externalId: leg.externalId }, ...others, ...legs])
}

/** The numbers that a part and its other side have already. */
const linesOf = ({ line = 0, transfer }: Split) => [line, (transfer?.line ?? -1) + 1]

/** The two lines of a part on its other account, which is balanced by itself. */
function legOfPart(
  { date, line: pair, amountMinor: met, categoryId }: Entry,
  { line, leg, amountMinor, payeeRaw }: PartTransfer & { line: number },
): Entry[] {
  const signed = met < 0 ? negate(amountMinor) : amountMinor
  const own = entry(leg, date, { line, side: 'account', amountMinor: signed })
  const exchange = { line: line + 1, side: 'exchange' as const, amountMinor: negate(signed) }
  return [
    { ...own, externalId: leg.externalId, pair, payeeRaw },
    { ...entry(leg, date, { ...exchange, categoryId }), pair },
  ]
}

/** Returns the transfer of a part as its stored lines describe it; `undefined` if the part is no transfer. */
export function partTransferOf(
  entries: Entry[],
  part: Pick<Entry, 'line'>,
): PartTransfer | undefined {
  const own = entries.find(({ side, pair }) => side === 'account' && pair === part.line)
  if (!own) {
    return undefined
  }
  const { line, amountMinor, payeeRaw } = own
  return { line, leg: legOf(own), amountMinor: Math.abs(amountMinor), payeeRaw }
}

function sideOf(single: Single, { categoryId, transfer, isLeft }: Split): EntrySide {
  if (transfer) {
    return 'exchange'
  }
  if (isLeft) {
    return 'adjustment'
  }
  return isRefund(single, categoryId) ? 'expense' : single.kind
}

/** True if a part of an income gives back money that was spent on its category. */
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

/** The most fees of a transfer. */
export const MAX_FEES = 10

export interface Transfer {
  from: Leg
  to: Leg
  date: string
  /** All that leaves `from`, the fees included. */
  amountMinor: number
  /** All that arrives at `to`, in its currency. */
  toAmountMinor: number
  /** The category of the purpose of the transfer; the fees have categories of their own. */
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

/** Returns the input from which `transferEntries` made the entries of a transfer; undefined for other entries. */
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

/** The account's side that an account line stands for. */
export const legOf = ({ accountId, ownerId, currency, status, externalId }: Entry): Leg => ({
  accountId,
  ownerId,
  currency,
  status,
  externalId,
})

/** True if something of a transaction on that account could have a category and has none. */
export const lacksCategory = (entries: Entry[], accountId: string): boolean =>
  entries.some(
    (entry) =>
      entry.accountId === accountId &&
      (entry.side === 'expense' || entry.side === 'income') &&
      entry.categoryId === null,
  )

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
  pair: null,
  payeeRaw: null,
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
