import {
  addDays,
  addMonths,
  daysBetween,
  isCalendarDate,
  LAST_DATE,
  toDayNumber,
  type CalendarDate,
} from '../calendar.ts'
import { checkAll, errorTable } from '../errors.ts'

/** The rule by which a budget divides all days into periods, counted from its anchor. */
export interface PeriodRule {
  unit: 'day' | 'week' | 'month' | 'year'
  count: number
  /** The nominal start of period 0. */
  anchor: CalendarDate
  /** The rule for a start on a Saturday or Sunday: it moves to the Friday before or the Monday after. Months and years only. */
  weekend: 'keep' | 'before' | 'after'
}

export interface Period {
  /** 0 for the period of the anchor, negative before it. */
  index: number
  /** The start before weekends are considered. It names the period, whatever `weekend` is. */
  nominal: CalendarDate
  start: CalendarDate
  /** The last day. */
  end: CalendarDate
  days: number
}

const MAX_COUNT = 366

const errors = errorTable('budgets', {
  invalidPeriod: ['invalid', 'The period is invalid: {problem}.'],
})

/**
 * Checks a rule from outside, and reports all its problems at once: the count is 1 to 366, days and weeks keep
 * weekends, and the period of the anchor and those on either side of it are in the range of the calendar. Throws
 * `budgets.invalidPeriod`; its fields are below `field`.
 */
export function checkPeriodRule(rule: PeriodRule, field = 'period'): void {
  const refuse = (part: keyof PeriodRule, problem: string) =>
    errors.invalidPeriod({ problem }, { field: `${field}.${part}` })
  const hasCount = Number.isInteger(rule.count) && rule.count >= 1 && rule.count <= MAX_COUNT
  checkAll(
    () => {
      if (!hasCount) {
        throw refuse('count', `its count must be a whole number from 1 to ${MAX_COUNT}`)
      }
    },
    () => {
      if (!(hasCount ? hasNeighbours(rule) : isCalendarDate(rule.anchor))) {
        throw refuse(
          'anchor',
          'its anchor, and the periods before and after it, must be in the years 1900 to 2200',
        )
      }
    },
    () => {
      if (!isByMonth(rule) && rule.weekend !== 'keep') {
        throw refuse('weekend', 'only months and years can move a start off the weekend')
      }
    },
  )
}

/** Throws `calendar.outOfRange` where the period is not wholly in the range of the calendar. */
export function periodAt(rule: PeriodRule, index: number): Period {
  const nominal = nominalAt(rule, index)
  const start = offWeekend(nominal, rule.weekend)
  const next = offWeekend(nominalAt(rule, index + 1), rule.weekend)
  return { index, nominal, start, end: addDays(next, -1), days: daysBetween(start, next) }
}

/** The index of the period that contains the date. It is known for every date, also at the ends of the calendar. */
export function periodIndexOf(rule: PeriodRule, date: CalendarDate): number {
  return nominalIndexOf(rule, lastNominalBy(date, rule.weekend))
}

/** The index of the last period that ends in the calendar: the one of its last day has no next one. */
export const lastIndexOf = (rule: PeriodRule): number => periodIndexOf(rule, LAST_DATE) - 1

/** The period that contains the date; throws `calendar.outOfRange`. */
export function periodOf(rule: PeriodRule, date: CalendarDate): Period {
  return periodAt(rule, periodIndexOf(rule, date))
}

/** The period with this nominal start, if there is one; throws `calendar.outOfRange`. */
export function periodNamed(rule: PeriodRule, nominal: CalendarDate): Period | undefined {
  const index = nominalIndexOf(rule, nominal)
  return nominalAt(rule, index) === nominal ? periodAt(rule, index) : undefined
}

/** The periods with these indexes, both included; throws `calendar.outOfRange`. */
export function periodsBetween(rule: PeriodRule, firstIndex: number, lastIndex: number): Period[] {
  const length = Math.max(0, lastIndex - firstIndex + 1)
  return Array.from({ length }, (_, at) => periodAt(rule, firstIndex + at))
}

/** Tells whether every period consists of whole calendar months. */
export function isWholeMonths(rule: PeriodRule): boolean {
  return isByMonth(rule) && rule.weekend === 'keep' && rule.anchor.endsWith('-01')
}

const isByMonth = ({ unit }: PeriodRule) => unit === 'month' || unit === 'year'

/** The length of a period: months for months and years, else days. */
function stepOf({ unit, count }: PeriodRule): number {
  return count * { day: 1, week: 7, month: 1, year: 12 }[unit]
}

function nominalAt(rule: PeriodRule, index: number): CalendarDate {
  const add = isByMonth(rule) ? addMonths : addDays
  return add(rule.anchor, index * stepOf(rule))
}

/** The index of the last nominal start on or before the date. */
function nominalIndexOf(rule: PeriodRule, date: CalendarDate): number {
  if (!isByMonth(rule)) {
    return Math.floor(daysBetween(rule.anchor, date) / stepOf(rule))
  }
  const months = monthNumber(date) - monthNumber(rule.anchor)
  // Only a start in the month of the date can be after it.
  const isReached = addMonths(rule.anchor, months) <= date
  return Math.floor((isReached ? months : months - 1) / stepOf(rule))
}

const monthNumber = (date: CalendarDate) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))

const FRIDAY = 4
const SUNDAY = 6

/** From Monday, 0, to Sunday, 6. */
function dayOfWeek(date: CalendarDate): number {
  // 1970-01-01, the day with number 0, was a Thursday. The remainder of a negative number is negative.
  return ((toDayNumber(date) % 7) + 10) % 7
}

/** 1 on a Saturday, 2 on a Sunday, else 0. */
const daysIntoWeekend = (date: CalendarDate) => Math.max(0, dayOfWeek(date) - FRIDAY)

function offWeekend(date: CalendarDate, weekend: PeriodRule['weekend']): CalendarDate {
  const days = daysIntoWeekend(date)
  if (days === 0 || weekend === 'keep') {
    return date
  }
  return addDays(date, weekend === 'before' ? -days : 3 - days)
}

/** The last day that, as a nominal start, has its start on or before the date. */
function lastNominalBy(date: CalendarDate, weekend: PeriodRule['weekend']): CalendarDate {
  if (weekend === 'after') {
    // A period that starts on a Saturday or Sunday begins on the Monday after it.
    return addDays(date, -daysIntoWeekend(date))
  }
  // A period that starts on a Saturday or Sunday begins on the Friday before it.
  const day = dayOfWeek(date)
  return weekend === 'before' && day >= FRIDAY ? addDays(date, SUNDAY - day) : date
}

function hasNeighbours(rule: PeriodRule): boolean {
  try {
    periodsBetween(rule, -1, 1)
    return true
  } catch {
    return false
  }
}
