import { describe, expect, it } from 'vitest'
import { login } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  getBudgetForecast,
  previewBudgetPeriods,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { type AnyRoute, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'

/** Asks the service as it is at an instant. */
async function askAt<Body>(
  instant: string,
  { email, password }: TestUser,
  route: AnyRoute,
  path: Record<string, string>,
): Promise<Body> {
  const service = serviceWith({ ahead: Date.parse(instant) - Date.now() })
  const { body } = await service.call<{ accessToken: string }>(login, { json: { email, password } })
  const answer = await service.call<Body>(route, { as: body, path })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

type Forecast = Awaited<ReturnType<typeof ok<typeof getBudgetForecast>>>

const previewed = async (
  me: TestUser,
  period: { unit: 'day' | 'week' | 'month'; count: number; anchor: string; weekend?: 'before' },
  count: number,
) => {
  const json = { period, startsOn: period.anchor, count }
  return (await ok(previewBudgetPeriods, { as: me, json })).periods
}

describe('periods', () => {
  it('of months from the 31st', async () => {
    const me = await newUser()
    const rule = { unit: 'month', count: 1, anchor: '2026-10-31' } as const
    const shown = (periods: Awaited<ReturnType<typeof previewed>>) =>
      periods.map(({ start, end, days }) => `${start} ${end} ${days}`)
    expect(shown(await previewed(me, rule, 8))).toEqual([
      '2026-10-31 2026-11-29 30',
      '2026-11-30 2026-12-30 31',
      '2026-12-31 2027-01-30 31',
      '2027-01-31 2027-02-27 28',
      '2027-02-28 2027-03-30 31',
      '2027-03-31 2027-04-29 30',
      '2027-04-30 2027-05-30 31',
      '2027-05-31 2027-06-29 30',
    ])
    expect(shown(await previewed(me, { ...rule, weekend: 'before' }, 8))).toEqual([
      '2026-10-30 2026-11-29 31',
      '2026-11-30 2026-12-30 31',
      '2026-12-31 2027-01-28 29',
      '2027-01-29 2027-02-25 28',
      '2027-02-26 2027-03-30 33',
      '2027-03-31 2027-04-29 30',
      '2027-04-30 2027-05-30 31',
      '2027-05-31 2027-06-29 30',
    ])
  })

  it.each([
    ['day', 10, '2026-02-25 2026-03-07 2026-03-17 2026-03-27 2026-04-06'],
    ['week', 2, '2026-12-25 2027-01-08 2027-01-22 2027-02-05 2027-02-19'],
    ['week', 4, '2026-12-07 2027-01-04 2027-02-01 2027-03-01 2027-03-29'],
    ['month', 1, '2026-01-25 2026-02-25 2026-03-25 2026-04-25 2026-05-25'],
    ['month', 3, '2025-11-30 2026-02-28 2026-05-30 2026-08-30 2026-11-30'],
    ['month', 6, '2025-08-31 2026-02-28 2026-08-31 2027-02-28 2027-08-31'],
    ['month', 12, '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29'],
  ] as const)('of %s x %i', async (unit, count, starts) => {
    const anchor = starts.slice(0, 10)
    const periods = await previewed(await newUser(), { unit, count, anchor }, 5)
    expect(periods.map(({ start }) => start).join(' ')).toBe(starts)
    expect(periods.map(({ nominal }) => nominal).join(' ')).toBe(starts)
  })

  it('of weeks have days of two years', async () => {
    const periods = await previewed(
      await newUser(),
      { unit: 'week', count: 1, anchor: '2026-12-14' },
      5,
    )
    expect(periods.map(({ end }) => end).join(' ')).toBe(
      '2026-12-20 2026-12-27 2027-01-03 2027-01-10 2027-01-17',
    )
    expect(periods.map(({ days }) => days)).toEqual([7, 7, 7, 7, 7])
    const all = periods.flatMap(({ start }) =>
      Array.from({ length: 7 }, (_, at) => addDays(start, at)),
    )
    const inMonth = (month: string) => all.filter((day) => day.startsWith(month)).length
    expect([inMonth('2026-12'), inMonth('2027-01')]).toEqual([18, 17])
  })
})

describe('the current period', () => {
  it.each([
    ['2026-10-31T22:30:00Z', '2026-10-31 2026-10-31 2026-11-01'],
    ['2026-10-31T23:30:00Z', '2026-10-31 2026-11-01 2026-11-01'],
    ['2026-11-01T09:30:00Z', '2026-11-01 2026-11-01 2026-11-01'],
    ['2027-03-28T00:30:00Z', '2027-03-27 2027-03-28 2027-03-28'],
    ['2027-03-28T01:30:00Z', '2027-03-27 2027-03-28 2027-03-28'],
  ])('at %s', async (instant, expected) => {
    const me = await newUser()
    const shown = []
    for (const timeZone of ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Kiritimati']) {
      const { id } = await newBudget(me, { mode: 'limit', timeZone })
      const path = { id, period: 'current' }
      const { period } = await askAt<{ period: string }>(instant, me, getBudgetPeriod, path)
      const today = await askAt<Forecast>(instant, me, getBudgetForecast, path)
      expect(today.period).toBe(period)
      shown.push(addDays(period, today.elapsedDays - 1))
    }
    expect(shown.join(' ')).toBe(expected)
  })
})

describe('a forecast of November, of a limit of 600.00', () => {
  // Nothing recurs yet, so that nothing of what is spent was planned: where that matters, more is projected.
  it.each([
    ['2026-11-10', ['2026-11-08', '240.00'], '120.00', 10, '200.00 40.00 840.00 -240.00 11.42'],
    ['2026-11-30', ['2026-11-08', '610.00'], undefined, 30, '600.00 10.00 610.00 -10.00 0.00'],
    ['2026-11-01', ['2026-11-01', '10.00'], '300.00', 1, '20.00 -10.00 600.00 0.00 9.66'],
    ['2026-10-25', undefined, '300.00', 0, '0.00 0.00 300.00 300.00 10.00'],
  ] as const)('on %s', async (today, spent, ahead, elapsed, expected) => {
    const me = await newUser()
    const account = await newAccount(me, { openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'limit', policy: 'none' })
    const { id: lineId, categoryId } = await newLine(me, budget, 'Food', { amount: '600.00' })
    const spend = (date: string, amount: string) => book(me, account, { date, amount, categoryId })
    if (spent) {
      await spend(spent[0], spent[1])
    }
    if (ahead) {
      await spend('2026-11-28', ahead)
    }
    const path = { id: budget.id, period: '2026-11-01' }
    const forecast = await askAt<Forecast>(`${today}T12:00:00Z`, me, getBudgetForecast, path)
    expect(forecast).toMatchObject({ days: 30, elapsedDays: elapsed })
    const [line] = forecast.lines
    expect(line).toMatchObject({
      ...{ lineId, total: '600.00', planned: '0.00' },
      ...{ spentSoFar: spent?.[1] ?? '0.00', stillPlanned: ahead ?? '0.00' },
    })
    const worked = [line?.expectedByNow, line?.pace, line?.projected, line?.projectedRemaining]
    expect([...worked, line?.perDayLeft].join(' ')).toBe(expected)
  })
})
