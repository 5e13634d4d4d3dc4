/** The sums of a row in one currency. */
export interface RowSums {
  own: bigint
  /** With those of all rows below it. */
  total: bigint
  /** By index of the period. */
  periods: { own: bigint; total: bigint }[]
}

/** A row of a report by some breakdown. */
export interface ReportRow {
  /** The id of what it is of, or one of `NONE` and `OTHER`. */
  key: string
  name: string | null
  /** The names from the top down to its own. */
  path: string[]
  /** 1 for a row below no other. */
  depth: number
  byCurrency: Map<string, RowSums>
}

/** The row of what has no label. */
export const NONE = 'none'
/** The row of all that a limit leaves out. */
export const OTHER = 'other'

/** What a row is of. */
export interface NamedKey {
  name: string | null
  /** The row above it. */
  parentId: string | null
}

/** An amount that counts in a row. */
export interface RowAmount {
  key: string
  currency: string
  /** Index of the period. */
  period: number
  minor: bigint
}

const emptySums = (periods: number): RowSums => ({
  ...{ own: 0n, total: 0n },
  periods: Array.from({ length: periods }, () => ({ own: 0n, total: 0n })),
})

/**
 * Makes the rows of amounts, with those above them, in the order of their paths; what has no name comes last.
 * @param named what keys are of; what is unknown has no name
 */
export function rowsOf(
  amounts: readonly RowAmount[],
  named: ReadonlyMap<string, NamedKey>,
  periods: number,
): ReportRow[] {
  const lines = new Map<string, string[]>()
  /** The keys from a row up to the top. */
  const lineOf = (key: string): string[] => {
    const parent = named.get(key)?.parentId ?? null
    const line = lines.get(key) ?? [key, ...(parent === null ? [] : lineOf(parent))]
    lines.set(key, line)
    return line
  }
  const rows = new Map<string, ReportRow>()
  const rowAt = (key: string): ReportRow => {
    const known = rows.get(key)
    if (known) {
      return known
    }
    const path = lineOf(key).toReversed()
    const row: ReportRow = {
      ...{ key, name: named.get(key)?.name ?? null, depth: path.length },
      path: path.flatMap((one) => named.get(one)?.name ?? []),
      byCurrency: new Map(),
    }
    rows.set(key, row)
    return row
  }
  for (const { key, currency, period, minor } of amounts) {
    for (const at of lineOf(key)) {
      const { byCurrency } = rowAt(at)
      const sums = byCurrency.get(currency) ?? emptySums(periods)
      byCurrency.set(currency, sums)
      for (const one of [sums, ...sums.periods.slice(period, period + 1)]) {
        one.own += at === key ? minor : 0n
        one.total += minor
      }
    }
  }
  return [...rows.values()].toSorted(byPath)
}

function byPath(one: ReportRow, other: ReportRow): number {
  const isNameless = (row: ReportRow) => Number(row.name === null)
  const texts = (row: ReportRow) => [...row.path.map((name) => name.toLowerCase()), ''].join('\0')
  const [a, b] = [texts(one), texts(other)]
  return (
    isNameless(one) - isNameless(other) ||
    (a === b ? (one.key < other.key ? -1 : 1) : a < b ? -1 : 1)
  )
}

const largest = (row: ReportRow, currency: string) => row.byCurrency.get(currency)?.total ?? 0n

/** Orders rows by their totals in a currency, largest first. */
export const byTotal = (rows: readonly ReportRow[], currency: string): ReportRow[] =>
  rows.toSorted((one, other) => {
    const difference = largest(other, currency) - largest(one, currency)
    return difference > 0n ? 1 : difference < 0n ? -1 : 0
  })

/** The first rows, and one of what the amounts of the others are together. */
export function upToLimit(
  rows: readonly ReportRow[],
  limit: number,
  amounts: readonly RowAmount[],
  periods: number,
): ReportRow[] {
  const rest = new Set(rows.slice(limit).map(({ key }) => key))
  const others = amounts.filter(({ key }) => rest.has(key))
  return [
    ...rows.slice(0, limit),
    ...rowsOf(
      others.map((one) => ({ ...one, key: OTHER })),
      new Map(),
      periods,
    ),
  ]
}
