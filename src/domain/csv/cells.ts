import { cleanAmount, markEvidence } from '../bank-files/amounts.ts'
import { DATE_ORDERS, sortKey, writtenDate } from '../bank-files/dates.ts'
import { remembering } from '../memoized.ts'
import { findCurrency } from '../currency.ts'

/** The kind of a cell, judged by the cell alone. */
export type CellKind = 'empty' | 'date' | 'amount' | 'text'

/** Tells whether the text is a day of the calendar under some order. */
export const isDateLike = remembering((text: string): boolean => {
  const written = writtenDate(text)
  return written !== undefined && DATE_ORDERS.some((order) => sortKey(written, order) !== 0)
})

/** Tells whether a cell holds nothing, or what stands for nothing. */
export const isBlank = (cell: string): boolean =>
  cell === '' || (MAY_BE_BLANK.has(cell[0] as string) && NOTHING.test(cell))

const MAY_BE_BLANK = new Set([...'-–—−nN'])
const NOTHING = /^(?:[-–—−]{1,40}|n\/a)$/i

export function isAmountLike(text: string): boolean {
  const clean = cleanAmount(text)
  return clean !== undefined && markEvidence(clean.digits) !== 'malformed'
}

/** Eight digits that could be a day are one. */
export function kindOf(cell: string): CellKind {
  if (isBlank(cell)) {
    return 'empty'
  }
  // Marks between numbers make a date of `12.30`, which is more likely to be an amount.
  const isAmount = isAmountLike(cell)
  if (isDateLike(cell) && (!isAmount || /^\d{8}$/.test(cell))) {
    return 'date'
  }
  return isAmount ? 'amount' : 'text'
}

/** The code of a currency, in capitals as banks write it. */
export const isCurrencyCode = (cell: string): boolean =>
  cell.length === 3 && findCurrency(cell) !== undefined
