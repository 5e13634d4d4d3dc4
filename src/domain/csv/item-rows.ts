import { cleanAmount, decimalUnder } from '../bank-files/amounts.ts'
import { sumDecimals } from '../bank-files/decimals.ts'
import type { Reading } from '../bank-files/format.ts'
import type { SourcePart, SourceRow } from '../bank-files/source.ts'
import type { RowCombiner } from './profiles/profile.ts'
import { foldHeading } from './words.ts'

/** Columns in which UBS writes the amounts of the items of an order, in lines below it. */
const ITEM_AMOUNTS = new Set(
  ['Individual amount', 'Einzelbetrag', 'Sous-montant', 'Importo singolo'].map(foldHeading),
)

export const isItemAmount = (heading: string): boolean => ITEM_AMOUNTS.has(foldHeading(heading))

/** Makes lines without a date that have such an amount the parts of the row above them, if they sum to its amount. */
export function itemRows({ decimal = '.' }: Reading): RowCombiner {
  let open: SourceRow[] = []
  let parts: SourcePart[] = []

  function partOf({ raw, description, ignored }: SourceRow): SourcePart | undefined {
    const [, cell = ''] =
      ignored === 'information'
        ? (Object.entries(raw).find(([heading]) => isItemAmount(heading)) ?? [])
        : []
    const clean = cleanAmount(cell)
    const read = clean && decimalUnder(clean, decimal)
    return read && 'amount' in read
      ? { amount: read.amount, ...(description !== undefined && { description }) }
      : undefined
  }

  function release(): SourceRow[] {
    const [row, ...items] = open
    const isWhole =
      items.length > 0 && sumDecimals(parts.map(({ amount }) => amount)) === row?.amount
    const rows = row && isWhole ? [{ ...row, parts }] : open
    open = []
    parts = []
    return rows
  }

  return {
    add(row) {
      const part = open.length > 0 ? partOf(row) : undefined
      const before = part ? [] : release()
      open.push(row)
      parts.push(...(part ? [part] : []))
      return before
    },
    end: release,
  }
}
