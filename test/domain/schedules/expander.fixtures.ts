import fc from 'fast-check'
import {
  type DayRule,
  type Schedule,
  SHORT_MONTHS,
  WEEKDAYS,
  WEEKENDS,
} from '../../../src/domain/schedules/schedules.ts'

const DAY = 86_400_000

// An expander that was written apart: it looks at one day after the other and asks whether it is an occurrence.

export const daysOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY
export const textOf = (days: number) => new Date(days * DAY).toISOString().slice(0, 10)
const weekdayOf = (days: number) => (new Date(days * DAY).getUTCDay() + 6) % 7

interface Month {
  year: number
  month: number
  length: number
}

function monthOf(days: number): Month {
  const date = new Date(days * DAY)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { year, month, length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() }
}

/** Whether a day of a month is what an entry names, by the days of that month alone. */
function isNamed(rule: DayRule, days: number, shortMonth: Schedule['shortMonth']): boolean {
  const { length } = monthOf(days)
  const day = new Date(days * DAY).getUTCDate()
  if (rule.day !== undefined) {
    const isShort = rule.day > length
    return rule.day < 0
      ? day === length + rule.day + 1
      : day === rule.day || (isShort && shortMonth === 'last' && day === length)
  }
  const { weekday, nth } = rule as { weekday: string; nth: number }
  const fits = (other: number) =>
    weekday === 'workday' ? weekdayOf(other) < 5 : WEEKDAYS[weekdayOf(other)] === weekday
  const from = nth > 0 ? days - day + 1 : days
  const to = nth > 0 ? days : days - day + length
  let count = 0
  for (let other = from; other <= to; other++) {
    count += fits(other) ? 1 : 0
  }
  return fits(days) && count === Math.abs(nth)
}

function isNominal(schedule: Schedule, days: number): boolean {
  const { unit, count, shortMonth } = schedule
  const anchor = daysOf(schedule.anchor)
  if (unit === 'day') {
    return (days - anchor) % count === 0
  }
  if (unit === 'week') {
    const weeks = (days - weekdayOf(days) - (anchor - weekdayOf(anchor))) / 7
    const on = schedule.on ?? [{ weekday: WEEKDAYS[weekdayOf(anchor)] }]
    const isOn = on.some((rule) => 'weekday' in rule && rule.weekday === WEEKDAYS[weekdayOf(days)])
    return weeks % count === 0 && isOn
  }
  const on = schedule.on ?? [{ day: new Date(anchor * DAY).getUTCDate() }]
  const start = monthOf(anchor)
  const isIn = ({ year, month }: Month) => {
    const months = (year - start.year) * 12 + month - start.month
    return months >= 0 && months % (unit === 'year' ? 12 * count : count) === 0
  }
  const before = monthOf(days - 1)
  const isFirst = new Date(days * DAY).getUTCDate() === 1
  const movesHere = ({ day = 0 }: DayRule) => day > before.length
  return (
    (isIn(monthOf(days)) && on.some((rule) => isNamed(rule, days, shortMonth))) ||
    (isFirst && shortMonth === 'next' && isIn(before) && on.some(movesHere))
  )
}

function moved(days: number, weekend: Schedule['weekend']): string | null {
  const at = weekdayOf(days) - 4
  if (at <= 0 || weekend === 'keep') {
    return textOf(days)
  }
  if (weekend === 'skip') {
    return null
  }
  const friday = days - at
  return textOf(weekend === 'before' || (weekend === 'nearest' && at === 1) ? friday : friday + 3)
}

/** The occurrences whose nominal dates are in a span. */
export function expanded(schedule: Schedule, from: string, to: string) {
  const found: { nominalDate: string; date: string | null }[] = []
  let number = 0
  for (let days = daysOf(schedule.anchor); days <= daysOf(to); days++) {
    const nominalDate = textOf(days)
    const isOver = nominalDate > (schedule.until ?? '9') || number >= (schedule.times ?? Infinity)
    if (!isOver && isNominal(schedule, days)) {
      number += 1
      if (nominalDate >= from) {
        found.push({ nominalDate, date: moved(days, schedule.weekend) })
      }
    }
  }
  return found
}

export const dateIn = (first: string, last: string) =>
  fc.integer({ min: daysOf(first), max: daysOf(last) }).map(textOf)

const nth = fc.constantFrom(1, 2, 3, 4, 5, -1, -2, -3, -4, -5)
const ofMonth: fc.Arbitrary<DayRule> = fc.oneof(
  fc.record({ day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: -28, max: -1 })) }),
  fc.record({ weekday: fc.constantFrom(...WEEKDAYS, 'workday' as const), nth }),
)
const ofWeek: fc.Arbitrary<DayRule> = fc.record({ weekday: fc.constantFrom(...WEEKDAYS) })

export const anySchedule = fc
  .constantFrom('day', 'week', 'month', 'year')
  .chain((unit): fc.Arbitrary<Schedule> => {
    const rule = unit === 'week' ? ofWeek : ofMonth
    const on =
      unit === 'day'
        ? fc.constant(undefined)
        : fc.option(fc.array(rule, { minLength: 1, maxLength: 5 }), { nil: undefined })
    const anchor = fc.oneof(
      dateIn('2019-01-01', '2029-12-31'),
      fc.constantFrom('2024-02-29', '2023-12-31', '2026-01-30'),
    )
    return fc
      .record({
        on,
        anchor,
        unit: fc.constant(unit),
        count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
        shortMonth: fc.constantFrom(...SHORT_MONTHS),
        weekend: fc.constantFrom(...WEEKENDS),
        end: fc.oneof(
          fc.constant({}),
          fc.integer({ min: 1, max: 40 }).map((times) => ({ times })),
          dateIn('2024-01-01', '2032-01-01').map((until) => ({ until })),
        ),
      })
      .map(({ end, ...fields }) => ({ ...fields, ...end }))
  })
