import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkPeriodRule,
  isWholeMonths,
  periodAt,
  periodIndexOf,
  periodNamed,
  periodOf,
  periodsBetween,
  type PeriodRule,
} from '../../../src/domain/budgets/periods.ts'
import { addDays, dateInZone, fromDayNumber, toDayNumber } from '../../../src/domain/calendar.ts'

const monthly = (anchor: string, weekend: PeriodRule['weekend'] = 'keep'): PeriodRule => ({
  unit: 'month',
  count: 1,
  anchor,
  weekend,
})
const outOfRange = expect.objectContaining({ code: 'calendar.outOfRange' })
const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

const anyRule: fc.Arbitrary<PeriodRule> = fc.oneof(
  fc.record({
    unit: fc.constantFrom('day', 'week'),
    count: fc.integer({ min: 1, max: 366 }),
    anchor: dateIn('1990-01-01', '2060-12-31'),
    weekend: fc.constant('keep'),
  }),
  fc.record({
    unit: fc.constantFrom('month', 'year'),
    count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })),
    anchor: fc.oneof(
      dateIn('1990-01-01', '2060-12-31'),
      fc.constantFrom('2026-10-31', '2024-02-29', '2026-08-01', '2025-12-30', '2026-11-01'),
    ),
    weekend: fc.constantFrom('keep', 'before', 'after'),
  }),
)

function dateIn(first: string, last: string): fc.Arbitrary<string> {
  return fc.integer({ min: toDayNumber(first), max: toDayNumber(last) }).map(fromDayNumber)
}

describe('periods of a month from 2026-10-31', () => {
  const worked = [
    ['2026-10-31', '2026-11-29', 30, '2026-10-30', '2026-11-29', 31],
    ['2026-11-30', '2026-12-30', 31, '2026-11-30', '2026-12-30', 31],
    ['2026-12-31', '2027-01-30', 31, '2026-12-31', '2027-01-28', 29],
    ['2027-01-31', '2027-02-27', 28, '2027-01-29', '2027-02-25', 28],
    ['2027-02-28', '2027-03-30', 31, '2027-02-26', '2027-03-30', 33],
    ['2027-03-31', '2027-04-29', 30, '2027-03-31', '2027-04-29', 30],
    ['2027-04-30', '2027-05-30', 31, '2027-04-30', '2027-05-30', 31],
    ['2027-05-31', '2027-06-29', 30, '2027-05-31', '2027-06-29', 30],
  ] as const

  test('weekends are kept', () => {
    const expected = worked.map(([start, end, days], index) => ({
      ...{ index, nominal: start, start, end, days },
    }))
    expect(periodsBetween(monthly('2026-10-31'), 0, 7)).toEqual(expected)
  })

  test('starts on weekends move to the Friday before, and keep the name', () => {
    const expected = worked.map(([nominal, , , start, end, days], index) => ({
      ...{ index, nominal, start, end, days },
    }))
    expect(periodsBetween(monthly('2026-10-31', 'before'), 0, 7)).toEqual(expected)
  })

  test('starts on weekends move to the Monday after', () => {
    const starts = periodsBetween(monthly('2026-10-31', 'after'), 0, 4).map(({ start }) => start)
    expect(starts).toEqual(['2026-11-02', '2026-11-30', '2026-12-31', '2027-02-01', '2027-03-01'])
  })
})

test.each([
  ['10 days', 'day', 10, '2026-02-25 2026-03-07 2026-03-17 2026-03-27 2026-04-06'],
  ['2 weeks', 'week', 2, '2026-12-25 2027-01-08 2027-01-22 2027-02-05 2027-02-19'],
  ['4 weeks', 'week', 4, '2026-12-07 2027-01-04 2027-02-01 2027-03-01 2027-03-29'],
  ['1 month', 'month', 1, '2026-01-25 2026-02-25 2026-03-25 2026-04-25 2026-05-25'],
  ['3 months', 'month', 3, '2025-11-30 2026-02-28 2026-05-30 2026-08-30 2026-11-30'],
  ['6 months', 'month', 6, '2025-08-31 2026-02-28 2026-08-31 2027-02-28 2027-08-31'],
  ['12 months', 'month', 12, '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29'],
  ['1 year', 'year', 1, '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29'],
] as const)('the first five periods of %s', (_, unit, count, starts) => {
  const [anchor = '', ...others] = starts.split(' ')
  const rule: PeriodRule = { unit, count, anchor, weekend: 'keep' }
  const periods = periodsBetween(rule, 0, 4)
  expect(periods.map(({ start }) => start)).toEqual([anchor, ...others])
  expect(periods.map(({ nominal }) => nominal)).toEqual([anchor, ...others])
})

describe('what is current in a budget of calendar months', () => {
  const zones = ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Kiritimati']

  test.each([
    ['2026-10-31T22:30:00Z', '2026-10-31 2026-10-31 2026-11-01'],
    ['2026-10-31T23:30:00Z', '2026-10-31 2026-11-01 2026-11-01'],
    ['2026-11-01T09:30:00Z', '2026-11-01 2026-11-01 2026-11-01'],
    ['2027-03-28T00:30:00Z', '2027-03-27 2027-03-28 2027-03-28'],
    ['2027-03-28T01:30:00Z', '2027-03-27 2027-03-28 2027-03-28'],
  ])('at %s it is %s there', (instant, dates) => {
    const today = zones.map((zone) => dateInZone(Date.parse(instant), zone))
    expect(today).toEqual(dates.split(' '))
    const current = today.map((date) => periodOf(monthly('2026-01-01'), date).nominal)
    expect(current).toEqual(dates.split(' ').map((date) => `${date.slice(0, 7)}-01`))
  })
})

test('weeks do not end with the year', () => {
  const rule: PeriodRule = { unit: 'week', count: 1, anchor: '2026-12-14', weekend: 'keep' }
  const weeks = periodsBetween(rule, 0, 4)
  expect(weeks.map(({ start, end }) => `${start} to ${end}`)).toEqual([
    '2026-12-14 to 2026-12-20',
    '2026-12-21 to 2026-12-27',
    '2026-12-28 to 2027-01-03',
    '2027-01-04 to 2027-01-10',
    '2027-01-11 to 2027-01-17',
  ])
  const days = weeks.flatMap((week) =>
    Array.from({ length: week.days }, (_, at) => addDays(week.start, at).slice(0, 7)),
  )
  expect(days.filter((month) => month === '2026-12')).toHaveLength(18)
  expect(days.filter((month) => month === '2027-01')).toHaveLength(17)
})

describe('every rule', () => {
  test('periods neither overlap nor leave a gap, and know their length', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: -5, max: 5 }), (rule, index) => {
        const [first, second] = [periodAt(rule, index), periodAt(rule, index + 1)]
        expect(addDays(first.end, 1)).toBe(second.start)
        expect(first.days).toBeGreaterThan(0)
        expect(addDays(first.start, first.days - 1)).toBe(first.end)
      }),
    )
  })

  test('a start moves off the weekend only as the rule says, by two days at most', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: -5, max: 5 }), (rule, index) => {
        const { nominal, start } = periodAt(rule, index)
        const moved = toDayNumber(start) - toDayNumber(nominal)
        const byDay = { keep: {}, before: { 6: -1, 0: -2 }, after: { 6: 2, 0: 1 } }
        const shifts: Record<number, number> = byDay[rule.weekend]
        expect(moved).toBe(shifts[weekdayOf(nominal)] ?? 0)
      }),
    )
  })

  test('each day belongs to the one period that contains it', () => {
    fc.assert(
      fc.property(anyRule, dateIn('1985-01-01', '2065-12-31'), (rule, date) => {
        const period = periodOf(rule, date)
        expect(period.start <= date && date <= period.end).toBe(true)
        expect(period).toEqual(periodAt(rule, period.index))
        expect(periodIndexOf(rule, date)).toBe(period.index)
      }),
    )
  })

  test('each first and last day belongs to its period', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: -5, max: 5 }), (rule, index) => {
        const period = periodAt(rule, index)
        expect(periodOf(rule, period.start)).toEqual(period)
        expect(periodOf(rule, period.end)).toEqual(period)
      }),
    )
  })

  test('a period is found by its nominal start, and by no other day', () => {
    fc.assert(
      fc.property(anyRule, dateIn('1985-01-01', '2065-12-31'), (rule, date) => {
        const { nominal } = periodOf({ ...rule, weekend: 'keep' }, date)
        expect(periodNamed(rule, nominal)?.nominal).toBe(nominal)
        expect(periodNamed(rule, date)?.nominal).toBe(date === nominal ? date : undefined)
      }),
    )
  })
})

test('a moved start is no name', () => {
  const rule = monthly('2026-10-31', 'before')
  expect(periodNamed(rule, '2026-10-30')).toBeUndefined()
  expect(periodNamed(rule, '2026-10-31')?.start).toBe('2026-10-30')
})

test('no periods are between a first and an earlier last one', () => {
  expect(periodsBetween(monthly('2026-01-01'), 3, 2)).toEqual([])
  expect(periodsBetween(monthly('2026-01-01'), 3, 3)).toHaveLength(1)
})

describe('the ends of the calendar', () => {
  const rule = monthly('2026-01-01')
  const first = { index: -1512, nominal: '1900-01-01', start: '1900-01-01', end: '1900-01-31' }

  test('the first and the last whole month are periods', () => {
    expect(periodOf(rule, '1900-01-01')).toEqual({ ...first, days: 31 })
    expect(periodOf(rule, '2200-11-30').end).toBe('2200-11-30')
  })

  test('a period that reaches beyond them is none, but its index is known', () => {
    expect(() => periodOf(rule, '2200-12-01')).toThrow(outOfRange)
    expect(periodIndexOf(rule, '2200-12-01')).toBe(2099)
    expect(() => periodOf(monthly('2026-01-31'), '1900-01-30')).toThrow(outOfRange)
    expect(periodIndexOf(monthly('2026-01-31'), '1900-01-30')).toBe(-1513)
    expect(() => periodAt(rule, -1513)).toThrow(outOfRange)
    expect(() => periodAt(rule, Number.MAX_VALUE)).toThrow(outOfRange)
    expect(() => periodsBetween(rule, 2090, 2100)).toThrow(outOfRange)
  })

  test('a period that ends before one out of range is found', () => {
    expect(periodOf(monthly('2026-01-31'), '2200-12-15').end).toBe('2200-12-30')
    const yearly: PeriodRule = {
      ...{ unit: 'year', count: 1, anchor: '2000-04-01', weekend: 'before' },
    }
    expect(periodOf(yearly, '1900-03-31')).toMatchObject({
      ...{ nominal: '1900-04-01', start: '1900-03-30' },
    })
  })

  test('every day has an index, whatever the rule', () => {
    fc.assert(
      fc.property(anyRule, dateIn('1900-01-01', '2200-12-31'), (rule, date) => {
        expect(Number.isSafeInteger(periodIndexOf(rule, date))).toBe(true)
      }),
    )
  })
})

describe('which rules are possible', () => {
  const issuesOf = (rule: PeriodRule, field?: string) => {
    try {
      checkPeriodRule(rule, field)
      return []
    } catch (error) {
      expect(error).toMatchObject({ kind: 'invalid', code: 'budgets.invalidPeriod' })
      return (error as { issues: { field: string }[] }).issues.map((issue) => issue.field)
    }
  }
  const daily: PeriodRule = { unit: 'day', count: 1, anchor: '2026-01-01', weekend: 'keep' }

  test.each<[string, Partial<PeriodRule>]>([
    ['the least count', { count: 1 }],
    ['the largest count', { count: 366 }],
    ['months off the weekend', { unit: 'month', weekend: 'before' }],
    ['years off the weekend', { unit: 'year', weekend: 'after' }],
    ['many months', { unit: 'month', count: 366 }],
    ['the first anchor', { anchor: '1900-01-02' }],
    ['the last anchor', { anchor: '2200-12-29' }],
  ])('%s is possible', (_, part) => {
    expect(issuesOf({ ...daily, ...part })).toEqual([])
  })

  test.each<[string, Partial<PeriodRule>, string[]]>([
    ['no count', { count: 0 }, ['period.count']],
    ['a negative count', { count: -1 }, ['period.count']],
    ['a count too large', { count: 367 }, ['period.count']],
    ['a fraction', { count: 1.5 }, ['period.count']],
    ['days off the weekend', { weekend: 'before' }, ['period.weekend']],
    ['weeks off the weekend', { unit: 'week', weekend: 'after' }, ['period.weekend']],
    ['a day that is none', { anchor: '2026-02-30' }, ['period.anchor']],
    ['an anchor before the calendar', { anchor: '1899-12-31' }, ['period.anchor']],
    ['an anchor after the calendar', { anchor: '2201-01-01' }, ['period.anchor']],
    ['no day before the anchor', { anchor: '1900-01-01' }, ['period.anchor']],
    ['no day after the next period', { anchor: '2200-12-30' }, ['period.anchor']],
    ['centuries', { unit: 'year', count: 200 }, ['period.anchor']],
    [
      'all at once',
      { count: 0, anchor: '', weekend: 'after' },
      ['period.count', 'period.anchor', 'period.weekend'],
    ],
  ])('%s is not', (_, part, fields) => {
    expect(issuesOf({ ...daily, ...part })).toEqual(fields)
  })

  test('the error says what is wrong, below the field of the rule', () => {
    expect(() => checkPeriodRule({ ...daily, count: 400 }, 'rule')).toThrow(
      expect.objectContaining({
        field: 'rule.count',
        message: 'The period is invalid: its count must be a whole number from 1 to 366.',
      }),
    )
  })
})

test.each<[Partial<PeriodRule>, boolean]>([
  [{}, true],
  [{ count: 3 }, true],
  [{ unit: 'year' }, true],
  [{ anchor: '2026-01-02' }, false],
  [{ anchor: '2026-01-11' }, false],
  [{ weekend: 'before' }, false],
  [{ weekend: 'after' }, false],
  [{ unit: 'day' }, false],
  [{ unit: 'week' }, false],
])('months from the first of January with %j are whole: %s', (part, expected) => {
  expect(isWholeMonths({ ...monthly('2026-01-01'), ...part })).toBe(expected)
})
