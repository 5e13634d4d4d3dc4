import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { assignMoney } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { getBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  deleteLineTarget,
  setLineTarget,
  snoozeLineTarget,
} from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

type Target = NonNullable<NonNullable<Parameters<typeof ok<typeof setLineTarget>>[1]>['json']>

const PERIOD = '2026-06-01'

async function plan(openingBalance = '0.00') {
  const me = await newUser()
  const account = await newAccount(me, {
    ...{ currency: 'EUR', openingBalance, openingDate: '2026-01-01' },
  })
  const budget = await newBudget(me, { mode: 'envelope' })
  const target = (line: { id: string }, json: Target) =>
    ok(setLineTarget, { as: me, path: { id: budget.id, lineId: line.id }, json })
  return { me, account, budget, target }
}

const spend = (
  as: Principal,
  account: { id: string },
  line: { categoryId: string },
  date: string,
  amount: string,
) =>
  ok(createTransaction, {
    as,
    json: { kind: 'expense', accountId: account.id, categoryId: line.categoryId, date, amount },
  })

describe('the target of a line', () => {
  it.each<[Target, object]>([
    [{ type: 'amount', amount: '12.30' }, { amount: '12.30' }],
    [
      { type: 'refill', amount: '12.30', priority: 1 },
      { amount: '12.30', priority: 1 },
    ],
    [
      { type: 'balance', amount: '12.30', snoozedIn: PERIOD },
      { amount: '12.30', snoozedIn: PERIOD },
    ],
    [
      {
        ...{ type: 'byDate', amount: '5', date: '2026-12-31' },
        every: { count: 1, unit: 'year' },
      },
      { amount: '5.00', date: '2026-12-31', every: { count: 1, unit: 'year' } },
    ],
    [{ type: 'percentOfIncome', percent: '7.5' }, { percent: '7.50' }],
    [{ type: 'percentOfIncome', percent: '0.05' }, { percent: '0.05' }],
    [
      { type: 'average', periods: 6, amount: null, date: null, every: null, percent: null },
      { periods: 6 },
    ],
  ])('%j is shown as it was set, and taken off', async (json, shown) => {
    const { me, budget, target } = await plan()
    const line = await newLine(me, budget, 'Food')
    const set = await target(line, json)
    const none = { amount: null, date: null, every: null, percent: null, periods: null }
    expect(set.target).toEqual({
      ...{ ...none, type: json.type, recurringIds: [], priority: 5, snoozedIn: null },
      ...shown,
    })
    const path = { id: budget.id, lineId: line.id }
    expect(await ok(getBudgetLine, { as: me, path })).toEqual(set)
    const off = await ok(deleteLineTarget, { as: me, path })
    expect(off).toMatchObject({ target: null, version: set.version + 1 })
    expect(await ok(deleteLineTarget, { as: me, path })).toEqual(off)
  })

  it('is snoozed in one period', async () => {
    const { me, budget, target } = await plan()
    const line = await newLine(me, budget, 'Food')
    const path = { id: budget.id, lineId: line.id }
    const without = await call(snoozeLineTarget, { as: me, path, json: { period: PERIOD } })
    expect(refusal(without)).toEqual([409, 'budgets.noTarget'])
    await target(line, { type: 'amount', amount: '10' })
    const snoozed = await ok(snoozeLineTarget, { as: me, path, json: { period: PERIOD } })
    expect(snoozed.target).toMatchObject({ snoozedIn: PERIOD })
    const row = (period: string) => envelopeRow(me, budget, line, period)
    expect(await row(PERIOD)).toMatchObject({ needed: '10.00', targetStatus: 'snoozed' })
    expect(await row('2026-07-01')).toMatchObject({ targetStatus: 'underfunded' })
    const woken = await ok(snoozeLineTarget, { as: me, path, json: { period: null } })
    expect(woken.target).toMatchObject({ snoozedIn: null })
    for (const period of ['2026-06-02', '2025-12-01', '2199-01-01', 'next']) {
      const wrong = await call(snoozeLineTarget, { as: me, path, json: { period } })
      expect(refusal(wrong)).toEqual([400, 'budgets.unknownPeriod', 'period'])
    }
    const current = await ok(snoozeLineTarget, { as: me, path, json: { period: 'current' } })
    const now = await periodOf(me, budget, 'current')
    expect(current.target).toMatchObject({ snoozedIn: now.period })
  })

  it.each<[Target, number, string, string]>([
    [{ type: 'amount' }, 400, 'request.invalid', 'amount'],
    [{ type: 'amount', amount: '0' }, 400, 'money.zero', 'amount'],
    [{ type: 'amount', amount: '0.001' }, 400, 'money.tooManyDigits', 'amount'],
    [{ type: 'average', periods: 3, amount: '1' }, 400, 'request.invalid', 'amount'],
    [{ type: 'byDate', amount: '1' }, 400, 'request.invalid', 'date'],
    [{ type: 'percentOfIncome', percent: '0.00' }, 400, 'request.invalid', 'percent'],
    [{ type: 'percentOfIncome', percent: '100.01' }, 400, 'request.invalid', 'percent'],
    [
      { type: 'amount', amount: '1', snoozedIn: '2026-06-02' },
      400,
      'budgets.unknownPeriod',
      'snoozedIn',
    ],
  ])('%j is refused with %i', async (json, status, code, field) => {
    const { me, budget } = await plan()
    const line = await newLine(me, budget, 'Food')
    const path = { id: budget.id, lineId: line.id }
    const answered = await call(setLineTarget, { as: me, path, json })
    expect(refusal(answered)).toEqual([status, code, field])
  })

  it('is refused where its next occurrence is beyond the calendar', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope', startsOn: '2150-01-01' })
    const line = await newLine(me, budget, 'Food')
    const json: Target = {
      ...{ type: 'byDate' as const, amount: '1', date: '2149-12-31' },
      every: { count: 60, unit: 'year' },
    }
    const path = { id: budget.id, lineId: line.id }
    const refused = await call(setLineTarget, { as: me, path, json })
    expect(refusal(refused)).toEqual([400, 'budgets.invalidTarget', 'every'])
  })

  it('asks for nothing once its occurrences are beyond the calendar', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope', startsOn: '2150-01-01' })
    const line = await newLine(me, budget, 'Food')
    const json: Target = {
      ...{ type: 'byDate' as const, amount: '1', date: '2150-02-28' },
      every: { count: 60, unit: 'year' },
    }
    await ok(setLineTarget, { as: me, path: { id: budget.id, lineId: line.id }, json })
    const row = (period: string) => envelopeRow(me, budget, line, period)
    expect(await row('2150-01-01')).toMatchObject({ needed: '0.50', targetStatus: 'underfunded' })
    expect(await row('2150-03-01')).toMatchObject({ needed: null, targetStatus: null })
  })

  it('is refused to limits, to others, and to lines that are not there', async () => {
    const me = await newUser()
    const json = { type: 'amount', amount: '1' } as const
    const limits = await newBudget(me, { mode: 'limit' })
    const limit = await newLine(me, limits, 'Food')
    const path = { id: limits.id, lineId: limit.id }
    for (const wrong of [
      await call(setLineTarget, { as: me, path, json }),
      await call(deleteLineTarget, { as: me, path }),
      await call(snoozeLineTarget, { as: me, path, json: { period: PERIOD } }),
    ]) {
      expect(refusal(wrong)).toEqual([409, 'budgets.wrongMode'])
    }
    const budget = await newBudget(me, { mode: 'envelope' })
    const missing = { id: budget.id, lineId: someId('bln') }
    const other = await newUser()
    for (const [as, code] of [
      [me, 'budgets.lineNotFound'],
      [other, 'budgets.notFound'],
    ] as const) {
      for (const refused of [
        await call(setLineTarget, { as, path: missing, json }),
        await call(deleteLineTarget, { as, path: missing }),
        await call(snoozeLineTarget, { as, path: missing, json: { period: PERIOD } }),
      ]) {
        expect(refusal(refused)).toEqual([404, code])
      }
    }
  })

  it('may stand on the payment line of a card', async () => {
    const { me, budget, target } = await plan('100.00')
    await newAccount(me, { type: 'creditCard', currency: 'EUR' })
    const { envelope } = await periodOf(me, budget, PERIOD)
    const payment = envelope?.lines.find(({ kind }) => kind === 'cardPayment')
    expect(payment).toMatchObject({ needed: null, targetStatus: null })
    const line = { id: payment?.lineId ?? '' }
    await target(line, { type: 'amount', amount: '25' })
    expect(await envelopeRow(me, budget, line, PERIOD)).toMatchObject({ needed: '25.00' })
  })
})

describe('targets by averages', () => {
  it('look at the periods before, those without anything included', async () => {
    const { me, account, budget, target } = await plan('100.00')
    const line = await newLine(me, budget, 'Power')
    await target(line, { type: 'average', periods: 3 })
    await spend(me, account, line, '2026-02-10', '40.00')
    await spend(me, account, line, '2026-05-10', '10.01')
    const needed = async (period: string) => (await envelopeRow(me, budget, line, period)).needed
    expect(await needed('2026-01-01')).toBe('0.00')
    expect(await needed('2026-03-01')).toBe('20.00')
    expect(await needed('2026-05-01')).toBe('13.33')
    expect(await needed(PERIOD)).toBe('3.34')
    const path = { id: budget.id, period: PERIOD, lineId: line.id }
    await ok(setAllocation, { as: me, path, json: { assigned: '3.34' } })
    const row = await envelopeRow(me, budget, line, PERIOD)
    expect(row).toMatchObject({ needed: '0.00', targetStatus: 'funded' })
  })
})

describe('sharing out 2133.33', () => {
  it('follows the worked table', async () => {
    const { me, account, budget, target } = await plan('250.00')
    const names = ['Rent', 'Food', 'Car tax', 'Trip', 'Giving', 'Buffer'] as const
    const lines = []
    for (const name of names) {
      lines.push(await newLine(me, budget, name, { order: lines.length }))
    }
    const [rent, food, tax, trip, giving, buffer] = lines as [L, L, L, L, L, L]
    await ok(setAllocations, {
      as: me,
      path: { id: budget.id, period: '2026-05-01' },
      json: {
        items: [
          { lineId: food.id, assigned: '50' },
          { lineId: tax.id, assigned: '80' },
          { lineId: buffer.id, assigned: '120' },
        ],
      },
    })
    const salary = await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } })
    await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'income', accountId: account.id, categoryId: salary.id },
        ...{ date: '2026-06-01', amount: '2133.33' },
      },
    })
    await target(rent, { type: 'amount', amount: '1200', priority: 1 })
    await target(food, { type: 'refill', amount: '400', priority: 2 })
    await target(tax, { type: 'byDate', amount: '310', date: '2026-12-31', priority: 2 })
    await target(trip, { type: 'byDate', amount: '1000', date: '2026-08-15', priority: 3 })
    await target(giving, { type: 'percentOfIncome', percent: '7.5', priority: 3 })
    await target(buffer, { type: 'balance', amount: '500', priority: 4 })
    const rows = async () => {
      const { envelope } = await periodOf(me, budget, PERIOD)
      return envelope?.lines.map(({ name, carriedIn, needed, assigned, targetStatus }) => [
        ...[name, carriedIn, needed, assigned, targetStatus],
      ])
    }
    expect(await rows()).toEqual([
      ['Rent', '0.00', '1200.00', '0.00', 'underfunded'],
      ['Food', '50.00', '350.00', '0.00', 'underfunded'],
      ['Car tax', '80.00', '32.86', '0.00', 'underfunded'],
      ['Trip', '0.00', '333.34', '0.00', 'underfunded'],
      ['Giving', '0.00', '160.00', '0.00', 'underfunded'],
      ['Buffer', '120.00', '380.00', '0.00', 'underfunded'],
    ])
    const path = { id: budget.id, period: PERIOD }
    const given = await ok(assignMoney, { as: me, path, json: { method: 'underfunded' } })
    expect(given.toBeBudgeted).toBe('0.00')
    expect(given.items.map(({ before, after }) => [before, after])).toEqual([
      ['0.00', '1200.00'],
      ['0.00', '350.00'],
      ['0.00', '32.86'],
      ['0.00', '333.34'],
      ['0.00', '160.00'],
      ['0.00', '57.13'],
    ])
    expect(await rows()).toEqual([
      ['Rent', '0.00', '0.00', '1200.00', 'funded'],
      ['Food', '50.00', '0.00', '350.00', 'funded'],
      ['Car tax', '80.00', '0.00', '32.86', 'funded'],
      ['Trip', '0.00', '0.00', '333.34', 'funded'],
      ['Giving', '0.00', '0.00', '160.00', 'funded'],
      ['Buffer', '120.00', '322.87', '57.13', 'underfunded'],
    ])
    expect(await ok(assignMoney, { as: me, path, json: { method: 'underfunded' } })).toEqual({
      items: [],
      toBeBudgeted: '0.00',
    })
  })
})

type L = { id: string; categoryId: string }
