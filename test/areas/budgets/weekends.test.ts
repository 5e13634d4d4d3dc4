import { expect, it } from 'vitest'
import {
  holdMoney,
  setAllocation,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { listBudgetPeriods } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'

/** The 1st of February and March 2026 are Sundays: these periods begin the day after the one that names them. */
async function mondays() {
  const me = await newUser()
  const period = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'after' } as const
  return { me, budget: await newBudget(me, { mode: 'envelope', period }) }
}

it('looks ahead through a period that begins after the day that names it', async () => {
  const { me, budget } = await mondays()
  const food = await newLine(me, budget, 'Food')
  const path = { id: budget.id, period: '2026-03-01' }
  const json = { amount: '5.00', allowNegative: true }
  await ok(holdMoney, { as: me, path, json })
  await ok(setAllocation, {
    as: me,
    path: { ...path, lineId: food.id },
    json: { assigned: '20.00' },
  })
  const { envelope } = await periodOf(me, budget, '2026-01-01')
  expect(envelope).toMatchObject({ assignedAhead: '20.00', free: '-25.00' })
})

it('lists periods by their names, page by page', async () => {
  const { me, budget } = await mondays()
  const list = async (query: Record<string, string | number>) => {
    const { periods, nextCursor } = await ok(listBudgetPeriods, { as: me, id: budget.id, query })
    return { names: periods.map(({ period }) => period), nextCursor }
  }
  const span = { from: '2026-02-01', to: '2026-03-01' }
  expect((await list(span)).names).toEqual(['2026-02-01', '2026-03-01'])
  const first = await list({ ...span, limit: 1 })
  expect(first.names).toEqual(['2026-02-01'])
  const second = await list({ ...span, limit: 1, cursor: first.nextCursor ?? '' })
  expect(second).toEqual({ names: ['2026-03-01'], nextCursor: null })
})

it('moves days of weekends while nothing is closed: names and amounts stay', async () => {
  const { me, budget } = await mondays()
  const food = await newLine(me, budget, 'Food')
  const path = { id: budget.id, period: '2026-02-01' }
  const json = { assigned: '20.00' }
  await ok(setAllocation, { as: me, path: { ...path, lineId: food.id }, json })
  const period = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'before' } as const
  await ok(updateBudget, { as: me, id: budget.id, json: { period } })
  expect(await periodOf(me, budget, '2026-02-01')).toMatchObject({
    ...{ start: '2026-01-30', end: '2026-02-26', envelope: { assigned: '20.00' } },
  })
  await ok(closeBudgetPeriod, { as: me, path: { ...path, period: '2026-01-01' } })
  const refused = await call(updateBudget, {
    as: me,
    id: budget.id,
    json: { period: { ...period, weekend: 'keep' } },
  })
  expect(refusal(refused)).toEqual([409, 'budgets.fixed', 'period'])
})
