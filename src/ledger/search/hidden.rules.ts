import type { Status } from '../../domain/ledger.ts'

/** A line that its account has, but the caller does not see. */
export interface HiddenLine {
  accountId: string
  date: string
  transactionId: string
  line: number
  amountMinor: number
  currency: string
  status: Status
}

/** The place of a row in the order of its account. */
type Place = Pick<HiddenLine, 'date' | 'transactionId' | 'line'>

/** Whether one is newer than the other. */
const isAfter = (one: Place, other: Place): boolean =>
  one.date !== other.date
    ? one.date > other.date
    : one.transactionId !== other.transactionId
      ? one.transactionId > other.transactionId
      : one.line > other.line

/** Returns the sum of the hidden lines between two rows, or of all newer hidden lines if there is no row above. */
export const movedBetween = (hidden: HiddenLine[], row: Place, above: Place | undefined): bigint =>
  hidden
    .filter((line) => isAfter(line, row) && (!above || isAfter(above, line)))
    .reduce((sum, line) => sum + movedBy(line), 0n)

const movedBy = ({ amountMinor, status }: HiddenLine) =>
  status === 'void' ? 0n : BigInt(amountMinor)

/** How many there are, and what they moved. */
export interface HiddenSums {
  count: number
  inflow: bigint
  /** Negative. */
  outflow: bigint
}

/** Returns the amounts of hidden lines in a span of days, which kept sums include although the caller cannot see them. */
export function sumsOfHidden(
  hidden: HiddenLine[],
  { from = '', to = '~' }: { from?: string | undefined; to?: string | undefined },
): HiddenSums {
  const within = hidden.filter(({ date }) => date >= from && date <= to)
  const amounts = within.map(movedBy)
  const sumOf = (some: bigint[]) => some.reduce((sum, amount) => sum + amount, 0n)
  return {
    count: within.length,
    inflow: sumOf(amounts.filter((amount) => amount > 0n)),
    outflow: sumOf(amounts.filter((amount) => amount < 0n)),
  }
}
