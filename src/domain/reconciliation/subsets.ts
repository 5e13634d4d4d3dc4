/** An amount that several rows may have. */
interface Amount<Row> {
  minor: number
  rows: Row[]
}

/** Some rows that together are an amount, of each one of those that are alike. */
export interface Subset<Row> {
  rows: Row[]
  /** The number of other choices of equal amounts. */
  others: number
}

interface Minor {
  minor: number
}

/** Rows by their amounts, in the order of the first of each. */
export const byAmount = <Row extends Minor>(rows: readonly Row[]): Map<number, Row[]> =>
  Map.groupBy(rows, ({ minor }) => minor)

const amountsOf = <Row extends Minor>(rows: readonly Row[]): Amount<Row>[] =>
  [...byAmount(rows)].map(([minor, some]) => ({ minor, rows: some }))

/** Counts the ways to take a number of equal rows. */
const waysToTake = (count: number, taken: number): number =>
  Array.from({ length: taken }, (_, at) => (count - at) / (at + 1)).reduce((one, two) => one * two)

/** One choice of these amounts, of which some may be the same; undefined where there are not enough rows. */
function choiceOf<Row>(amounts: Amount<Row>[]): Subset<Row> | undefined {
  const wanted = [...Map.groupBy(amounts, (amount) => amount)]
  if (wanted.some(([{ rows }, same]) => rows.length < same.length)) {
    return undefined
  }
  const ways = wanted.map(([{ rows }, same]) => waysToTake(rows.length, same.length))
  return {
    rows: wanted.flatMap(([{ rows }, same]) => rows.slice(0, same.length)),
    others: ways.reduce((one, two) => one * two) - 1,
  }
}

/** Two rows that sum up to an amount, by a table of the amounts. */
export function pairsWithSum<Row extends Minor>(rows: readonly Row[], sum: number): Subset<Row>[] {
  const amounts = amountsOf(rows)
  const places = new Map(amounts.map(({ minor }, at) => [minor, at]))
  return amounts.flatMap((one, at) => {
    const place = places.get(sum - one.minor)
    const other = place === undefined || place < at ? undefined : amounts[place]
    return (other && choiceOf([one, other])) ?? []
  })
}

/** Three rows that sum up to an amount. */
export function triplesOf<Row extends Minor>(rows: readonly Row[], sum: number): Subset<Row>[] {
  const amounts = amountsOf(rows)
  const places = new Map(amounts.map(({ minor }, at) => [minor, at]))
  return amounts.flatMap((one, at) =>
    amounts.slice(at).flatMap((two, offset) => {
      const place = places.get(sum - one.minor - two.minor)
      const three = place === undefined || place < at + offset ? undefined : amounts[place]
      return (three && choiceOf([one, two, three])) ?? []
    }),
  )
}

/** A row to take and one to leave, which together move an amount. */
export interface Exchange<Row> {
  taken: Row
  left: Row
  others: number
}

export function exchangesOf<Row extends Minor>(
  free: readonly Row[],
  held: readonly Row[],
  sum: number,
): Exchange<Row>[] {
  const heldBy = byAmount(held)
  return [...byAmount(free)].flatMap(([minor, some]) => {
    const against = heldBy.get(minor - sum) ?? []
    const [taken, left] = [some[0], against[0]]
    return taken && left ? [{ taken, left, others: some.length * against.length - 1 }] : []
  })
}
