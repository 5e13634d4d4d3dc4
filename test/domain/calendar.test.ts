import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dateInZone,
  daysBetween,
  firstOfMonth,
  fromDayNumber,
  instantOf,
  isCalendarDate,
  isClockTime,
  isTimeZone,
  lastOfMonth,
  monthOf,
  parseCalendarDate,
  toDayNumber,
} from '../../src/domain/calendar.ts'
import { isAmong } from '../support/rounds.ts'

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1900, 0, 1) / DAY_MS
const LAST_DAY = Date.UTC(2200, 11, 31) / DAY_MS

const invalid = (code: string, field?: string) =>
  expect.objectContaining({ kind: 'invalid', code, field })
const dateOfUtc = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10)
const anyDay = fc.integer({ min: FIRST_DAY, max: LAST_DAY })

function impossibleDates(): string[] {
  const commonYears = [1900, 1901, 1997, 2019, 2021, 2022, 2023, 2025, 2100, 2200]
  const leapYears = [1904, 1996, 2000, 2024]
  const two = (value: number) => String(value).padStart(2, '0')
  return [
    ...commonYears.map((year) => `${year}-02-29`),
    ...[...commonYears, ...leapYears].flatMap((year) => [
      `${year}-02-30`,
      `${year}-02-31`,
      `${year}-00-10`,
      `${year}-13-01`,
      `${year}-99-99`,
      ...[4, 6, 9, 11].map((month) => `${year}-${two(month)}-31`),
      ...[1, 3, 12].flatMap((month) => [`${year}-${two(month)}-00`, `${year}-${two(month)}-32`]),
    ]),
    ...'1899-12-31 2201-01-01 0000-01-01 0001-01-01 9999-12-31 10000-01-01'.split(' '),
    ...'2024 2024-01 2024-1-1 2024-01-1 24-01-01 20240101 2024/01/01'.split(' '),
    ...'01-02-2024 01.02.2024 2024-01-01T00:00:00Z -2024-01-01 +2024-01-01'.split(' '),
    ...'2024-01-+1 2024-1e-01 ２０２４-01-01 ٢٠٢٤-01-01 2024–01–01 2024-W01-1 2024-001'.split(' '),
    ...'today NaN-NaN-NaN null 2024-01-01\u0000'.split(' '),
    '',
    ' 2024-01-01',
    '2024-01-01 ',
    '2024-01-01\n',
  ]
}

describe('dates from outside', () => {
  test('more than 200 impossible dates are refused', () => {
    const dates = impossibleDates()
    expect(new Set(dates).size).toBeGreaterThan(200)
    expect(dates.filter(isCalendarDate)).toEqual([])
  })

  test('a real date is taken as it is', () => {
    expect(parseCalendarDate('2024-02-29')).toBe('2024-02-29')
    expect(isCalendarDate('1900-01-01')).toBe(true)
    expect(isCalendarDate('2200-12-31')).toBe(true)
  })

  test('an impossible date is refused with the field it stood in', () => {
    expect(() => parseCalendarDate('2023-02-29', 'date')).toThrow(
      invalid('calendar.invalidDate', 'date'),
    )
    expect(() => parseCalendarDate('2023-02-29')).toThrow(invalid('calendar.invalidDate'))
  })

  test('any text of digits is a date exactly when a calendar has it', () => {
    const anyNumber = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(anyNumber(2300), anyNumber(14), anyNumber(34), (year, month, day) => {
        const text = [String(year).padStart(4, '0'), month, day]
          .map((part) => String(part).padStart(2, '0'))
          .join('-')
        const oracle = new Date(0)
        oracle.setUTCFullYear(year, month - 1, day)
        const exists = oracle.toISOString().startsWith(text) && year >= 1900 && year <= 2200
        expect(isCalendarDate(text)).toBe(exists)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('day numbers', () => {
  test('every day from 1900-01-01 to 2200-12-31 goes there and back and agrees with Date.UTC', () => {
    // Collected, not asserted one by one: 110,000 assertions would take seconds.
    const wrong: number[] = []
    for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
      const date = dateOfUtc(day * DAY_MS)
      if (!isCalendarDate(date) || toDayNumber(date) !== day || fromDayNumber(day) !== date) {
        wrong.push(day)
      }
    }
    expect(wrong).toEqual([])
  })

  test('the first day of 1970 is day 0', () => {
    expect(toDayNumber('1970-01-01')).toBe(0)
    expect(fromDayNumber(-1)).toBe('1969-12-31')
  })

  test.each([FIRST_DAY - 1, LAST_DAY + 1, 0.5, Number.NaN, Infinity, -1e9, 1e9])(
    'there is no day %d',
    (day) => expect(() => fromDayNumber(day)).toThrow(invalid('calendar.outOfRange')),
  )

  test('a text that is no date has no day number', () => {
    expect(() => toDayNumber('2023-02-29')).toThrow(invalid('calendar.invalidDate'))
  })
})

describe('steps', () => {
  test('days are added across months, years and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2023-12-31', 1)).toBe('2024-01-01')
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
    expect(() => addDays('2200-12-31', 1)).toThrow(invalid('calendar.outOfRange'))
    expect(() => addDays('2024-01-01', 0.5)).toThrow(invalid('calendar.outOfRange'))
  })

  test('adding the days between two dates leads from one to the other', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (one, other) => {
        const [from, to] = [fromDayNumber(one), fromDayNumber(other)]
        expect(daysBetween(from, to)).toBe(other - one)
        expect(addDays(from, daysBetween(from, to))).toBe(to)
      }),
    )
  })

  test('dates sort as text in the order of their days', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (one, other) => {
        expect(fromDayNumber(one) < fromDayNumber(other)).toBe(one < other)
      }),
    )
  })

  test.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2024-01-31', 2, '2024-03-31'],
    ['2024-01-31', 3, '2024-04-30'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2024-12-15', 1, '2025-01-15'],
    ['2024-01-15', -1, '2023-12-15'],
    ['2024-03-31', -1, '2024-02-29'],
    ['2024-05-05', 0, '2024-05-05'],
  ])('%s and %d months is %s', (anchor, months, date) => {
    expect(addMonths(anchor, months)).toBe(date)
  })

  test('a monthly series stays on its anchor day wherever the month has one', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -600, max: 600 }), (day, months) => {
        const anchor = fromDayNumber(day)
        const year = Number(anchor.slice(0, 4)) + Math.floor(months / 12)
        fc.pre(year > 1900 && year < 2200)
        const date = addMonths(anchor, months)
        const lastDay = lastOfMonth(date).slice(8)
        expect(date.slice(8)).toBe(anchor.slice(8) < lastDay ? anchor.slice(8) : lastDay)
        const monthCount = (text: string) =>
          Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
        expect(monthCount(date) - monthCount(anchor)).toBe(months)
      }),
    )
  })

  test.each([2124, -1500, 0.5, Number.NaN, 1e9])('%d months lead nowhere', (months) => {
    expect(() => addMonths('2024-01-31', months)).toThrow(invalid('calendar.outOfRange'))
  })
})

describe('months', () => {
  test('a date knows its month and the ends of it', () => {
    expect(monthOf('2024-02-10')).toBe('2024-02')
    expect(firstOfMonth('2024-02-10')).toBe('2024-02-01')
    expect(lastOfMonth('2024-02-10')).toBe('2024-02-29')
    expect(lastOfMonth('2100-02-01')).toBe('2100-02-28')
    expect(lastOfMonth('2024-12-31')).toBe('2024-12-31')
    expect(lastOfMonth('2024-04-01')).toBe('2024-04-30')
  })

  test('a text that is no date has no month', () => {
    expect(() => monthOf('2024-02-30')).toThrow(invalid('calendar.invalidDate'))
    expect(() => lastOfMonth('2024-02-30')).toThrow(invalid('calendar.invalidDate'))
  })

  test('the day after the last of a month is a first of a month', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY - 31 }), (day) => {
        const next = addDays(lastOfMonth(fromDayNumber(day)), 1)
        expect(next).toBe(firstOfMonth(next))
      }),
    )
  })
})

describe('time zones', () => {
  test.each([
    ['2024-03-10T23:30:00Z', 'UTC', '2024-03-10'],
    ['2024-03-10T23:30:00Z', 'Europe/Berlin', '2024-03-11'],
    ['2024-03-10T23:30:00Z', 'America/New_York', '2024-03-10'],
    ['2024-07-01T22:30:00Z', 'Europe/Berlin', '2024-07-02'],
    ['2024-01-01T22:30:00Z', 'Europe/Berlin', '2024-01-01'],
    ['2023-12-31T10:30:00Z', 'Pacific/Kiritimati', '2024-01-01'],
    ['2024-01-01T10:30:00Z', 'Pacific/Pago_Pago', '2023-12-31'],
    ['2024-01-01T18:31:00Z', 'Asia/Kolkata', '2024-01-02'],
    // Samoa crossed the date line and had no 30 December 2011.
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
  ])('at %s the date in %s is %s', (instant, timeZone, date) => {
    expect(dateInZone(Date.parse(instant), timeZone)).toBe(date)
  })

  test('in UTC the date is that of the instant', () => {
    const anyInstant = fc.integer({ min: FIRST_DAY * DAY_MS, max: (LAST_DAY + 1) * DAY_MS - 1 })
    fc.assert(
      fc.property(anyInstant, (epochMs) => {
        expect(dateInZone(epochMs, 'UTC')).toBe(dateOfUtc(epochMs))
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Pacific/Auckland',
  ])('every day from 1900 to 2100 has its date in %s at half past ten UTC', (timeZone) => {
    // From -10:30 to +13:30 hours that is the same day, and these zones keep within.
    const wrong: string[] = []
    for (let day = FIRST_DAY; day <= toDayNumber('2100-12-31'); day++) {
      if (isAmong(day, 8)) {
        const date = dateInZone((day + 10.5 / 24) * DAY_MS, timeZone)
        wrong.push(...(date === fromDayNumber(day) ? [] : [date]))
      }
    }
    expect(wrong).toEqual([])
  })

  test('an instant outside the calendar has no date', () => {
    const lastMs = Date.UTC(2201, 0, 1) - 1
    expect(dateInZone(FIRST_DAY * DAY_MS, 'UTC')).toBe('1900-01-01')
    expect(dateInZone(lastMs, 'UTC')).toBe('2200-12-31')
    for (const instant of [FIRST_DAY * DAY_MS - 1, lastMs + 1, Date.UTC(-2000, 0, 1), 1e20, NaN]) {
      expect(() => dateInZone(instant, 'UTC')).toThrow(invalid('calendar.outOfRange'))
    }
  })

  test('an unknown zone is refused', () => {
    expect(() => dateInZone(0, 'Mars/Olympus')).toThrow(invalid('calendar.unknownTimeZone'))
  })

  test.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Kolkata', 'Etc/GMT+5', 'Europe/Kyiv'])(
    '%s is a time zone',
    (text) => expect(isTimeZone(text)).toBe(true),
  )

  test.each([
    '',
    ' ',
    '+01:00',
    '-05',
    'Z',
    'local',
    'Berlin',
    'UTC+1',
    'Europe/Berlin ',
    '../etc',
  ])('%j is no time zone', (text) => expect(isTimeZone(text)).toBe(false))

  test('a zone under hundreds of spellings is still the same zone', () => {
    const spell = (bits: number) =>
      Array.from('europe/berlin', (letter, index) =>
        (bits >> index) & 1 ? letter.toUpperCase() : letter,
      ).join('')
    for (let bits = 0; bits < 300; bits++) {
      expect(dateInZone(Date.UTC(2024, 0, 1, 23, 30), spell(bits))).toBe('2024-01-02')
    }
  })
})

describe('clock times', () => {
  test.each(['00:00', '09:05', '19:59', '20:00', '23:59'])('%s is a time', (text) => {
    expect(isClockTime(text)).toBe(true)
  })

  test.each([
    '',
    '24:00',
    '9:05',
    '09:60',
    '09:5',
    '0905',
    '09:05:00',
    ' 09:05',
    '09:05\n',
    '٠٩:٠٥',
  ])('%j is no time', (text) => expect(isClockTime(text)).toBe(false))
})

describe('the instant at which a day begins', () => {
  test.each([
    ['2026-11-29', 'UTC', '2026-11-29T00:00:00.000Z'],
    ['2026-11-29', 'Europe/Dublin', '2026-11-29T00:00:00.000Z'],
    ['2026-07-01', 'Europe/Dublin', '2026-06-30T23:00:00.000Z'],
    ['2026-11-29', 'Pacific/Kiritimati', '2026-11-28T10:00:00.000Z'],
    ['2026-11-29', 'Pacific/Niue', '2026-11-29T11:00:00.000Z'],
    ['2026-11-29', 'Asia/Kathmandu', '2026-11-28T18:15:00.000Z'],
    // Clocks go forward at midnight, so the day begins at one.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    // A day that a zone left out begins with the next one.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2200-12-31', 'Pacific/Niue', '2200-12-31T11:00:00.000Z'],
  ])('%s in %s', (date, timeZone, instant) => {
    expect(new Date(instantOf(date, timeZone)).toISOString()).toBe(instant)
  })
})
