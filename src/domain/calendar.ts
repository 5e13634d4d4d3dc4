import { errorTable } from './errors.ts'
import { remembering } from './memoized.ts'

/** A day that exists, `YYYY-MM-DD`, from 1900-01-01 to 2200-12-31. Sorts as text. */
export type CalendarDate = string

const MIN_YEAR = 1900
const MAX_YEAR = 2200
/** The last day that exists here. */
export const LAST_DATE: CalendarDate = `${MAX_YEAR}-12-31`
/** All instants of those years, wherever on earth, and less than a day more. */
const FIRST_INSTANT = Date.UTC(MIN_YEAR - 1, 11, 31)
const LAST_INSTANT = Date.UTC(MAX_YEAR + 1, 0, 2)
const DATE_PATTERN = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const CLOCK_TIME_PATTERN = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/

const errors = errorTable('calendar', {
  invalidDate: ['invalid', 'A date must be an existing day from 1900 to 2200, as YYYY-MM-DD.'],
  outOfRange: ['invalid', 'The date must be in the years 1900 to 2200.'],
  unknownTimeZone: ['invalid', 'A time zone must be an IANA name, such as "Europe/Berlin".'],
})

interface Civil {
  year: number
  month: number
  day: number
}

export function isCalendarDate(text: string): boolean {
  return civilOf(text) !== undefined
}

/** Checks a date from outside; throws `calendar.invalidDate`. */
export function parseCalendarDate(text: string, field?: string): CalendarDate {
  if (!isCalendarDate(text)) {
    throw errors.invalidDate(field === undefined ? {} : { field })
  }
  return text
}

/**
 * Days since 1970-01-01; throws `calendar.invalidDate`.
 *
 * The algorithm is `days_from_civil` from https://howardhinnant.github.io/date_algorithms.html:
 * years begin in March, so that the leap day comes last, and repeat every 400 years (an era).
 */
export const toDayNumber = remembering((date: CalendarDate): number => {
  const { year: civilYear, month, day } = readCivil(date)
  const year = month <= 2 ? civilYear - 1 : civilYear
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146097 + yearOfEra * 365 + leapDays + dayOfYear - 719468
})

/** The inverse of `toDayNumber` (`civil_from_days`, same source); throws `calendar.outOfRange`. */
export const fromDayNumber = remembering((dayNumber: number): CalendarDate => {
  const days = dayNumber + 719468
  const era = Math.floor(days / 146097)
  const dayOfEra = days - era * 146097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36524) + Math.floor(dayOfEra / 146096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const firstDay = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfYear = dayOfEra - firstDay
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return dateOf(year, month, day)
})

/** Throws `calendar.outOfRange`. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(toDayNumber(date) + days)
}

const FIRST_DAY: CalendarDate = `${MIN_YEAR}-01-01`
const LAST_DAY: CalendarDate = `${MAX_YEAR}-12-31`

/** `addDays` that stops at the first day there is, and at the last one: for spans around a day. */
export function nearDay(date: CalendarDate, days: number): CalendarDate {
  const wanted = toDayNumber(date) + days
  const [first, last] = [toDayNumber(FIRST_DAY), toDayNumber(LAST_DAY)]
  return fromDayNumber(Math.min(Math.max(wanted, first), last))
}

/**
 * Returns the same day `months` later, or the last day of that month if it has no such day. A series is counted from
 * its anchor each time (31 Jan, 28 Feb, 31 Mar), never from the date before. Throws `calendar.outOfRange`.
 */
export function addMonths(anchor: CalendarDate, months: number): CalendarDate {
  const civil = readCivil(anchor)
  const count = civil.year * 12 + civil.month - 1 + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return dateOf(year, month, Math.min(civil.day, daysInMonth(year, month)))
}

/** Negative when `to` is the earlier one. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return toDayNumber(to) - toDayNumber(from)
}

/** 4, where Monday is 0. */
export const FRIDAY = 4

/** From Monday, 0, to Sunday, 6. */
export function dayOfWeek(date: CalendarDate): number {
  // 1970-01-01, the day with number 0, was a Thursday. The remainder of a negative number is negative.
  return ((toDayNumber(date) % 7) + 10) % 7
}

/** From 1 to 31. */
export const dayOfMonthOf = (date: CalendarDate): number => Number(date.slice(8))

/** The months since the year 0. */
export const monthNumberOf = (date: CalendarDate): number =>
  Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))

/** `YYYY-MM`. */
export function monthOf(date: CalendarDate): string {
  return parseCalendarDate(date).slice(0, 7)
}

/** The first day of the month in which the date lies. */
export function firstOfMonth(date: CalendarDate): CalendarDate {
  return `${monthOf(date)}-01`
}

/** The last day of the month in which the date lies. */
export function lastOfMonth(date: CalendarDate): CalendarDate {
  const { year, month } = readCivil(date)
  return dateOf(year, month, daysInMonth(year, month))
}

/**
 * The date that a calendar on the wall shows there at that instant (milliseconds since 1970 UTC).
 * Throws `calendar.unknownTimeZone` and `calendar.outOfRange`.
 */
export function dateInZone(epochMs: number, timeZone: string): CalendarDate {
  if (!isTimeZone(timeZone)) {
    throw errors.unknownTimeZone()
  }
  // Intl counts the years before our era upwards too: 2001 BC would come out as 2001.
  const inRange = epochMs >= FIRST_INSTANT && epochMs <= LAST_INSTANT
  if (!inRange) {
    throw errors.outOfRange()
  }
  const parts = formatterOf(timeZone).formatToParts(epochMs)
  const { year, month, day } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return dateOf(Number(year), Number(month), Number(day))
}

/** The first instant, to a minute, at which it is this day or a later one there. */
export function instantOf(date: CalendarDate, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // No zone is more than 14 hours from UTC.
  let [before, after] = [-15 * 60, 15 * 60]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const isThere = dateInZone(midnight + middle * MINUTE_MS, timeZone) >= date
    ;[before, after] = isThere ? [before, middle] : [middle, after]
  }
  return midnight + after * MINUTE_MS
}

const MINUTE_MS = 60_000

/** Milliseconds since 1970 UTC to RFC 3339 with milliseconds. */
export const toInstant = (epochMs: number): string => new Date(epochMs).toISOString()

/** True if the platform knows this IANA time zone, in any case of letters. */
export function isTimeZone(text: string): boolean {
  // Intl takes UTC offsets such as `+01:00` too; those are no IANA names and know no summer time.
  if (!/^[A-Za-z]/.test(text)) {
    return false
  }
  try {
    formatterOf(text)
    return true
  } catch {
    return false
  }
}

/** `HH:MM`, 00:00 to 23:59. */
export function isClockTime(text: string): boolean {
  return CLOCK_TIME_PATTERN.test(text)
}

/** Year, month and day if the text is a date in range. */
function civilOf(text: string): Civil | undefined {
  if (!DATE_PATTERN.test(text)) {
    return undefined
  }
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8))
  if (year < MIN_YEAR || year > MAX_YEAR || month < 1 || month > 12) {
    return undefined
  }
  if (day < 1 || day > daysInMonth(year, month)) {
    return undefined
  }
  return { year, month, day }
}

function readCivil(date: CalendarDate): Civil {
  const civil = civilOf(date)
  if (civil === undefined) {
    throw errors.invalidDate()
  }
  return civil
}

/** Refuses what arithmetic moved out of range, and any result of a fraction or NaN. */
function dateOf(year: number, month: number, day: number): CalendarDate {
  const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`
  if (!isCalendarDate(text)) {
    throw errors.outOfRange()
  }
  return text
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    return isLeapYear(year) ? 29 : 28
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

// A formatter is dear to make. Names come from outside, in any case of letters, so the number that
// is kept is bounded; far fewer zones than this are in use at once.
const MAX_FORMATTERS = 100
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) {
    return known
  }
  const made = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  if (formatters.size >= MAX_FORMATTERS) {
    formatters.clear()
  }
  formatters.set(timeZone, made)
  return made
}
