import {
  decimalsOf,
  isNegativeDecimal,
  negateDecimal,
  sumDecimals,
  type DecimalText,
} from '../bank-files/decimals.ts'
import type { ColumnName, Reading, ColumnRole } from '../bank-files/format.ts'
import type { RowError } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import { foldHeading } from './words.ts'
import type { Columns } from './content.ts'

const MAX_SHOWN = 100

/** A cell as an error shows it. */
export const shownCell = (cell: string): string =>
  cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell

/** The columns of a reading as lists of indexes. A heading that the file does not have is left out. */
export function columnLists(
  columns: Reading['columns'] = {},
  headings: readonly string[] = [],
): Columns {
  const lists: Columns = {}
  const folded = headings.map(foldHeading)
  const indexOf = (name: ColumnName) => {
    const index = typeof name === 'number' ? name : folded.indexOf(foldHeading(name))
    return index === -1 ? [] : [index]
  }
  for (const [role, value] of Object.entries(columns) as [
    ColumnRole,
    ColumnName | ColumnName[],
  ][]) {
    const list = [value].flat().flatMap(indexOf)
    if (list.length > 0) {
      lists[role] = list
    }
  }
  return lists
}

/** More digits than the currency has, which are no zeros. */
export function tooManyDigits(
  amount: DecimalText,
  currency: string | undefined,
): RowError | undefined {
  const digits = currency === undefined ? undefined : findCurrency(currency)?.minorDigits
  const given = decimalsOf(amount)
  if (digits === undefined || given <= digits) {
    return undefined
  }
  const message = `An amount in ${currency} has at most ${digits} decimals, but this one has ${given}.`
  return { code: 'money.tooManyDigits', message }
}

/** The parts of a row whose fee is booked beside its amount; its sum is theirs. */
export function withFee(
  amount: DecimalText,
  fee: DecimalText | undefined,
  rule: Reading['fee'],
): { amount: DecimalText; parts: { amount: DecimalText; fee?: true }[] } {
  if (fee === undefined || fee === '0' || rule === undefined || rule === 'inside') {
    return { amount, parts: [] }
  }
  const signed = rule === 'plus' ? fee : isNegativeDecimal(fee) ? fee : negateDecimal(fee)
  const parts = amount === '0' ? [] : [{ amount }, { amount: signed, fee: true as const }]
  return { amount: sumDecimals([amount, signed]), parts }
}
