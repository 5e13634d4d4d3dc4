import { isCalendarDate, lastOfMonth } from '../calendar.ts'

/** A day as a bank wrote it. */
export interface BankDay {
  date: string
  /** It was a day such as 30 February, on which banks with months of 30 days book interest. */
  isRepaired: boolean
}

/**
 * The day of these digits. Days up to the 31st that the month does not have are its last one. Undefined where
 * there is no such month, day or year.
 */
export function readDay(year: string, month: string, day: string): BankDay | undefined {
  const date = `${year}-${month}-${day}`
  if (isCalendarDate(date)) {
    return { date, isRepaired: false }
  }
  const first = `${year}-${month}-01`
  const isLate = /^(?:29|30|31)$/.test(day)
  return isLate && isCalendarDate(first)
    ? { date: lastOfMonth(first), isRepaired: true }
    : undefined
}

/** `YYYY-MM-DD`, with or without what else belongs to a moment: its date in the zone that it is written in. */
export function readIsoDay(text: string): BankDay | undefined {
  const day = text.trim()
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])/.test(day)
    ? readDay(day.slice(0, 4), day.slice(5, 7), day.slice(8, 10))
    : undefined
}

/** The century of two digits: 70 to 99 are of the last one. */
export const fullYear = (digits: string): string => (digits >= '70' ? `19${digits}` : `20${digits}`)
