import { daysInMonth, isCalendarDate, lastOfMonth } from '../calendar.ts'
import type { DateOrder } from './format.ts'
import { monthNamed } from './months.ts'
import { remembering } from '../memoized.ts'

export const DATE_ORDERS: readonly DateOrder[] = ['YMD', 'DMY', 'MDY']

/** Day, month and year of a written date; without a year where none is written. */
interface Written {
  year: number | undefined
  month: number
  day: number
}

/** A written date as it reads under each order that its form permits. It need not be a day of the calendar. */
export interface WrittenDate {
  under: Partial<Record<DateOrder, Written>>
  /** `HH:MM:SS`, as it is written: nothing is converted between zones. */
  time?: string
}

export interface ReadDate {
  /** `YYYY-MM-DD`. */
  date: string
  time?: string
  /** The day does not exist, and the last one of its month is taken. */
  repaired?: true
}

export interface DateOptions {
  /** The year of dates that have none; of a later month than `month`, the year before. */
  year?: number | undefined
  month?: number | undefined
  /** True if the 30th of February and the like become the last day of the month. */
  repair?: boolean
}

/** No written moment is longer; what is, is some other text. */
const MAX_LENGTH = 64
const MIN_YEAR = 1900
const MAX_YEAR = 2200

// The forms of a date at the beginning of a text of at most 64 characters. No two parts of a form can match the same
// characters but white space.
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(?:\.\d{1,9})?)?(?!\d)/
const NUMBERS =
  /^(\d{1,4})\s?([./\-'’ 年년])\s?(\d{1,2})(?:\s?([./\-'’ 月월])\s?(\d{4}|\d{1,2})(?![\d:]))?[.日일]?(?!\d)/u
const DAY_AND_WORD =
  /^(\d{1,4})(?:st|nd|rd|th|er|º)?[\s.,/-]*(?:(?:de|of) )?(\p{L}[\p{L}\p{M}]*)[\s.,/'’-]*(?:del? )?(?:(\d{4}|\d{2})(?![\d:]))?(?: ?(?:г|р)\.?)?\.?/u
const WORD_AND_DAY =
  /^(\p{L}[\p{L}\p{M}]*)[\s./-]*(\d{1,2})(?:st|nd|rd|th)?(?:[\s.,/'’-]+(\d{4}|\d{2})(?![\d:]))?/u
const YEAR_WORD_DAY = /^(\d{4})[\s.,/-]+(\p{L}[\p{L}\p{M}]*)[\s.,/-]+(\d{1,2})(?![\d:])\.?/u
/** The text that may follow a date: a time of day and its zone. */
const TIME =
  /^[\sT,]*(?:(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?(?:\s?([ap])\.?m\.?)?)?\s*(?:Z|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{3,5}|\[[^\]]{1,20}\])?$/iu

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** Two digits: 70 to 99 are of the last century. */
const fullYear = (year: number): number =>
  year >= 100 ? year : year >= 70 ? 1900 + year : 2000 + year

/** `undefined` where it is no time of day. */
function timeOf(hours: string, minutes: string, seconds = '00', half?: string): string | undefined {
  const written = Number(hours)
  const hour = half === undefined ? written : (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const isTime = hour < 24 && Number(minutes) < 60 && Number(seconds) < 60
  return isTime ? `${twoDigits(hour)}:${minutes}:${seconds}` : undefined
}

/** Adds the time that follows a date; `undefined` where something else does. */
function withTime(under: WrittenDate['under'], rest: string): WrittenDate | undefined {
  if (rest === '') {
    return { under }
  }
  const match = TIME.exec(rest)
  if (!match) {
    return undefined
  }
  const [, hours, minutes, seconds, half] = match
  if (hours === undefined) {
    return { under }
  }
  const time = timeOf(hours, minutes as string, seconds, half)
  return time === undefined ? undefined : { under, time }
}

/** Reads a date whose month is a word, which means the same in every order. */
function withWord(
  year: string | undefined,
  word: string,
  day: string,
  rest: string,
): WrittenDate | undefined {
  const month = monthNamed(word)
  if (month === undefined) {
    return undefined
  }
  const written = {
    year: year === undefined ? undefined : fullYear(Number(year)),
    month,
    day: Number(day),
  }
  return withTime({ YMD: written, DMY: written, MDY: written }, rest)
}

function withNumbers(match: RegExpExecArray, rest: string): WrittenDate | undefined {
  const [, first, mark, second, secondMark, third] = match as unknown as [
    string,
    string,
    string,
    string,
    string | undefined,
    string | undefined,
  ]
  const [a, b] = [Number(first), Number(second)]
  if (third === undefined) {
    const [dayFirst, monthFirst] = [
      { year: undefined, day: a, month: b },
      { year: undefined, day: b, month: a },
    ]
    return first.length > 2
      ? undefined
      : withTime({ DMY: dayFirst, MDY: monthFirst, YMD: monthFirst }, rest)
  }
  const c = Number(third)
  const isYear = secondMark === "'" || secondMark === '’'
  if (first.length === 4) {
    const written = { year: a, month: b, day: c }
    return third.length > 2 ? undefined : withTime({ YMD: written }, rest)
  }
  if (first.length > 2 || (secondMark !== mark && !isYear) || (third.length === 1 && !isYear)) {
    return undefined
  }
  const year = isYear && c < 100 ? 2000 + c : fullYear(c)
  const under: WrittenDate['under'] = {
    DMY: { year, month: b, day: a },
    MDY: { year, month: a, day: b },
  }
  // A year of two digits comes first only in the short form of ISO 8601 and of East Asia.
  const isShort = first.length + second.length + third.length === 6 && third.length === 2
  if (isShort && (mark === '-' || mark === '/')) {
    under.YMD = { year: fullYear(a), month: b, day: c }
  }
  return withTime(under, rest)
}

/** Reads the form of a date, before anything is known of the order; `undefined` where the text is no date. */
export function writtenDate(source: string): WrittenDate | undefined {
  const text = source.trim()
  if (text.length < 3 || text.length > MAX_LENGTH) {
    return undefined
  }
  const after = (match: RegExpExecArray) => text.slice(match[0].length)
  const compact = COMPACT.exec(text)
  if (compact) {
    const [, year, month, day, hours, minutes, seconds] = compact
    const under = { YMD: { year: Number(year), month: Number(month), day: Number(day) } }
    return withTime(
      under,
      hours === undefined
        ? after(compact)
        : ` ${hours}:${minutes}:${seconds ?? '00'}${after(compact)}`,
    )
  }
  const numbers = NUMBERS.exec(text)
  if (numbers) {
    return withNumbers(numbers, after(numbers))
  }
  const yearFirst = YEAR_WORD_DAY.exec(text)
  if (yearFirst) {
    const [, year, word, day] = yearFirst as unknown as [string, string, string, string]
    return withWord(year, word, day, after(yearFirst))
  }
  const dayFirst = DAY_AND_WORD.exec(text)
  if (dayFirst) {
    const [, day, word, year] = dayFirst as unknown as [string, string, string, string | undefined]
    return withWord(year, word, day, after(dayFirst))
  }
  const wordFirst = WORD_AND_DAY.exec(text)
  if (wordFirst) {
    const [, word, day, year] = wordFirst as unknown as [string, string, string, string | undefined]
    return withWord(year, word, day, after(wordFirst))
  }
  return undefined
}

/** Tells whether there is such a day; of a date without a year, in any year. */
function exists({ year = 2000, month, day }: Written): boolean {
  const isMonth = month >= 1 && month <= 12 && year >= MIN_YEAR && year <= MAX_YEAR
  return isMonth && day >= 1 && day <= daysInMonth(year, month)
}

/** A number that sorts as the date does under the order; 0 where it is no day under it. */
export function sortKey({ under }: WrittenDate, order: DateOrder): number {
  const written = under[order]
  if (written === undefined || !exists(written)) {
    return 0
  }
  return (written.year ?? 0) * 10_000 + written.month * 100 + written.day
}

/** Tells whether some order reads the text as a date without a year. */
export const lacksYear = ({ under }: WrittenDate): boolean =>
  under.DMY !== undefined && under.DMY.year === undefined

function finish(written: WrittenDate, order: DateOrder, options: DateOptions) {
  const found = written.under[order]
  if (!found) {
    return undefined
  }
  const { month, day } = found
  const isBefore = options.month !== undefined && month > options.month
  const year =
    found.year ??
    (options.year === undefined ? undefined : isBefore ? options.year - 1 : options.year)
  if (year === undefined) {
    return undefined
  }
  const civil = { year, month, day }
  const isRepaired = options.repair === true && day <= 31 && exists({ ...civil, day: 1 })
  if (!exists(civil) && !(isRepaired && day > 0)) {
    return undefined
  }
  const last = daysInMonth(year, month)
  const date = `${year}-${twoDigits(month)}-${twoDigits(Math.min(day, last))}`
  const read: ReadDate = { date }
  if (written.time !== undefined) {
    read.time = written.time
  }
  if (day > last) {
    read.repaired = true
  }
  return read
}

/**
 * Reads the dates of a column or of a file under one order; what is no day under it is `undefined`. Dates come again
 * and again, so the last few thousand are remembered.
 */
export function dateReader(
  order: DateOrder,
  options: DateOptions = {},
): (text: string) => ReadDate | undefined {
  return remembering((text) => {
    const written = writtenDate(text)
    return written && finish(written, order, options)
  })
}

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
export const yearOfDigits = (digits: string): string =>
  digits >= '70' ? `19${digits}` : `20${digits}`
