import { describe, expect, it } from 'vitest'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { assignMoney, updateBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { listMovements } from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import {
  setLineTarget,
  snoozeLineTarget,
} from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { createBudgetTemplate } from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

type Input = NonNullable<NonNullable<Parameters<typeof ok<typeof assignMoney>>[1]>['json']>
interface Line {
  id: string
  categoryId: string
}

const NEXT = '2027-01-01'

const monthOf = (index: number) =>
  index === 12 ? NEXT : `2026-${String(index + 1).padStart(2, '0')}-01`

async function plan(openingBalance = '9000.00', wanted: { strict?: boolean } = {}) {
  const me = await newUser()
  const account = await newAccount(me, {
    ...{ currency: 'EUR', openingBalance, openingDate: '2026-01-01' },
  })
  const budget = await newBudget(me, { mode: 'envelope', ...wanted })
  const food = await newLine(me, budget, 'Food', { order: 0 })
  const power = await newLine(me, budget, 'Power', { order: 1 })
  const assign = (json: Input, period = NEXT) =>
    ok(assignMoney, { as: me, path: { id: budget.id, period }, json })
  const set = (line: Line, period: string, assigned: string) =>
    ok(setAllocation, {
      as: me,
      path: { id: budget.id, period, lineId: line.id },
      json: { assigned },
    })
  const spend = (line: Line, date: string, amount: string) => book(me, account, line, date, amount)
  return { me, account, budget, food, power, assign, set, spend }
}

const book = (
  as: Principal,
  account: { id: string },
  line: Line,
  date: string,
  amount: string,
  kind: 'expense' | 'income' = 'expense',
) =>
  ok(createTransaction, {
    as,
    json: { kind, accountId: account.id, categoryId: line.categoryId, date, amount },
  })

const FOOD = '400 380 420 410 395 405 400 390 415 402 398 407.50'.split(' ')
const FOOD_SPENT = '401.10 377.25 419.90 433.33 390 400 412.20 388 415 399.99 404.01 410.50'
const POWER = '0 0 120.01 0 0 119.99 0 0 130 0 0 125.05'.split(' ')

describe('averages', () => {
  it('follow the worked table', async () => {
    const { me, budget, food, power, assign, spend } = await plan()
    const spent = FOOD_SPENT.split(' ')
    for (let index = 0; index < 12; index += 1) {
      await ok(setAllocations, {
        as: me,
        path: { id: budget.id, period: monthOf(index) },
        json: {
          items: [
            { lineId: food.id, assigned: FOOD[index] ?? '' },
            { lineId: power.id, assigned: POWER[index] ?? '' },
          ],
        },
      })
      const day = monthOf(index).replace(/01$/, '15')
      await spend(food, day, spent[index] ?? '')
      if (POWER[index] !== '0') {
        await spend(power, day, POWER[index] ?? '')
      }
    }
    const worked: [Input, string, string][] = [
      [{ method: 'assignedLast' }, '407.50', '125.05'],
      [{ method: 'averageAssigned', periods: 3 }, '402.50', '41.68'],
      [{ method: 'averageAssigned', periods: 6 }, '402.08', '42.51'],
      [{ method: 'averageAssigned', periods: 12 }, '401.88', '41.25'],
      [{ method: 'spentLast' }, '410.50', '125.05'],
      [{ method: 'averageSpent', periods: 3 }, '404.83', '41.68'],
      [{ method: 'averageSpent', periods: 6 }, '404.95', '42.51'],
      [{ method: 'averageSpent', periods: 12 }, '404.27', '41.25'],
    ]
    for (const [json, ofFood, ofPower] of worked) {
      const { items } = await assign({ ...json, dryRun: true })
      expect([json, ...items]).toEqual([
        json,
        { lineId: food.id, before: '0.00', after: ofFood },
        { lineId: power.id, before: '0.00', after: ofPower },
      ])
    }
  })

  it('divide by the periods that there were, and count refunds as nothing spent', async () => {
    const { me, account, food, power, assign, spend } = await plan()
    await spend(food, '2026-01-15', '10.00')
    await spend(food, '2026-02-15', '5.01')
    await book(me, account, power, '2026-01-15', '8.00', 'income')
    await spend(power, '2026-02-15', '3.00')
    const { items } = await assign({ method: 'averageSpent', periods: 12 }, '2026-03-01')
    expect(items.map(({ after }) => after)).toEqual(['7.50', '1.50'])
    expect((await assign({ method: 'assignedLast' }, '2026-01-01')).items).toEqual([])
  })
})

describe('assigning by a method', () => {
  it('sets or adds, and keeps what has something assigned', async () => {
    const { budget, me, food, power, assign, set } = await plan()
    await set(food, '2026-01-01', '10')
    await set(power, '2026-01-01', '20')
    await set(food, '2026-02-01', '1')
    const items = async (json: Input) =>
      (await assign({ dryRun: true, ...json }, '2026-02-01')).items.map(({ before, after }) => [
        before,
        after,
      ])
    expect(await items({ method: 'assignedLast' })).toEqual([
      ['1.00', '10.00'],
      ['0.00', '20.00'],
    ])
    expect(await items({ method: 'assignedLast', mode: 'add' })).toEqual([
      ['1.00', '11.00'],
      ['0.00', '20.00'],
    ])
    expect(await items({ method: 'assignedLast', keep: true })).toEqual([['0.00', '20.00']])
    expect(await items({ method: 'assignedLast', lineIds: [food.id] })).toEqual([['1.00', '10.00']])
    expect(await items({ method: 'zero' })).toEqual([['1.00', '0.00']])
    const { envelope, version } = await periodOf(me, budget, '2026-02-01')
    expect(envelope).toMatchObject({ assigned: '1.00', toBeBudgeted: '8969.00' })
    const applied = await assign({ method: 'assignedLast' }, '2026-02-01')
    expect(applied.toBeBudgeted).toBe('8940.00')
    const after = await periodOf(me, budget, '2026-02-01')
    expect(after.envelope).toMatchObject({ assigned: '30.00', toBeBudgeted: '8940.00' })
    expect(after.version).toBe(version + 1)
    const moved = await ok(listMovements, { as: me, id: budget.id, query: { kind: 'auto' } })
    expect(moved.movements.map(({ from, to, amount }) => [from, to, amount])).toEqual([
      ['pool', power.id, '20.00'],
      ['pool', food.id, '9.00'],
    ])
  })

  it('covers what is negative, and takes all back', async () => {
    const { budget, me, food, power, assign, set, spend } = await plan()
    await set(food, '2026-01-01', '10')
    await set(power, '2026-01-01', '20')
    await spend(food, '2026-01-15', '12.50')
    const covered = await assign({ method: 'cover' }, '2026-01-01')
    expect(covered.items).toEqual([{ lineId: food.id, before: '10.00', after: '12.50' }])
    expect(await envelopeRow(me, budget, food, '2026-01-01')).toMatchObject({ available: '0.00' })
    const moved = await ok(listMovements, { as: me, id: budget.id, query: { kind: 'cover' } })
    expect(moved.movements).toMatchObject([{ from: 'pool', to: food.id, amount: '2.50' }])
    const taken = await assign({ method: 'zero' }, '2026-01-01')
    expect(taken.items.map(({ after }) => after)).toEqual(['0.00', '0.00'])
    expect(taken.toBeBudgeted).toBe('9000.00')
  })

  it('gives what is underfunded no more than is free, and nothing to what is snoozed', async () => {
    const { budget, me, food, power, assign, set } = await plan('100.00')
    for (const line of [food, power]) {
      const path = { id: budget.id, lineId: line.id }
      await ok(setLineTarget, { as: me, path, json: { type: 'amount', amount: '80' } })
    }
    await set(power, '2026-03-01', '40')
    const dry = await assign({ method: 'underfunded', dryRun: true }, '2026-01-01')
    expect(dry.items.map(({ after }) => after)).toEqual(['30.00', '30.00'])
    expect(dry.toBeBudgeted).toBe('40.00')
    const path = { id: budget.id, lineId: food.id }
    await ok(snoozeLineTarget, { as: me, path, json: { period: '2026-01-01' } })
    const given = await assign({ method: 'underfunded' }, '2026-01-01')
    expect(given.items).toEqual([{ lineId: power.id, before: '0.00', after: '60.00' }])
    await set(food, '2026-03-01', '10')
    expect((await assign({ method: 'underfunded' }, '2026-02-01')).items).toEqual([])
  })

  it('takes a template', async () => {
    const { budget, me, food, assign } = await plan()
    const template = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'Usual', items: [{ lineId: food.id, amount: '12' }] },
    })
    const json = { method: 'template', templateId: template.id } as const
    const { items } = await assign(json, '2026-01-01')
    expect(items).toEqual([{ lineId: food.id, before: '0.00', after: '12.00' }])
    const moved = await ok(listMovements, { as: me, id: budget.id, query: { kind: 'template' } })
    expect(moved.movements).toMatchObject([{ from: 'pool', to: food.id, amount: '12.00' }])
    const missing = await call(assignMoney, {
      as: me,
      path: { id: budget.id, period: '2026-01-01' },
      json: { ...json, templateId: 'btp_none' },
    })
    expect(refusal(missing)).toEqual([400, 'budgets.unknownTemplate', 'templateId'])
  })

  it('is refused where a strict budget has less, also as a dry run', async () => {
    const { budget, me, food, set, assign } = await plan('100.00')
    await set(food, '2026-01-01', '60')
    await ok(updateBudget, { as: me, id: budget.id, json: { strict: true } })
    for (const dryRun of [true, false]) {
      const refused = await call(assignMoney, {
        as: me,
        path: { id: budget.id, period: '2026-02-01' },
        json: { method: 'assignedLast', dryRun },
      })
      expect(refusal(refused)).toEqual([409, 'budgets.overAssigned'])
    }
    await ok(updateBudget, { as: me, id: budget.id, json: { strict: false } })
    expect((await assign({ method: 'assignedLast' }, '2026-02-01')).toBeBudgeted).toBe('-20.00')
  })

  it('gives money once, however many ask at the same time', async () => {
    const { budget, me, food } = await plan('100.00')
    const path = { id: budget.id, lineId: food.id }
    await ok(setLineTarget, { as: me, path, json: { type: 'amount', amount: '80' } })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call(assignMoney, {
          as: me,
          path: { id: budget.id, period: '2026-01-01' },
          json: { method: 'underfunded' },
        }),
      ),
    )
    for (const one of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(one)).toEqual([409, 'budgets.changedMeanwhile'])
    }
    expect(await envelopeRow(me, budget, food, '2026-01-01')).toMatchObject({ assigned: '80.00' })
    expect((await ok(listMovements, { as: me, id: budget.id })).count).toBe(1)
  })

  it.each<[Input, string]>([
    [{ method: 'averageSpent' }, 'periods'],
    [{ method: 'zero', periods: 3 }, 'periods'],
    [{ method: 'template' }, 'templateId'],
    [{ method: 'zero', templateId: 'btp_none' }, 'templateId'],
  ])('is refused with %j', async (json, field) => {
    const { budget, me } = await plan()
    const refused = await call(assignMoney, {
      as: me,
      path: { id: budget.id, period: '2026-01-01' },
      json,
    })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('is refused to limits, to others, and to lines and periods that are not there', async () => {
    const { budget, me } = await plan()
    const limits = await newBudget(me, { mode: 'limit' })
    const other = await newUser()
    const tried = (as: Principal, id: string, period: string, json: Input) =>
      call(assignMoney, { as, path: { id, period }, json })
    const zero = { method: 'zero' } as const
    expect(refusal(await tried(me, limits.id, '2026-01-01', zero))).toEqual([
      ...[409, 'budgets.wrongMode'],
    ])
    expect(refusal(await tried(other, budget.id, '2026-01-01', zero))).toEqual([
      ...[404, 'budgets.notFound'],
    ])
    expect(refusal(await tried(me, budget.id, '2026-01-02', zero))).toEqual([
      ...[404, 'budgets.noSuchPeriod'],
    ])
    const unknown = { ...zero, lineIds: ['bln_none'] }
    expect(refusal(await tried(me, budget.id, '2026-01-01', unknown))).toEqual([
      ...[400, 'budgets.unknownLine', 'lineIds.0'],
    ])
  })
})
