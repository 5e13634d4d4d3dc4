import { describe, expect, it } from 'vitest'
import { makeCheckpointsJob } from '../../../src/areas/planning/budgets/budgets.jobs.ts'
import {
  deleteBudget,
  getBudget,
  getBudgetForecast,
  getBudgetSummary,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  getBudgetPeriod,
  listBudgetPeriods,
} from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newHousehold } from '../groups/groups.ts'
import { bringBack } from '../trash/trashing.ts'
import { refusal } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const today = new Date().toISOString().slice(0, 10)
const YEAR = 366
const MINUTE = 60_000
const DAILY = { unit: 'day', count: 1, anchor: '2026-01-01' } as const

const newDaily = (as: TestUser, more: object = {}) =>
  newBudget(as, { mode: 'envelope', period: DAILY, startsOn: today, ...more })

/** Has a budget begin so many days ago, and be as old as that if it was created then. */
async function beginBefore(
  { id }: { id: string },
  days: number,
  { createdBefore = 0 }: { createdBefore?: number } = {},
): Promise<void> {
  const day = addDays(today, -days)
  await rows(
    'UPDATE budgets SET first_period = ?, first_day = ?, starts_on = ?, created_at = created_at - ? WHERE id = ?',
    ...[day, day, day, createdBefore * 24 * 60 * 60 * 1000, id],
  )
}

const addLines = ({ id }: { id: string }, count: number) =>
  rows(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO budget_lines (id, budget_id, kind, name, name_key, scope_kind, version, created_at, updated_at)
      SELECT printf('bln_%026d', i), ?, 'line', 'Line ' || i, 'line ' || i, 'category', 1, 1, 1 FROM n`,
    id,
  )

const drop = (as: TestUser, { id }: { id: string }) => ok(deleteBudget, { as, id })

describe('a budget with more periods than can be calculated at once', () => {
  it('is refused by each read of its periods, but not where it is only named', async () => {
    const me = await newUser()
    const budget = await newDaily(me)
    await beginBefore(budget, 120 * YEAR)
    const path = { id: budget.id, period: 'current' }
    for (const refused of [
      await call(getBudgetPeriod, { as: me, path }),
      await call(listBudgetPeriods, { as: me, id: budget.id, query: { from: today } }),
      await call(getBudgetForecast, { as: me, path }),
    ]) {
      expect(refusal(refused).slice(0, 2)).toEqual([409, 'budgets.tooLong'])
    }
    expect((await call(getBudget, { as: me, id: budget.id })).status).toBe(200)
    const other = await newDaily(me)
    const { budgets } = await ok(getBudgetSummary, { as: me })
    expect(budgets.map(({ id }) => id)).toEqual([other.id])
  })

  it('is calculated once its older periods are stored, piece by piece', async () => {
    const me = await newUser()
    await newAccount(me, { openingDate: '2015-01-01', openingBalance: '5' })
    const budget = await newDaily(me)
    await addLines(budget, 200)
    await beginBefore(budget, 8 * YEAR)
    const path = { id: budget.id, period: 'current' }
    expect((await call(getBudgetPeriod, { as: me, path })).status).toBe(409)
    await makeCheckpointsJob.run(contextWith(), { budgetId: budget.id }, [])
    expect((await periodOf(me, budget, 'current')).envelope?.toBeBudgeted).toBe('5.00')
  })
})

describe('a budget in the trash', () => {
  it('comes back only with as many periods as one that is created', async () => {
    const me = await newUser()
    const { id: groupId, owner } = await newHousehold()
    for (const [as, budget] of [
      [me, await newDaily(me)],
      [owner, await newDaily(owner, { groupId })],
    ] as const) {
      await beginBefore(budget, 602)
      await drop(as, budget)
      expect(refusal(await bringBack(as, 'budget', budget.id)).slice(0, 2)).toEqual([
        409,
        'budgets.tooMany',
      ])
      await beginBefore(budget, 598)
      expect((await bringBack(as, 'budget', budget.id)).status).toBe(200)
    }
  })

  it('comes back with the periods that it has got since', async () => {
    const me = await newUser()
    const budget = await newDaily(me)
    await beginBefore(budget, 900, { createdBefore: 800 })
    await drop(me, budget)
    expect((await bringBack(me, 'budget', budget.id)).status).toBe(200)
    await periodOf(me, budget, 'current')
  })

  it('does not come back with more than can be calculated, however old it is', async () => {
    const me = await newUser()
    const budget = await newDaily(me)
    await beginBefore(budget, 120 * YEAR, { createdBefore: 119 * YEAR })
    await drop(me, budget)
    expect(refusal(await bringBack(me, 'budget', budget.id)).slice(0, 2)).toEqual([
      409,
      'budgets.tooLong',
    ])
  })

  it.each([
    ['unit_count = 0', 'periods'],
    ["anchor = '2026-02-30'", 'periods'],
    ["weekend = 'before'", 'periods'],
    ["starts_on = '1999-01-01'", 'first period'],
    ["starts_on = 'x'", 'start'],
    ["first_day = '2026-01-02'", 'first period'],
    ["time_zone = 'Nowhere/Here'", 'time zone'],
    ["thresholds = '5'", 'thresholds'],
    ["thresholds = '[0]'", 'thresholds'],
    ["thresholds = '[50.5]'", 'thresholds'],
  ])('does not come back with %s', async (changed, problem) => {
    const me = await newUser()
    const budget = await newDaily(me)
    await drop(me, budget)
    await rows(`UPDATE budgets SET ${changed} WHERE id = ?`, budget.id)
    const answer = await bringBack(me, 'budget', budget.id)
    expect(refusal(answer).slice(0, 2)).toEqual([409, 'budgets.notRestorable'])
    expect((answer.error as { error: string }).error).toContain(problem)
  })

  it('does not come back with lines that could not be created', async () => {
    const me = await newUser()
    const budget = await newDaily(me)
    const line = await newLine(me, budget, 'Food')
    await drop(me, budget)
    await rows("UPDATE budget_lines SET thresholds = '5' WHERE id = ?", line.id)
    expect(refusal(await bringBack(me, 'budget', budget.id)).slice(0, 2)).toEqual([
      409,
      'budgets.notRestorable',
    ])
    await rows('UPDATE budget_lines SET thresholds = NULL WHERE id = ?', line.id)
    expect((await bringBack(me, 'budget', budget.id)).status).toBe(200)
  })
})

describe('what a budget takes to calculate', () => {
  it('counts against what its reader may take in a minute', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const budget = await newDaily(me)
    await beginBefore(budget, 10 * YEAR)
    // Ten minutes later, what the user has taken so far counts no more.
    const service = serviceWith({ ahead: 10 * MINUTE, env: { USER_LIMIT_DATABASE_MS: '100' } })
    const path = { id: budget.id, period: 'current' }
    const read = async (as: TestUser) => (await service.call(getBudgetPeriod, { as, path })).status
    expect([await read(me), await read(me)]).toEqual([200, 429])
    expect(await read(other)).toBe(404)
  })

  it('ends a page of the summary that takes as much as one request may', async () => {
    const me = await newUser()
    const budgets = []
    for (let at = 0; at < 3; at++) {
      const budget = await newDaily(me, { order: at })
      await beginBefore(budget, 45 * YEAR)
      budgets.push(budget.id)
    }
    const first = await ok(getBudgetSummary, { as: me })
    expect(first.budgets.map(({ id }) => id)).toEqual(budgets.slice(0, 2))
    const rest = await ok(getBudgetSummary, { as: me, query: { cursor: first.nextCursor ?? '' } })
    expect([rest.budgets.map(({ id }) => id), rest.count, rest.nextCursor]).toEqual([
      budgets.slice(2),
      3,
      null,
    ])
  })
})
