import type { CalendarDate } from '../calendar.ts'
import { type RatedAmount, type RateOn, shareOutConverted } from '../exchange.ts'

/** The money of a cell, or of one of its lines. */
export interface ReportAmount {
  accountId: string
  currency: string
  /** The day; of a whole month, its first one. */
  day: CalendarDate
  /** The sum that it counts in. */
  side: string
  /** Empty for none. */
  categoryId: string
  /** True if reports list it apart. */
  isExcluded: boolean
  minor: bigint
}

/** The amounts of an account without a rate. */
export interface UnconvertedAmounts {
  accountId: string
  currency: string
  /** By the side. */
  minors: Map<string, bigint>
  from: CalendarDate
  to: CalendarDate
}

/** Collects what has no rate, by account. */
export function newUnconverted() {
  const found = new Map<string, UnconvertedAmounts>()
  return {
    add({
      accountId,
      currency,
      day,
      side,
      minor,
    }: Omit<ReportAmount, 'categoryId' | 'isExcluded'>) {
      const one = found.get(accountId) ?? {
        ...{ accountId, currency, from: day, to: day },
        minors: new Map<string, bigint>(),
      }
      one.minors.set(side, (one.minors.get(side) ?? 0n) + minor)
      one.from = day < one.from ? day : one.from
      one.to = day > one.to ? day : one.to
      found.set(accountId, one)
    },
    all: (): UnconvertedAmounts[] =>
      [...found.values()].toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1)),
  }
}

export interface ConvertedAmounts<Amount> {
  amounts: Amount[]
  unconverted: ReturnType<typeof newUnconverted>
  /** What was converted. */
  rated: RatedAmount[]
}

/**
 * Converts each cell at the rate of its own day, rounded once; its lines share the rounded amount in their order. So every
 * breakdown has the same sum. Without a currency, nothing is converted.
 */
export function convertAmounts<Amount extends ReportAmount>(
  amounts: readonly Amount[],
  into: string | undefined,
  rateOn: RateOn,
  { countsExcluded = false } = {},
): ConvertedAmounts<Amount> {
  const unconverted = newUnconverted()
  const rated: RatedAmount[] = []
  if (into === undefined) {
    return { amounts: [...amounts], unconverted, rated }
  }
  const converted = amounts.filter(({ currency }) => currency === into)
  const cells = Map.groupBy(
    amounts.filter(({ currency }) => currency !== into),
    (one) => `${one.accountId} ${one.day} ${one.side} ${one.categoryId} ${one.isExcluded}`,
  )
  for (const cell of cells.values()) {
    const [first] = cell as [Amount, ...Amount[]]
    const { currency, day } = first
    const chosen = rateOn(currency, day)
    if (chosen) {
      const minors = cell.map(({ minor }) => minor)
      rated.push({ currency, day, chosen, minor: minors.reduce((sum, one) => sum + one, 0n) })
      shareOutConverted(minors, currency, into, chosen).forEach((minor, at) => {
        converted.push(...cell.slice(at, at + 1).map((one) => ({ ...one, currency: into, minor })))
      })
    } else if (countsExcluded || !first.isExcluded) {
      cell.forEach((one) => unconverted.add(one))
    }
  }
  return { amounts: converted, unconverted, rated }
}
