import { describe, expect, it } from 'vitest'
import {
  closeBudgetPeriod,
  reopenBudgetPeriod,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { join, newHousehold } from '../groups/groups.ts'
import { book } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { assign } from './decided.fixtures.ts'

const MONTHS = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'] as const

const close = (as: Principal, { id }: { id: string }, period: string) =>
  call(closeBudgetPeriod, { as, path: { id, period } })

const reopen = (as: Principal, { id }: { id: string }, period: string, reason = 'A receipt') =>
  call(reopenBudgetPeriod, { as, path: { id, period }, json: { reason } })

/** Everyday with rent and food from January to April 2026, with policy `surplus`. */
async function fourMonths() {
  const me = await newUser()
  const opening = { openingBalance: '500.00', openingDate: '2026-01-01' }
  const account = await newAccount(me, { currency: 'EUR', ...opening })
  const budget = await newBudget(me, { mode: 'envelope' })
  const rent = await newLine(me, budget, 'Rent')
  const food = await newLine(me, budget, 'Food')
  const spend = (line: { categoryId: string }, amount: string, date: string) =>
    book(me, account, { kind: 'expense', amount, date, categoryId: line.categoryId })
  for (const [at, amount] of ['350', '480', '390', '400'].entries()) {
    const month = MONTHS[at] ?? ''
    await book(me, account, { kind: 'income', amount: '1800', date: month })
    await assign(budget, rent, month, 120000)
    await assign(budget, food, month, 40000)
    await spend(rent, '1200', month)
    await spend(food, amount, month)
  }
  return { me, account, budget, rent, food, spend }
}

/** Carried in, activity, late activity, available and the pool of a line, by period. */
async function table(me: Principal, budget: { id: string }, line: { id: string }) {
  const found = []
  for (const month of MONTHS) {
    const { envelope } = await periodOf(me, budget, month)
    const row = envelope?.lines.find(({ lineId }) => lineId === line.id)
    found.push([
      row?.carriedIn,
      row?.assigned,
      row?.activity,
      row?.lateActivity,
      row?.available,
      envelope?.toBeBudgeted,
    ])
  }
  return found
}

describe('a back-dated edit', () => {
  it('is right in all later periods while they are open', async () => {
    const { me, budget, food, spend } = await fourMonths()
    await spend(food, '75', '2026-01-20')
    expect(await table(me, budget, food)).toEqual([
      ['0.00', '400.00', '-425.00', '0.00', '-25.00', '700.00'],
      ['0.00', '400.00', '-480.00', '0.00', '-80.00', '875.00'],
      ['0.00', '400.00', '-390.00', '0.00', '10.00', '995.00'],
      ['10.00', '400.00', '-400.00', '0.00', '10.00', '1195.00'],
    ])
  })

  it('counts late where January to March are closed, and live again once they are reopened', async () => {
    const { me, account, budget, food, spend } = await fourMonths()
    for (const month of MONTHS.slice(0, 3)) {
      const { status, body } = await close(me, budget, month)
      expect([status, body.state]).toEqual([200, 'closed'])
      expect(body).toEqual(await periodOf(me, budget, month))
    }
    await spend(food, '75', '2026-01-20')
    const late = [
      ['0.00', '400.00', '-350.00', '0.00', '50.00', '700.00'],
      ['50.00', '400.00', '-480.00', '0.00', '-30.00', '900.00'],
      ['0.00', '400.00', '-390.00', '0.00', '10.00', '1070.00'],
      ['10.00', '400.00', '-475.00', '-75.00', '-65.00', '1270.00'],
    ]
    expect(await table(me, budget, food)).toEqual(late)
    await book(me, account, { kind: 'income', amount: '5', date: '2026-02-02' })
    const april = await periodOf(me, budget, '2026-04-01')
    expect([april.envelope?.latePool, april.envelope?.toBeBudgeted]).toEqual(['5.00', '1275.00'])
    for (const month of MONTHS.slice(0, 3).toReversed()) {
      const { status, body } = await reopen(me, budget, month)
      expect([status, body.state]).toEqual([200, 'open'])
      expect(body).toEqual(await periodOf(me, budget, month))
    }
    expect((await table(me, budget, food)).map((row) => row.slice(2))).toEqual([
      ['-425.00', '0.00', '-25.00', '700.00'],
      ['-480.00', '0.00', '-80.00', '880.00'],
      ['-390.00', '0.00', '10.00', '1000.00'],
      ['-400.00', '0.00', '10.00', '1200.00'],
    ])
  })
})

it('closes periods of limits, too', async () => {
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR', openingDate: '2025-12-01' })
  const budget = await newBudget(me, { mode: 'limit' })
  const line = await newLine(me, budget, 'Food', { amount: '100.00', policy: 'both' })
  const spend = (amount: string, date: string) =>
    book(me, account, { kind: 'expense', amount, date, categoryId: line.categoryId })
  await spend('60.00', '2026-01-15')
  await close(me, budget, '2026-01-01')
  await spend('5.00', '2026-01-20')
  const january = await limitRow(me, budget, line, '2026-01-01')
  const february = await limitRow(me, budget, line, '2026-02-01')
  expect([january.spent, january.remaining]).toEqual(['60.00', '40.00'])
  expect([february.carriedIn, february.spent]).toEqual(['40.00', '5.00'])
  await reopen(me, budget, '2026-01-01')
  expect((await limitRow(me, budget, line, '2026-01-01')).spent).toBe('65.00')
  expect((await limitRow(me, budget, line, '2026-02-01')).carriedIn).toBe('35.00')
})

it('counts a card once when it is handled as cash after a closing', async () => {
  const me = await newUser()
  const opening = { openingBalance: '500.00', openingDate: '2026-01-01' }
  const account = await newAccount(me, { currency: 'EUR', ...opening })
  const card = await newAccount(me, {
    ...{ currency: 'EUR', type: 'creditCard', creditLimit: '500.00', openingDate: '2026-01-01' },
  })
  const budget = await newBudget(me, { mode: 'envelope' })
  const food = await newLine(me, budget, 'Food')
  await assign(budget, food, '2026-01-01', 10000)
  await book(me, card, { amount: '30.00', date: '2026-01-03', categoryId: food.categoryId })
  await book(me, account, { amount: '5.00', date: '2026-01-04', categoryId: food.categoryId })
  await close(me, budget, '2026-01-01')
  const cards = [{ accountId: card.id, handling: 'cash' as const }]
  await ok(updateBudget, { as: me, id: budget.id, json: { cards } })
  expect(await envelopeRow(me, budget, food, '2026-02-01')).toMatchObject({
    ...{ carriedIn: '65.00', activity: '0.00', lateActivity: '0.00', available: '65.00' },
  })
  expect((await periodOf(me, budget, '2026-02-01')).envelope).toMatchObject({
    ...{ toBeBudgeted: '400.00', exchangeDifference: '0.00' },
  })
})

describe('closing', () => {
  it('keeps to the order of periods, and to those that have ended', async () => {
    const { me, budget } = await fourMonths()
    const codeOf = async (answer: ReturnType<typeof close>) => {
      const { status, error } = await answer
      return status === 200 ? 200 : [status, error.code]
    }
    expect(await codeOf(close(me, budget, '2026-02-01'))).toEqual([409, 'budgets.notOldestOpen'])
    expect(await codeOf(reopen(me, budget, '2026-01-01'))).toEqual([409, 'budgets.notNewestClosed'])
    expect(await codeOf(close(me, budget, '2026-01-01'))).toBe(200)
    expect(await codeOf(close(me, budget, '2026-01-01'))).toEqual([409, 'budgets.notOldestOpen'])
    expect(await codeOf(close(me, budget, '2026-02-01'))).toBe(200)
    expect(await codeOf(reopen(me, budget, '2026-01-01'))).toEqual([409, 'budgets.notNewestClosed'])
    expect(await codeOf(close(me, budget, '2026-03-02'))).toEqual([404, 'budgets.noSuchPeriod'])
    const fresh = await newBudget(me, {
      mode: 'limit',
      startsOn: new Date().toISOString().slice(0, 10),
    })
    expect(await codeOf(close(me, fresh, 'current'))).toEqual([409, 'budgets.notEnded'])
  })

  it('is told with its reason', async () => {
    const { me, budget } = await fourMonths()
    await close(me, budget, '2026-01-01')
    await reopen(me, budget, '2026-01-01', 'The receipt was late')
    const told = await rows<{ type: string; content: string }>(
      `SELECT type, content FROM log_entries
        WHERE resource_id = ? AND type LIKE 'budget.period%' ORDER BY number`,
      budget.id,
    )
    expect(told.map(({ type }) => type)).toEqual(['budget.periodClosed', 'budget.periodReopened'])
    expect(told[1]?.content).toContain('The receipt was late')
    expect((await reopen(me, budget, '2026-01-01', '')).status).toBe(400)
  })

  it('lets one of two at once', async () => {
    const { me, budget, rent } = await fourMonths()
    const answers = await Promise.all([
      close(me, budget, '2026-01-01'),
      close(me, budget, '2026-01-01'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await envelopeRow(me, budget, rent, '2026-01-01')).available).toBe('0.00')
  })

  it('is for the owner, and in groups for those who manage the budget', async () => {
    const { me, budget } = await fourMonths()
    const other = await newUser()
    expect((await close(other, budget, '2026-01-01')).error.code).toBe('budgets.notFound')
    expect((await reopen(other, budget, '2026-01-01')).error.code).toBe('budgets.notFound')
    expect((await periodOf(me, budget, '2026-01-01')).state).toBe('open')
    const home = await newHousehold()
    const second = await join(home.id, home.owner)
    const shared = await newBudget(home.member, { mode: 'limit', groupId: home.id })
    const answers = async (run: (as: Principal) => ReturnType<typeof close>) =>
      [await run(home.viewer), await run(second), await run(home.member)].map(({ status, error }) =>
        status === 200 ? 200 : [status, error.code],
      )
    const expected = [[403, 'budgets.groupReadOnly'], [403, 'budgets.mayNotManage'], 200]
    expect(await answers((as) => close(as, shared, '2026-01-01'))).toEqual(expected)
    expect(await answers((as) => reopen(as, shared, '2026-01-01'))).toEqual(expected)
    expect((await close(home.admin, shared, '2026-01-01')).status).toBe(200)
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', home.id)
    const { status, error } = await reopen(home.owner, shared, '2026-01-01')
    expect([status, error.code]).toEqual([409, 'budgets.groupSuspended'])
  })

  it('notices what is decided between its read and its commit', async () => {
    const { me, budget, food } = await fourMonths()
    const changes = [
      "UPDATE budgets SET version = version + 1 WHERE id = ?1 AND ?2 <> ''",
      'UPDATE budget_lines SET version = version + 1 WHERE id = ?2 AND budget_id = ?1',
      "INSERT INTO budget_periods (budget_id, period, version) SELECT ?1, '2026-01-01', 2 WHERE ?2 <> ''",
    ]
    for (const change of changes) {
      const service = serviceWith({
        aroundTrips: async (trip, run) => {
          if (trip === 2) {
            await rows(change, budget.id, food.id)
          }
          return run()
        },
      })
      const answer = await service.call(closeBudgetPeriod, {
        as: me,
        path: { id: budget.id, period: '2026-01-01' },
      })
      expect([answer.status, answer.error.code]).toEqual([409, 'request.conflict'])
    }
    expect((await close(me, budget, '2026-01-01')).status).toBe(200)
  })
})
