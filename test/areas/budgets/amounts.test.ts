import { describe, expect, it } from 'vitest'
import {
  holdMoney,
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  getLineHistory,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

async function envelopes(wanted = {}) {
  const me = await newUser()
  const opening = { openingBalance: '500.00', openingDate: '2026-01-01' }
  const account = await newAccount(me, { currency: 'EUR', ...opening })
  const budget = await newBudget(me, { mode: 'envelope', ...wanted })
  const food = await newLine(me, budget, 'Food')
  const path = { id: budget.id, period: '2026-01-01' }
  return { me, account, budget, food, path }
}

describe('money of a pool', () => {
  // The worked table of four policies: what January to April carry, of 400.00 a month.
  it.each([
    [
      'surplus',
      ['0.00', '50.00', '0.00', '10.00'],
      ['50.00', '-30.00', '10.00', '10.00'],
      '1270.00',
    ],
    [
      'both',
      ['0.00', '50.00', '-30.00', '-20.00'],
      ['50.00', '-30.00', '-20.00', '-20.00'],
      '1300.00',
    ],
    ['none', ['0.00', '0.00', '0.00', '0.00'], ['50.00', '-80.00', '10.00', '0.00'], '1280.00'],
    [
      'deficit',
      ['0.00', '0.00', '-80.00', '-70.00'],
      ['50.00', '-80.00', '-70.00', '-70.00'],
      '1350.00',
    ],
  ] as const)('is assigned and carried by policy %s', async (policy, carried, available, last) => {
    const { me, account, budget, food } = await envelopes({ policy })
    const rent = await newLine(me, budget, 'Rent')
    for (const [at, spent] of ['350.00', '480.00', '390.00', '400.00'].entries()) {
      const month = `2026-0${at + 1}`
      const expense = { kind: 'expense', date: `${month}-15` } as const
      await book(me, account, { kind: 'income', date: `${month}-01`, amount: '1800.00' })
      await book(me, account, { ...expense, amount: '1200.00', categoryId: rent.categoryId })
      await book(me, account, { ...expense, amount: spent, categoryId: food.categoryId })
      const items = [
        { lineId: rent.id, assigned: '1200.00' },
        { lineId: food.id, assigned: '400.00' },
      ]
      await ok(setAllocations, {
        as: me,
        path: { id: budget.id, period: `${month}-01` },
        json: { items },
      })
    }
    const found = []
    for (const month of ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']) {
      found.push(await envelopeRow(me, budget, food, month))
    }
    expect(found.map((row) => row.carriedIn)).toEqual(carried)
    expect(found.map((row) => row.available)).toEqual(available)
    const { envelope } = await periodOf(me, budget, '2026-04-01')
    expect(envelope).toMatchObject({ toBeBudgeted: last, exchangeDifference: '0.00' })
  })

  it('is held back for the next period, and not more than there is', async () => {
    const { me, budget, path } = await envelopes()
    const refused = await call(holdMoney, { as: me, path, json: { amount: '500.01' } })
    expect(refusal(refused).slice(0, 2)).toEqual([409, 'budgets.notEnough'])
    const { envelope } = await ok(holdMoney, { as: me, path, json: { amount: '150.00' } })
    expect(envelope).toMatchObject({ held: '150.00', toBeBudgeted: '350.00' })
    const more = await call(holdMoney, { as: me, path, json: { amount: '500.01' } })
    expect([refusal(more), more.error.error]).toEqual([
      [409, 'budgets.notEnough'],
      'The pool, with what is held already, has only 500.00 EUR. Use a smaller amount, or send `allowNegative`.',
    ])
    const next = await periodOf(me, budget, '2026-02-01')
    expect(next.envelope).toMatchObject({ fromBefore: '500.00', toBeBudgeted: '500.00' })
  })

  it('is not assigned twice in a strict budget', async () => {
    const { me, food, path } = await envelopes({ strict: true })
    const assign = (assigned: string) =>
      call(setAllocation, { as: me, path: { ...path, lineId: food.id }, json: { assigned } })
    expect(refusal(await assign('500.01')).slice(0, 2)).toEqual([409, 'budgets.overAssigned'])
    expect((await assign('500.00')).body).toMatchObject({ assigned: '500.00', available: '500.00' })
  })

  it('is not assigned in a closed period, nor ten years ahead', async () => {
    const { me, budget, food, path } = await envelopes()
    await ok(closeBudgetPeriod, { as: me, path })
    const items = [{ lineId: food.id, assigned: '1.00' }]
    const closed = await call(setAllocations, { as: me, path, json: { items } })
    expect(refusal(closed).slice(0, 2)).toEqual([409, 'budgets.periodClosed'])
    const late = { id: budget.id, period: '2039-01-01' }
    const ahead = await call(setAllocations, { as: me, path: late, json: { items } })
    expect(refusal(ahead).slice(0, 2)).toEqual([409, 'budgets.tooMany'])
    const start = await call(updateBudget, {
      as: me,
      id: budget.id,
      json: { startsOn: '2026-02-01' },
    })
    expect(refusal(start)).toEqual([409, 'budgets.fixed', 'startsOn'])
  })

  it('is no matter of limits, whose amounts can differ from period to period', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const food = await newLine(me, budget, 'Food', { amount: '100.00' })
    const path = { id: budget.id, period: '2026-02-01', lineId: food.id }
    const wrong = await call(setAllocation, { as: me, path, json: { assigned: '1.00' } })
    expect(refusal(wrong)).toEqual([409, 'budgets.wrongMode', 'assigned'])
    const held = await call(holdMoney, { as: me, path, json: { amount: '1.00' } })
    expect(refusal(held).slice(0, 2)).toEqual([409, 'budgets.wrongMode'])
    await ok(setAllocation, { as: me, path, json: { amount: '250.00' } })
    expect((await limitRow(me, budget, food, '2026-02-01')).amount).toBe('250.00')
    expect((await limitRow(me, budget, food, '2026-03-01')).amount).toBe('100.00')
    await ok(setAllocation, { as: me, path, json: { amount: null } })
    expect((await limitRow(me, budget, food, '2026-02-01')).amount).toBe('100.00')
  })
})

describe('the history of a line', () => {
  it('has at most 120 periods, in order', async () => {
    const { me, budget, food } = await envelopes({ startsOn: '2015-01-01' })
    const history = (query: Record<string, string>) =>
      call(getLineHistory, { as: me, path: { id: budget.id, lineId: food.id }, query })
    expect(refusal(await history({ from: '2015-01-01', to: '2026-01-01' })).slice(0, 2)).toEqual([
      400,
      'budgets.invalidSpan',
    ])
    const { body } = await history({ from: '2026-01-01', to: '2026-03-01' })
    expect(body.periods.map(({ period }) => period)).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
    ])
  })
})
