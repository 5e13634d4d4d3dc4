import { expect, it } from 'vitest'
import { namedPeriod, spanOf } from '../../src/domain/named-periods.ts'

// A Monday.
const TODAY = '2026-11-30'

it.each([
  ['today', '2026-11-30', '2026-11-30'],
  ['thisWeek', '2026-11-30', '2026-12-06'],
  ['lastWeek', '2026-11-23', '2026-11-29'],
  ['thisMonth', '2026-11-01', '2026-11-30'],
  ['lastMonth', '2026-10-01', '2026-10-31'],
  ['thisQuarter', '2026-10-01', '2026-12-31'],
  ['lastQuarter', '2026-07-01', '2026-09-30'],
  ['thisYear', '2026-01-01', '2026-12-31'],
  ['lastYear', '2025-01-01', '2025-12-31'],
  ['last7Days', '2026-11-24', '2026-11-30'],
  ['last30Days', '2026-11-01', '2026-11-30'],
  ['last90Days', '2026-09-02', '2026-11-30'],
  ['last365Days', '2025-12-01', '2026-11-30'],
  ['last3Months', '2026-08-01', '2026-10-31'],
  ['last12Months', '2025-11-01', '2026-10-31'],
  ['yearToDate', '2026-01-01', '2026-11-30'],
  ['2026', '2026-01-01', '2026-12-31'],
  ['2024-Q1', '2024-01-01', '2024-03-31'],
  ['2026-Q4', '2026-10-01', '2026-12-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
  ['2026-03-05', '2026-03-05', '2026-03-05'],
])('%s is from %s to %s', (name, from, to) => {
  expect(spanOf(name, TODAY)).toEqual({ from, to })
})

it.each([
  ['2026-12-06', '2026-11-30'],
  ['2026-12-07', '2026-12-07'],
  ['1969-12-31', '1969-12-29'],
])('the week of %s begins on %s', (today, from) => {
  expect(spanOf('thisWeek', today).from).toBe(from)
})

it.each(['someday', '', '26', '2026-13', '2026-Q5', '2026-1', '1899', '2201', 'constructor'])(
  '%s is no period',
  (name) => {
    expect(namedPeriod(name)).toBeUndefined()
  },
)
