import {
  addDays,
  type CalendarDate,
  dayOfMonthOf,
  dayOfWeek,
  daysBetween,
  firstOfMonth,
  FRIDAY,
  isCalendarDate,
  LAST_DATE,
  lastOfMonth,
} from '../calendar.ts'
import { checkAll, errorTable } from '../errors.ts'
import { type Interval, intervalIndexOf, intervalStart, isByMonth } from './intervals.ts'
import { daysIntoWeekend, offWeekend, type WeekendMove } from './weekends.ts'

/** From Monday, as weeks begin with it. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Weekday = (typeof WEEKDAYS)[number]

/** A day of a week; a day of a month, from its end where it is negative; the nth weekday or workday of a month. */
export interface DayRule {
  weekday?: Weekday | 'workday' | undefined
  day?: number | undefined
  nth?: number | undefined
}

export const SHORT_MONTHS = ['last', 'skip', 'next'] as const
export const WEEKENDS = ['keep', 'before', 'after', 'nearest', 'skip'] as const

/** The days on which something comes again. */
export interface Schedule extends Interval {
  /** The day of the anchor where it is left out. In years these are days of the month of the anchor. */
  on?: DayRule[] | undefined
  /** What a day does that a month lacks: the last day of the month, nothing, or the first day of the next one. */
  shortMonth: (typeof SHORT_MONTHS)[number]
  /** `skip` leaves an occurrence out. */
  weekend: (typeof WEEKENDS)[number]
  /** The last nominal date. */
  until?: CalendarDate | undefined
  /** The number of nominal dates. */
  times?: number | undefined
}

/** A schedule that changes nothing about its days and does not end. */
export const PLAIN_SCHEDULE = { shortMonth: 'last', weekend: 'keep' } as const

export interface Occurrence {
  /** Names the occurrence; weekends do not move it. */
  nominalDate: CalendarDate
  /** null where the occurrence is left out, as it falls on a weekend. */
  date: CalendarDate | null
}

const errors = errorTable('schedules', {
  invalid: ['invalid', 'The schedule is invalid: {problem}.'],
})

/**
 * Checks what no single field tells, and reports all problems at once: days on fit the unit, the end is not said twice and not
 * before the anchor, and there is a first date. Throws `schedules.invalid`; its fields are below `field`.
 */
export function checkSchedule(schedule: Schedule, field = 'schedule'): void {
  const { unit, anchor, on = [], until, times } = schedule
  const refuse = (part: string, problem: string) =>
    errors.invalid({ problem }, { field: `${field}${part}` })
  const entries = on.map((rule, at) => () => {
    const problem = problemOf(unit, rule)
    if (problem) {
      throw refuse(`.on.${at}${problem[0]}`, problem[1])
    }
  })
  checkAll(
    () => {
      if (!isCalendarDate(anchor)) {
        throw refuse('.anchor', 'its anchor must be an existing day from 1900 to 2200')
      }
    },
    ...entries,
    () => {
      if (until !== undefined && times !== undefined) {
        throw refuse('.times', 'it must not have both until and times')
      }
    },
    () => {
      if (until !== undefined && until < anchor) {
        throw refuse('.until', 'until must not be before its anchor')
      }
    },
  )
  if (occurrencesFrom(schedule).next().done) {
    throw refuse('', 'there is no day on which it occurs')
  }
}

const isWithin = (number: number | undefined, first: number, last: number): boolean =>
  number !== undefined && Math.abs(number) <= (number > 0 ? first : last) && number !== 0

/** The part of a rule that does not fit, and why. */
function problemOf(unit: Interval['unit'], rule: DayRule): [string, string] | undefined {
  const { day, weekday, nth } = rule
  if (unit === 'day') {
    return ['', 'days have no entries in on']
  }
  if (unit === 'week') {
    const isWeekday = weekday !== undefined && weekday !== 'workday'
    return isWeekday && day === undefined && nth === undefined
      ? undefined
      : ['', 'an entry of weeks is a weekday alone']
  }
  if (weekday === undefined) {
    return isWithin(day, 31, 28) && nth === undefined
      ? undefined
      : ['.day', 'a day is from 1 to 31, or from -1 to -28, without nth']
  }
  return isWithin(nth, 5, 5) && day === undefined
    ? undefined
    : ['.nth', 'a weekday of a month has an nth from 1 to 5, or from -1 to -5, and no day']
}

/** The occurrences whose nominal dates are on or after a day, in their order, to the end of the calendar. */
export function* occurrencesFrom(
  schedule: Schedule,
  from: CalendarDate = schedule.anchor,
): Generator<Occurrence, undefined> {
  const { weekend, until = LAST_DATE, times = Infinity } = schedule
  let number = 0
  // What is counted is counted from the anchor on.
  for (const nominalDate of nominalDates(schedule, times === Infinity ? from : schedule.anchor)) {
    number += 1
    if (nominalDate > until || number > times) {
      return undefined
    }
    if (nominalDate >= from) {
      yield { nominalDate, date: dateOn(nominalDate, weekend) }
    }
  }
  return undefined
}

/** The occurrences whose nominal dates lie in a span, both ends included. */
export function occurrencesBetween(
  schedule: Schedule,
  from: CalendarDate,
  to: CalendarDate,
): Occurrence[] {
  const found: Occurrence[] = []
  for (const one of occurrencesFrom(schedule, from)) {
    if (one.nominalDate > to) {
      break
    }
    found.push(one)
  }
  return found
}

/** The occurrence with this nominal date, if there is one. */
export const occurrenceNamed = (
  schedule: Schedule,
  nominalDate: CalendarDate,
): Occurrence | undefined => occurrencesBetween(schedule, nominalDate, nominalDate)[0]

const dateOn = (nominalDate: CalendarDate, weekend: Schedule['weekend']): CalendarDate | null => {
  if (weekend === 'skip') {
    return daysIntoWeekend(nominalDate) > 0 ? null : nominalDate
  }
  return offWeekend(nominalDate, weekend satisfies WeekendMove)
}

/** All nominal dates from about a day on, whatever ends them: some before it, too. */
function* nominalDates(schedule: Schedule, from: CalendarDate): Generator<CalendarDate> {
  const { anchor } = schedule
  const intervals = { ...schedule, anchor: firstDayOf(schedule, anchor) }
  // A day that a month lacks can fall into the next one.
  const first = Math.max(0, intervalIndexOf(intervals, from) - 1)
  const end = intervalIndexOf(intervals, LAST_DATE)
  let last = ''
  for (let index = first; index <= end; index++) {
    for (const date of datesIn(schedule, intervalStart(intervals, index))) {
      if (date >= anchor && date > last) {
        yield date
        last = date
      }
    }
  }
}

/** Intervals of weeks begin on Mondays, and those of months and years on the first of a month. */
function firstDayOf(schedule: Interval, date: CalendarDate): CalendarDate {
  if (schedule.unit === 'week') {
    return addDays(date, -dayOfWeek(date))
  }
  return isByMonth(schedule) ? firstOfMonth(date) : date
}

/** The nominal dates in the interval that begins on this day, in their order. */
function datesIn(schedule: Schedule, start: CalendarDate): CalendarDate[] {
  const { unit, anchor, on } = schedule
  if (unit === 'day') {
    return [start]
  }
  const rules = on ?? [unit === 'week' ? weekdayRuleOf(anchor) : { day: dayOfMonthOf(anchor) }]
  return rules.flatMap((rule) => dateIn(rule, start, schedule.shortMonth) ?? []).toSorted()
}

const weekdayRuleOf = (date: CalendarDate): DayRule => ({
  weekday: WEEKDAYS[dayOfWeek(date)],
})

function dateIn(
  rule: DayRule,
  start: CalendarDate,
  shortMonth: Schedule['shortMonth'],
): CalendarDate | undefined {
  const { day, weekday, nth } = rule
  if (day !== undefined) {
    return dayIn(start, day, shortMonth)
  }
  if (nth !== undefined) {
    return nthIn(start, weekday, nth)
  }
  const days = WEEKDAYS.findIndex((one) => one === weekday)
  // The last week of the calendar has no Thursday.
  return days <= daysBetween(start, LAST_DATE) ? addDays(start, days) : undefined
}

/** A day of the month that begins on a day; negative ones count from its end. */
function dayIn(
  start: CalendarDate,
  day: number,
  shortMonth: Schedule['shortMonth'],
): CalendarDate | undefined {
  const last = lastOfMonth(start)
  if (day < 0) {
    return addDays(last, day + 1)
  }
  if (day <= dayOfMonthOf(last)) {
    return addDays(start, day - 1)
  }
  return { last, skip: undefined, next: addDays(last, 1) }[shortMonth]
}

/** The nth weekday or workday of the month that begins on a day. */
function nthIn(
  start: CalendarDate,
  weekday: DayRule['weekday'],
  nth: number,
): CalendarDate | undefined {
  const first = dayOfWeek(start)
  const days = Array.from({ length: dayOfMonthOf(lastOfMonth(start)) }, (_, at) => at).filter(
    (at) => {
      const day = (first + at) % WEEKDAYS.length
      return weekday === 'workday' ? day <= FRIDAY : WEEKDAYS[day] === weekday
    },
  )
  const at = days.at(nth > 0 ? nth - 1 : nth)
  return at === undefined ? undefined : addDays(start, at)
}
