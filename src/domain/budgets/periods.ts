import {
  addDays,
  dayOfWeek,
  daysBetween,
  FRIDAY,
  isCalendarDate,
  LAST_DATE,
  type CalendarDate,
} from '../calendar.ts'
import { checkAll, errorTable } from '../errors.ts'
import {
  type Interval,
  intervalIndexOf,
  intervalStart,
  isByMonth,
  MOST_UNITS,
} from '../schedules/intervals.ts'
import { daysIntoWeekend, offWeekend } from '../schedules/weekends.ts'

/** The rule by which a budget divides all days into periods. The anchor is the nominal start of period 0. */
export interface PeriodRule extends Interval {
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

const SUNDAY = 6

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
  const hasCount = Number.isInteger(rule.count) && rule.count >= 1 && rule.count <= MOST_UNITS
  checkAll(
    () => {
      if (!hasCount) {
        throw refuse('count', `its count must be a whole number from 1 to ${MOST_UNITS}`)
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
  const nominal = intervalStart(rule, index)
  const start = offWeekend(nominal, rule.weekend)
  const next = offWeekend(intervalStart(rule, index + 1), rule.weekend)
  return { index, nominal, start, end: addDays(next, -1), days: daysBetween(start, next) }
}

/** The index of the period that contains the date. It is known for every date, also at the ends of the calendar. */
export function periodIndexOf(rule: PeriodRule, date: CalendarDate): number {
  return intervalIndexOf(rule, lastNominalBy(date, rule.weekend))
}

/** The index of the last period that ends in the calendar: the one of its last day has no next one. */
export const lastIndexOf = (rule: PeriodRule): number => periodIndexOf(rule, LAST_DATE) - 1

/** The period that contains the date; throws `calendar.outOfRange`. */
export function periodOf(rule: PeriodRule, date: CalendarDate): Period {
  return periodAt(rule, periodIndexOf(rule, date))
}

/** The period with this nominal start, if there is one; throws `calendar.outOfRange`. */
export function periodNamed(rule: PeriodRule, nominal: CalendarDate): Period | undefined {
  const index = intervalIndexOf(rule, nominal)
  return intervalStart(rule, index) === nominal ? periodAt(rule, index) : undefined
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
