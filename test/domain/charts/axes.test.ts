import { expect, test } from 'vitest'
import { addDays, addMonths } from '../../../src/domain/calendar.ts'
import { dateLabels, valueTicks } from '../../../src/domain/charts/axes.ts'
import type { ReportInterval } from '../../../src/domain/reports/intervals.ts'

const MONTHS: Partial<Record<ReportInterval, number>> = { month: 1, quarter: 3, year: 12 }

/** The dates of so many intervals from a day on. */
const datesOf = (count: number, interval: ReportInterval, first = '2026-01-01') =>
  Array.from({ length: count }, (_, at) => {
    const months = MONTHS[interval]
    return months === undefined
      ? addDays(first, interval === 'week' ? 7 * at : at)
      : addMonths(first, months * at)
  })

/** The labels where letters are as wide as half an interval, or as is said. */
const labelsOf = (count: number, interval: ReportInterval, letter = 0.5, first?: string) =>
  dateLabels(
    datesOf(count, interval, first),
    interval,
    (text, every) => text.length * letter < every,
  )

const textsOf = (...of: Parameters<typeof labelsOf>) => labelsOf(...of).map(({ text }) => text)

test('each interval has a label where all fit', () => {
  expect(textsOf(3, 'month', 0.1)).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(textsOf(5, 'quarter', 0.1)).toEqual([
    '2026-Q1',
    '2026-Q2',
    '2026-Q3',
    '2026-Q4',
    '2027-Q1',
  ])
  expect(textsOf(2, 'year', 0.1)).toEqual(['2026', '2027'])
  expect(textsOf(2, 'week', 0.05)).toEqual(['2026-01-01', '2026-01-08'])
  expect(textsOf(1, 'day', 0.05)).toEqual(['2026-01-01'])
})

test('labels stand where a half-year, a year or more begins, whatever the first month is', () => {
  expect(textsOf(12, 'month', 0.8, '2025-11-15')).toEqual(['2026-01', '2026-07'])
  expect(labelsOf(30, 'month', 1.5, '2025-02-01')).toEqual([
    { at: 11, text: '2026' },
    { at: 23, text: '2027' },
  ])
  // The labels of a net worth are the last days of months.
  expect(textsOf(30, 'month', 1.5, '2025-02-28')).toEqual(['2026', '2027'])
  expect(textsOf(120, 'month', 5, '2020-01-31')).toEqual(['2020', '2022', '2024', '2026', '2028'])
  expect(textsOf(9, 'quarter', 0.25)).toEqual([
    '2026-Q1',
    '2026-Q3',
    '2027-Q1',
    '2027-Q3',
    '2028-Q1',
  ])
  expect(textsOf(9, 'quarter', 0.5)).toEqual(['2026', '2027', '2028'])
  expect(textsOf(12, 'year', 1)).toEqual(['2030', '2035'])
})

test('days and weeks are counted from the first', () => {
  expect(labelsOf(12, 'day').map(({ at }) => at)).toEqual([0, 10])
  expect(textsOf(21, 'week', 0.9)).toEqual(['2026-01-01', '2026-03-12', '2026-05-21'])
})

test('where not even one fits, the first has it', () => {
  expect(labelsOf(3, 'day', 100)).toEqual([{ at: 0, text: '2026-01-01' }])
})

test('ticks are round numbers around all values and zero', () => {
  expect(valueTicks([300_000, 120_000])).toEqual([
    0, 50_000, 100_000, 150_000, 200_000, 250_000, 300_000,
  ])
  expect(valueTicks([700, -250])).toEqual([-400, -200, 0, 200, 400, 600, 800])
  expect(valueTicks([-95])).toEqual([-100, -80, -60, -40, -20, 0])
  expect(valueTicks([3])).toEqual([0, 1, 2, 3])
  expect(valueTicks([0, 0])).toEqual([0])
  expect(valueTicks([])).toEqual([0])
})

test('ticks are few, and whole numbers, for every range', () => {
  for (let most = 1; most < 1e19; most = Math.ceil(most * 1.37)) {
    const ticks = valueTicks([most, -most / 3])
    expect(ticks.length, `${most}`).toBeGreaterThan(1)
    expect(ticks.length, `${most}`).toBeLessThanOrEqual(9)
    expect(ticks.every(Number.isInteger), `${most}`).toBe(true)
    expect(ticks.at(-1), `${most}`).toBeGreaterThanOrEqual(most)
  }
})

test('no dates have no labels', () => {
  expect(textsOf(0, 'month')).toEqual([])
})
