import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elapsedDays, forecastOf } from '../../../src/domain/budgets/forecast.ts'
import { periodNamed, type PeriodRule } from '../../../src/domain/budgets/periods.ts'
import { MAX_MINOR } from '../../../src/domain/money.ts'
import { minorOf } from './money.fixtures.ts'

const monthly: PeriodRule = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'keep' }

function periodOfNovember() {
  const period = periodNamed(monthly, '2026-11-01')
  expect(period).toMatchObject({ end: '2026-11-30', days: 30 })
  return period ?? expect.unreachable('November has no period')
}

describe('November, a limit of 600.00', () => {
  test.each([
    ['2026-11-10', '240.00', '90.00', '120.00', 10, '200.00 40.00 660.00 -60.00 11.42'],
    ['2026-11-30', '610.00', '90.00', '0.00', 30, '600.00 10.00 610.00 -10.00 0.00'],
    ['2026-11-01', '10.00', '0.00', '300.00', 1, '20.00 -10.00 600.00 0.00 9.66'],
    ['2026-10-25', '0.00', '0.00', '300.00', 0, '0.00 0.00 300.00 300.00 10.00'],
  ])(
    '%s: %s spent, %s planned, %s still planned',
    (today, spent, planned, still, begun, result) => {
      const elapsed = elapsedDays(periodOfNovember(), today)
      expect(elapsed).toMatchObject({ days: 30, begun })
      const line = {
        total: minorOf('600.00'),
        spentSoFar: minorOf(spent),
        planned: minorOf(planned),
        stillPlanned: minorOf(still),
      }
      const [expectedByNow, pace, projected, projectedRemaining, perDayLeft] = result
        .split(' ')
        .map((amount) => BigInt(minorOf(amount)))
      expect(forecastOf(line, elapsed)).toEqual({
        ...{ expectedByNow, pace, projected, projectedRemaining, perDayLeft },
      })
    },
  )
})

describe('the days of a period', () => {
  test.each([
    ['2026-10-31', 0, 30],
    ['2026-11-01', 1, 30],
    ['2026-11-02', 2, 29],
    ['2026-11-30', 30, 1],
    ['2026-12-01', 30, 0],
    ['2027-12-01', 30, 0],
  ])('on %s %i have begun and %i are left', (today, begun, left) => {
    expect(elapsedDays(periodOfNovember(), today)).toEqual({ days: 30, begun, left })
  })
})

describe('what a line will have spent', () => {
  const line = { total: 0, spentSoFar: 0, planned: 0, stillPlanned: 0 }
  const onDay = (begun: number, days: number) => ({ days, begun, left: days - begun + 1 })

  test('nothing is left per day after the period', () => {
    const unspent = { ...line, total: 10_000, spentSoFar: 4_000 }
    expect(forecastOf(unspent, { days: 30, begun: 30, left: 0 })).toMatchObject({
      ...{ projected: 4_000n, projectedRemaining: 6_000n, perDayLeft: 0n },
    })
    expect(forecastOf(unspent, { days: 30, begun: 30, left: 1 }).perDayLeft).toBe(6_000n)
  })

  test.each([
    [1, 1n],
    [3, 5n],
    [5, 7n],
    [7, 11n],
  ])('of %i in four of six days, the half that is added is even', (spentSoFar, projected) => {
    expect(forecastOf({ ...line, spentSoFar }, onDay(4, 6)).projected).toBe(projected)
  })

  test.each([
    [5, '2'],
    [15, '8'],
    [-5, '-2'],
    [-15, '-8'],
  ])('half of a total of %i is %s', (total, half) => {
    expect(String(forecastOf({ ...line, total }, onDay(1, 2)).expectedByNow)).toBe(half)
  })

  test('more refunds than spending are not projected', () => {
    const refunded = { ...line, total: 1_000, spentSoFar: -300 }
    expect(forecastOf(refunded, onDay(10, 30))).toMatchObject({
      ...{ projected: -300n, projectedRemaining: 1_300n, perDayLeft: 61n },
    })
    const belowPlan = { ...line, spentSoFar: 200, planned: 300 }
    expect(forecastOf(belowPlan, onDay(10, 30)).projected).toBe(200n)
  })

  test('the largest amounts are exact', () => {
    const most = {
      ...{ total: -MAX_MINOR, spentSoFar: MAX_MINOR, planned: 0, stillPlanned: MAX_MINOR },
    }
    const max = BigInt(MAX_MINOR)
    expect(forecastOf(most, onDay(1, 366))).toEqual({
      expectedByNow: -24_609_834_029_347n,
      pace: max + 24_609_834_029_347n,
      projected: 367n * max,
      projectedRemaining: -368n * max,
      perDayLeft: 0n,
    })
  })

  test('each figure is what its formula says', () => {
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 })
    const lines = fc.record({
      ...{ total: amount, spentSoFar: amount, planned: amount, stillPlanned: amount },
    })
    fc.assert(
      fc.property(lines, fc.nat(365), fc.nat(365), (some, first, second) => {
        const [begun, days] = [Math.min(first, second), Math.max(first, second, 1)]
        const left = begun === 0 ? days : days - begun + 1
        const forecast = forecastOf(some, { days, begun, left })
        const { total, spentSoFar, stillPlanned } = some
        expect(forecast.pace + forecast.expectedByNow).toBe(BigInt(spentSoFar))
        expect(forecast.projected + forecast.projectedRemaining).toBe(BigInt(total))
        expect(Math.abs(Number(forecast.expectedByNow) - (total * begun) / days)).toBeLessThan(
          0.501,
        )
        const free = Math.max(0, total - spentSoFar - stillPlanned)
        expect(forecast.perDayLeft).toBe(BigInt(Math.floor(free / left)))
        const rate = begun === 0 ? 0 : Math.max(0, spentSoFar - some.planned) / begun
        const spent = begun === 0 ? 0 : spentSoFar
        const projected = spent + stillPlanned + rate * (days - begun)
        expect(Math.abs(Number(forecast.projected) - projected)).toBeLessThan(0.501)
      }),
    )
  })
})
