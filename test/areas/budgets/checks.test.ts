import { afterEach, describe, expect, it, vi } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { holdMoney } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { makeCheckpoints } from '../../../src/areas/planning/budgets/checkpoints/checkpoints.usecases.ts'
import { budgetCheck } from '../../../src/areas/planning/budgets/budgets.jobs.ts'
import {
  closeBudgetPeriod,
  getBudgetChart,
  getBudgetForecast,
  getBudgetSummary,
  getLineHistory,
  reopenBudgetPeriod,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  getBudgetPeriod,
  listBudgetPeriods,
  updateBudgetPeriod,
} from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { checkLedger } from '../../../src/ledger/integrity/checks.jobs.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { assignTo, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { makeAt, NOW } from './checkpoint.fixtures.ts'
import { newCouple } from './household.fixtures.ts'

/** What the check says of a budget, in the step that begins with it: others before it are those of other tests. */
async function findingsOf({ id }: { id: string }): Promise<string[]> {
  const [before] = await rows<{ id: string }>(
    'SELECT id FROM budgets WHERE id < ? ORDER BY id DESC LIMIT 1',
    id,
  )
  const { found } = await budgetCheck.step(contextWith({ now: NOW }), before?.id ?? '')
  return found.filter((finding) => finding.includes(id))
}

/** All that the check says, of all budgets. */
async function allFindings(): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const step = await budgetCheck.step(contextWith({ now: NOW }), after)
    found.push(...step.found)
    after = step.next
  }
  return found
}

const stored = ({ id }: { id: string }) =>
  rows<{ period: string }>(
    'SELECT period FROM budget_checkpoints WHERE budget_id = ? ORDER BY period',
    id,
  )

/** Envelopes with a card, transfers, a held amount, pending and late bookings, and an account in a currency if one is named. */
async function envelopes(wanted: { currency?: string; countPending?: boolean } = {}) {
  const { currency = 'EUR', countPending = true } = wanted
  const me = await newUser({ baseCurrency: 'EUR' })
  for (const [date, rate] of [
    ['2025-01-01', '0.8'],
    ['2026-03-01', '0.9'],
  ] as const) {
    await ok(createExchangeRate, { as: me, json: { from: 'USD', to: 'EUR', date, rate } })
  }
  const [account, other] = [
    await newAccount(me, { openingBalance: '900.00', openingDate: '2024-12-01' }),
    await newAccount(me, { currency, openingBalance: '100.00', openingDate: '2025-03-01' }),
  ]
  const card = await newAccount(me, { type: 'creditCard', openingDate: '2024-12-01' })
  const budget = await newBudget(me, { mode: 'envelope', startsOn: '2025-01-01', countPending })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  const spend = (on: { id: string }, date: string, amount: string, more: object = {}) =>
    book(me, on, { date, amount, categoryId: food.categoryId, ...more })
  const move = (to: { id: string }, date: string, amount: string, more: object = {}) =>
    ok(createTransfer, {
      as: me,
      json: { fromAccountId: account.id, toAccountId: to.id, date, amount, ...more },
    })
  await assignTo(me, budget, food, '2025-01-01', '50.00')
  await assignTo(me, budget, fun, '2025-06-01', '30.00')
  await spend(account, '2025-01-03', '60.00')
  await spend(card, '2025-05-03', '40.00')
  await spend(other, '2025-07-03', '12.34', { categoryId: fun.categoryId })
  await spend(other, '2026-11-02', '7.00', { status: 'pending' })
  await spend(account, '2027-02-02', '3.00')
  await move(card, '2025-08-01', '25.00')
  await move(other, '2025-09-01', '10.00', currency === 'EUR' ? {} : { toAmount: '11.00' })
  const path = { id: budget.id, period: '2025-01-01' }
  await ok(holdMoney, { as: me, path: { ...path, period: '2026-02-01' }, json: { amount: '5.00' } })
  await ok(closeBudgetPeriod, { as: me, path })
  await spend(account, '2025-01-20', '4.00')
  await makeAt(budget)
  return { me, account, other, card, budget, food, fun }
}

async function limits() {
  const { me, account, budget: other, food } = await envelopes()
  const budget = await newBudget(me, { mode: 'limit', startsOn: '2025-01-01', policy: 'both' })
  const scope = { kind: 'category' as const, ids: [food.categoryId] }
  await ok(createBudgetLine, {
    as: me,
    id: budget.id,
    json: { name: 'Food', amount: '20.00', scope },
  })
  await makeAt(budget)
  return { me, account, other, budget }
}

const current = (me: TestUser, budget: { id: string }) => periodOf(me, budget, '2026-11-01')

describe('the check of budgets', () => {
  it.each([
    ['in one currency', {}],
    ['in two', { currency: 'USD' }],
    ['without what is pending', { countPending: false }],
    ['in two without what is pending', { currency: 'USD', countPending: false }],
  ])('has nothing to say of envelopes %s', async (_, wanted) => {
    const { budget } = await envelopes(wanted)
    expect(await stored(budget)).toHaveLength(2)
    expect(await findingsOf(budget)).toEqual([])
    expect(await stored(budget)).toHaveLength(2)
  })

  it('has nothing to say of budgets that begin later, of groups, and of limits that were erased', async () => {
    const { me } = await envelopes()
    const later = await newBudget(me, { mode: 'envelope', startsOn: '2027-03-01' })
    expect(await findingsOf(later)).toEqual([])
    const { ada, joint, group, groceries } = await newCouple()
    const ofGroup = await newBudget(ada, {
      ...{ mode: 'envelope', groupId: group.id, startsOn: '2025-01-01' },
    })
    const secret = { date: '2026-01-03', categoryId: groceries.id, private: true }
    await book(ada, joint, secret)
    await makeAt(ofGroup)
    expect(await findingsOf(ofGroup)).toEqual([])
    const { me: owner, budget } = await limits()
    const json = { name: 'All', scope: { kind: 'everything' as const } }
    const line = await ok(createBudgetLine, { as: owner, id: budget.id, json })
    await makeAt(budget)
    await ok(deleteBudgetLine, { as: owner, path: { id: budget.id, lineId: line.id } })
    expect(await stored(budget)).toHaveLength(2)
    expect(await findingsOf(budget)).toEqual([])
  })

  it.each([{}, { currency: 'USD' }])(
    'has nothing to say where accounts leave or are handled otherwise after periods were closed: %j',
    async (wanted) => {
      const { me, other, card, budget } = await envelopes(wanted)
      for (const month of ['02', '03', '04', '05', '06', '07', '08']) {
        const path = { id: budget.id, period: `2025-${month}-01` }
        await ok(closeBudgetPeriod, { as: me, path })
      }
      const cards = [{ accountId: card.id, handling: 'cash' as const }]
      await ok(updateBudget, { as: me, id: budget.id, json: { cards } })
      expect(await findingsOf(budget)).toEqual([])
      await ok(updateAccount, { as: me, id: other.id, json: { onBudget: false } })
      expect(await findingsOf(budget)).toEqual([])
      await makeAt(budget)
      expect(await findingsOf(budget)).toEqual([])
      await ok(updateAccount, { as: me, id: other.id, json: { onBudget: true } })
      await ok(updateBudget, { as: me, id: budget.id, json: { cards: [] } })
      expect(await findingsOf(budget)).toEqual([])
    },
  )

  it.each(['pool', 'worth', 'released'])(
    'finds and deletes a checkpoint with another %s',
    async (name) => {
      const { me, budget } = await envelopes()
      const right = await current(me, budget)
      await rows(
        `UPDATE budget_checkpoints SET image = json_set(image, '$.after.${name}', 123) WHERE budget_id = ?`,
        budget.id,
      )
      expect(await findingsOf(budget)).toEqual([
        `budget ${budget.id}: the checkpoint of 2025-12-01 is wrong`,
        `budget ${budget.id}: the checkpoint of 2026-08-01 is wrong`,
      ])
      expect(await stored(budget)).toEqual([])
      expect(await current(me, budget)).toEqual(right)
    },
  )

  it('finds one with another amount of a line or an account, and of a limit', async () => {
    const { budget, food, account } = await envelopes()
    const plant = ({ id }: { id: string }, period: string, path: string) =>
      rows(
        `UPDATE budget_checkpoints SET image = json_set(image, ?1, 7) WHERE budget_id = ?2 AND period = ?3`,
        ...[path, id, period],
      )
    await plant(budget, '2025-12-01', `$.after.carried.${food.id}`)
    await plant(budget, '2026-08-01', `$.balances.${account.id}`)
    expect(await findingsOf(budget)).toHaveLength(2)
    const { budget: limit } = await limits()
    const [line] = await rows<{ id: string }>(
      'SELECT id FROM budget_lines WHERE budget_id = ?',
      limit.id,
    )
    await plant(limit, '2026-08-01', `$.after.carried.${line?.id}`)
    expect(await findingsOf(limit)).toEqual([
      `budget ${limit.id}: the checkpoint of 2026-08-01 is wrong`,
    ])
    expect(await stored(limit)).toEqual([{ period: '2025-12-01' }])
  })

  it.each([
    [
      'balance',
      'UPDATE account_balances SET balance_minor = balance_minor + ?1 WHERE account_id = ?2',
    ],
    [
      'later days',
      "UPDATE account_periods SET inflow_minor = inflow_minor + ?1 WHERE account_id = ?2 AND grain = 'day' AND period = '2027-02-02'",
    ],
    [
      'flows',
      "UPDATE flow_periods SET amount_minor = amount_minor + ?1 WHERE account_id = ?2 AND grain = 'month' AND period = '2025-01' AND flow = 'expense'",
    ],
  ])('finds that the %s of an account give something else', async (_, sql) => {
    const { budget, account } = await envelopes()
    await rows(sql, 5, account.id)
    const found = await findingsOf(budget)
    await rows(sql, -5, account.id)
    expect(found.at(-1)).toMatch(
      new RegExp(
        `^budget ${budget.id} in 2026-11-01: lines and pool give -?\\d+, its accounts hold -?\\d+$`,
      ),
    )
    expect(await findingsOf(budget)).toEqual([])
  })

  it('finds an exchange difference where there is one currency', async () => {
    const { me, budget, account } = await envelopes()
    const add = async (minor: number) => {
      await rows(
        `UPDATE flow_periods SET amount_minor = amount_minor + ?1
          WHERE account_id = ?2 AND grain = 'month' AND period = '2025-09' AND flow = 'transfer'`,
        ...[minor, account.id],
      )
      await rows(
        'UPDATE account_balances SET balance_minor = balance_minor + ?1 WHERE account_id = ?2',
        ...[minor, account.id],
      )
    }
    const json = { reason: 'Nothing is closed' }
    const path = { id: budget.id, period: '2025-01-01' }
    await ok(reopenBudgetPeriod, { as: me, path, json })
    await add(5)
    const found = await findingsOf(budget)
    await add(-5)
    expect(found).toEqual([
      `budget ${budget.id} in 2025-09-01: an exchange difference of 5 in one currency`,
    ])
  })
})

/** A budget with a sum beyond the range of amounts. */
async function boundless(me: TestUser) {
  const account = await newAccount(me, { currency: 'USD', openingDate: '2024-12-01' })
  const json = { from: 'USD', to: 'VND', date: '2025-01-01', rate: '1000000' }
  await ok(createExchangeRate, { as: me, json })
  await book(me, account, { date: '2025-02-01', amount: '90000000000.00' })
  await book(me, account, { date: '2026-11-01', amount: '90000000000.00' })
  return newBudget(me, { mode: 'envelope', currency: 'VND', startsOn: '2025-01-01' })
}

describe('the nightly check of the ledger', () => {
  afterEach(() => vi.restoreAllMocks())

  it('counts what it finds about budgets, and raises an alarm', async () => {
    const { budget } = await envelopes()
    await rows(
      "UPDATE budget_checkpoints SET image = json_set(image, '$.after.pool', 123) WHERE budget_id = ?",
      budget.id,
    )
    const said = vi.spyOn(console, 'log')
    await checkLedger.run(
      contextWith({ now: NOW }),
      { place: { of: 'areas', after: 'budgets ' } },
      [],
    )
    const alarm = said.mock.calls
      .map(([line]) => String(line))
      .find((line) => line.includes('ledger.differs'))
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({
      counts: { balances: 0, budgets: 2 },
      findings: [`budget ${budget.id}: the checkpoint of 2025-12-01 is wrong`, expect.anything()],
    })
    const [logged] = await rows<{ facts: string }>(
      "SELECT facts FROM log_entries WHERE type = 'ledger.checked' ORDER BY number DESC LIMIT 1",
    )
    expect(JSON.parse(logged?.facts ?? '{}')).toMatchObject({ balances: 0, budgets: 2 })
  })

  it('goes on with the next budgets where the sums of one are beyond all range', async () => {
    const before = await boundless(await newUser())
    const { budget } = await envelopes()
    await rows('DELETE FROM budget_checkpoints')
    await makeCheckpoints(contextWith({ now: NOW }), {}, [])
    expect(await stored(budget)).toHaveLength(2)
    const found = await allFindings()
    expect(found.filter((one) => one.includes(before.id) || one.includes(budget.id))).toEqual([])
  })
})

it('tells thresholds of other budgets where the sums of one are beyond all range', async () => {
  const me = await newUser()
  const budget = await boundless(me)
  const line = await newLine(me, budget, 'Food')
  const path = { id: budget.id, period: '2026-11-01' }
  for (const { status, error } of [
    await call(getBudgetPeriod, { as: me, path }),
    await call(getBudgetForecast, { as: me, path }),
    await call(getBudgetChart, { as: me, id: budget.id }),
    await call(updateBudgetPeriod, { as: me, path, json: { note: 'Too much' } }),
    await call(closeBudgetPeriod, { as: me, path }),
    await call(listBudgetPeriods, { as: me, id: budget.id }),
    await call(getLineHistory, { as: me, path: { id: budget.id, lineId: line.id } }),
  ]) {
    expect([status, error.code]).toEqual([409, 'ledger.outOfRange'])
  }
  const { id } = await newBudget(me, { mode: 'limit' })
  const { budgets } = await ok(getBudgetSummary, { as: me })
  expect(budgets.map((one) => one.id)).toEqual([id])
  const { budget: other, account, food, me: owner } = await envelopes()
  const spent = { date: '2026-11-01', amount: '500.00', categoryId: food.categoryId }
  await book(owner, account, spent)
  await watchBudgets(contextWith({ now: NOW }))
  const alerts = await rows('SELECT 1 FROM budget_alerts WHERE budget_id = ?', other.id)
  expect(alerts).toHaveLength(1)
})
