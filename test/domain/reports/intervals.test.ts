import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { addDays, daysBetween } from '../../../src/domain/calendar.ts'
import {
  daysOf,
  hullOf,
  intervalAt,
  isLongerThan,
  isOfMonths,
  monthsAndDaysOf,
  periodIndexIn,
  periodsOf,
  REPORT_INTERVALS,
} from '../../../src/domain/reports/intervals.ts'
import { namedPeriod } from '../../../src/domain/named-periods.ts'

const day = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2020-01-01', days))
const span = fc
  .tuple(day, fc.integer({ min: 0, max: 800 }))
  .map(([from, days]) => ({ from, to: addDays(from, days) }))

describe('intervals', () => {
  test.each([
    ['day', '2026-02-18', '2026-02-18'],
    ['week', '2026-02-16', '2026-02-22'],
    ['month', '2026-02-01', '2026-02-28'],
    ['quarter', '2026-01-01', '2026-03-31'],
    ['year', '2026-01-01', '2026-12-31'],
  ] as const)('of a %s', (interval, from, to) => {
    expect(intervalAt('2026-02-18', interval)).toEqual({ from, to })
  })

  test('end with the calendar', () => {
    for (const interval of REPORT_INTERVALS) {
      const periods = periodsOf({ from: '2200-12-29', to: '2200-12-31' }, interval)
      expect(periods.at(-1)?.to).toBe('2200-12-31')
      expect(periodsOf({ from: '1900-01-01', to: '1900-01-03' }, interval)[0]?.from).toBe(
        '1900-01-01',
      )
    }
  })

  test('follow each other through the span, and say where it cuts them', () => {
    fc.assert(
      fc.property(span, fc.constantFrom(...REPORT_INTERVALS), (all, interval) => {
        const periods = periodsOf(all, interval)
        expect(hullOf(periods)).toEqual(all)
        for (const [at, { from, to, partial }] of periods.entries()) {
          const whole = intervalAt(from, interval)
          expect(partial).toBe(whole.from !== from || whole.to !== to)
          expect(periods[at + 1]?.from ?? addDays(to, 1)).toBe(addDays(to, 1))
        }
      }),
    )
  })

  test('without one, the span stands alone', () => {
    const all = { from: '2026-01-05', to: '2026-02-03' }
    expect(periodsOf(all, undefined)).toEqual([{ ...all, partial: false }])
    const indexOf = periodIndexIn(periodsOf(all, 'month'))
    expect(
      ['2026-01-04', '2026-01-31', '2026-02-03', '2026-02-04', '2026-01-31'].map(indexOf),
    ).toEqual([undefined, 0, 1, undefined, 0])
    expect(REPORT_INTERVALS.filter(isOfMonths)).toEqual(['month', 'quarter', 'year'])
  })

  test('a span of whole years is not longer than these', () => {
    const ends = ['2049-06-14', '2050-06-14', '2050-06-15']
    expect(ends.map((to) => isLongerThan({ from: '2000-06-15', to }, 50))).toEqual([
      ...[false, false, true],
    ])
  })
})

describe('kept sums', () => {
  /** The days that ranges of months and days lead to, one for each month that is read whole. */
  const covers = (ranges: ReturnType<typeof daysOf>, date: string) =>
    ranges.filter(({ grain, low, high }) => {
      const period = grain === 'day' ? date : date.slice(0, 7)
      return low <= period && period < high
    })

  test('hold each day of the spans once, and whole months only of months that no span cuts', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 3 }), day, (spans, date) => {
        const { from, to } = hullOf(spans)
        const isInside = from <= date && date <= to
        const [found, ...others] = covers(monthsAndDaysOf(spans), date)
        expect(others).toEqual([])
        const month = intervalAt(date, 'month')
        const isCut = spans.some(
          (one) =>
            (one.from > month.from && one.from <= month.to) ||
            (one.to >= month.from && one.to < month.to),
        )
        if (isInside) {
          expect(found?.grain).toBe(isCut ? 'day' : 'month')
          expect(covers(daysOf(spans), date).length).toBe(1)
        }
        expect(covers(daysOf(spans), addDays(to, 1))).toEqual([])
        expect(covers(monthsAndDaysOf(spans), addDays(to, 1))).toEqual([])
        expect(covers(monthsAndDaysOf(spans), addDays(from, -1))).toEqual([])
      }),
    )
  })

  test('are few', () => {
    expect(monthsAndDaysOf([{ from: '2025-01-01', to: '2026-12-31' }])).toEqual([
      { grain: 'month', low: '2025-01', high: '2026-12~' },
    ])
    expect(monthsAndDaysOf([{ from: '2026-01-05', to: '2026-01-06' }])).toEqual([
      { grain: 'day', low: '2026-01-05', high: '2026-01-06~' },
    ])
    const today = namedPeriod('yearToDate')?.('2026-03-05') ?? { from: '', to: '' }
    expect(daysBetween(today.from, today.to)).toBe(63)
    expect(monthsAndDaysOf([today])).toEqual([
      { grain: 'month', low: '2026-01', high: '2026-03' },
      { grain: 'day', low: '2026-03', high: '2026-03-05~' },
    ])
    expect(hullOf([])).toEqual({ from: '', to: '' })
  })
})
