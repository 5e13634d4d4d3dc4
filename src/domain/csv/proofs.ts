import { cleanAmount, decimalUnder, markEvidence } from '../bank-files/amounts.ts'
import { toSafeUnits } from '../bank-files/decimals.ts'
import { isBlank } from './cells.ts'
import type { CsvRecord } from './records.ts'

/** The decimals of any currency. */
const SCALE = 4

/** The units of an amount that is written in its own style; undefined of what is no amount. */
export function unitsIn(cell: string | undefined): number | undefined {
  const clean = cell === undefined || isBlank(cell) ? undefined : cleanAmount(cell)
  if (!clean) {
    return undefined
  }
  const found = decimalUnder(clean, markEvidence(clean.digits) === ',' ? ',' : '.')
  return 'amount' in found ? toSafeUnits(found.amount, SCALE) : undefined
}

/** Columns of a signed amount, or of both sides. */
export type AmountColumns = { amount: number } | { debit: number; credit: number }

export function amountInColumns({ cells }: CsvRecord, sides: AmountColumns): number | undefined {
  if ('amount' in sides) {
    return unitsIn(cells[sides.amount])
  }
  const [debit = 0, credit = 0] = [unitsIn(cells[sides.debit]), unitsIn(cells[sides.credit])]
  return credit - Math.abs(debit)
}

/**
 * Tells whether each balance of a column follows from the one before, or from the one after, by the amounts. At least two
 * rows are needed.
 */
export function balancesProve(
  rows: readonly CsvRecord[],
  balance: number,
  sides: AmountColumns,
  sign: 1 | -1 = 1,
): boolean {
  const links = rows.map((row) => ({
    amount: amountInColumns(row, sides),
    balance: unitsIn(row.cells[balance]),
  }))
  const isProved = (list: typeof links) =>
    list.every(({ amount, balance: after }, index) => {
      const before = list[index - 1]
      return (
        amount !== undefined &&
        after !== undefined &&
        (before?.balance === undefined || after - before.balance === sign * amount)
      )
    })
  return links.length > 1 && [links, links.toReversed()].some(isProved)
}
