import { describe, expect, it } from 'vitest'
import {
  assignMoney,
  copyBudget,
  createBudget,
  getBudget,
  getBudgetByMember,
  getLineHistory,
  listBudgets,
  listLineTransactions,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { setAllocations } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { setLineTarget } from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import {
  applyBudgetTemplate,
  createBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok } from '../../support/api.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'
import {
  assignTo,
  envelopeRow,
  limitRow,
  newBudget,
  newLine,
  periodOf,
} from './budgets.fixtures.ts'

const today = new Date().toISOString().slice(0, 10)
const DAILY = { unit: 'day', count: 1, anchor: '2026-01-01' } as const
const YEARLY = { unit: 'year', count: 1, anchor: '1901-01-01' } as const

describe('a budget that begins long ago', () => {
  it('is refused where it has more than 600 periods by now', async () => {
    const me = await newUser()
    const json = { name: 'Daily', mode: 'envelope', period: DAILY } as const
    const tooEarly = { ...json, startsOn: addDays(today, -602) }
    expect(refusal(await call(createBudget, { as: me, json: tooEarly }))).toEqual([
      409,
      'budgets.tooMany',
    ])
    const startsOn = addDays(today, -598)
    const budget = await ok(createBudget, { as: me, json: { ...json, startsOn } })
    await periodOf(me, budget, 'current')
    const moved = await call(updateBudget, {
      as: me,
      id: budget.id,
      json: { startsOn: tooEarly.startsOn },
    })
    const copied = await call(copyBudget, {
      as: me,
      id: budget.id,
      json: { name: 'Copy', startsOn: tooEarly.startsOn },
    })
    expect([moved, copied].map((one) => refusal(one)[1])).toEqual([
      'budgets.tooMany',
      'budgets.tooMany',
    ])
    expect((await ok(updateBudget, { as: me, id: budget.id, json: { startsOn } })).startsOn).toBe(
      startsOn,
    )
  })

  it('is refused where no day of the calendar is before it', async () => {
    const me = await newUser()
    const json = { name: 'Yearly', mode: 'envelope', period: YEARLY } as const
    const first = await call(createBudget, { as: me, json: { ...json, startsOn: '1900-05-01' } })
    expect(refusal(first)).toEqual([400, 'budgets.invalidStart', 'startsOn'])
    const second = await ok(createBudget, { as: me, json: { ...json, startsOn: '1901-05-01' } })
    await periodOf(me, second, 'current')
  })
})

describe('a limit budget that begins in the future', () => {
  it('says of its current period what it says of it by name', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const startsOn = `${new Date().getUTCFullYear() + 2}-01-01`
    const budget = await newBudget(me, { mode: 'limit', startsOn })
    const food = await newLine(me, budget, 'Food', { amount: '10.00' })
    await book(me, account, { amount: '3.00', date: startsOn, categoryId: food.categoryId })
    expect((await limitRow(me, budget, food, 'current')).spent).toBe('3.00')
    expect(await periodOf(me, budget, 'current')).toEqual(await periodOf(me, budget, startsOn))
    const path = { id: budget.id, lineId: food.id }
    const { periods } = await ok(getLineHistory, { as: me, path })
    expect(periods.map((one) => ('spent' in one ? one.spent : null))).toEqual(['3.00'])
    const { members } = await ok(getBudgetByMember, {
      as: me,
      path: { id: budget.id, period: 'current' },
    })
    expect(members.map(({ spent }) => spent)).toEqual(['3.00'])
  })
})

describe('an answer that is kept for its Idempotency-Key', () => {
  it('is that of assigning by a method and by a template', async () => {
    const me = await newUser()
    await newAccount(me, { openingBalance: '100.00', openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    await assignTo(me, budget, food, '2026-01-01', '10.00')
    const template = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'Usual', items: [{ lineId: food.id, amount: '5.00' }] },
    })
    const [zero, apply] = [crypto.randomUUID(), crypto.randomUUID()]
    const assign = () =>
      call(assignMoney, {
        as: me,
        path: { id: budget.id, period: '2026-01-01' },
        json: { method: 'zero' },
        headers: { 'idempotency-key': zero },
      })
    const first = await assign()
    expect([first.status, (await assign()).body]).toEqual([200, first.body])
    expect(first.body).toMatchObject({ toBeBudgeted: '100.00' })
    const add = () =>
      call(applyBudgetTemplate, {
        as: me,
        path: { id: budget.id, templateId: template.id },
        json: { period: '2026-01-01', mode: 'add' },
        headers: { 'idempotency-key': apply },
      })
    const applied = await add()
    expect([applied.status, (await add()).body]).toEqual([200, applied.body])
    expect((await envelopeRow(me, budget, food, '2026-01-01')).assigned).toBe('5.00')
  })
})

describe('sums beyond the range of amounts', () => {
  it('are refused, not failed on', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const most = { amount: '90071992547409.91', date: '2026-01-02' }
    for (let round = 0; round < 2; round++) {
      await book(me, account, { ...most, kind: 'income' })
      await book(me, account, { ...most, categoryId: food.categoryId })
    }
    const path = { id: budget.id, period: '2026-01-01' }
    for (const read of [
      await call(getBudgetPeriod, { as: me, path }),
      await call(getBudgetByMember, { as: me, path }),
      await call(listLineTransactions, {
        as: me,
        path: { id: budget.id, lineId: food.id },
        query: { period: '2026-01-01' },
      }),
    ]) {
      expect(refusal(read)).toEqual([409, 'ledger.outOfRange'])
    }
    await watchBudgets(contextWith({ now: Date.now() }))
  })

  it('are shown of a line with those below it', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const fun = await newLine(me, budget, 'Fun', { parentLineId: food.id })
    const amount = '90071992547409.91'
    await book(me, account, { kind: 'income', amount, date: '2026-01-02' })
    await assignTo(me, budget, food, '2026-01-01', amount)
    const rest = await newLine(me, budget, 'Rest')
    await ok(setAllocations, {
      as: me,
      path: { id: budget.id, period: '2026-02-01' },
      json: {
        items: [
          { lineId: fun.id, assigned: amount },
          { lineId: rest.id, assigned: `-${amount}` },
        ],
      },
    })
    const { withBelow } = await envelopeRow(me, budget, food, '2026-02-01')
    expect(withBelow.available).toBe('180143985094819.82')
  })

  it('are no matter of targets, which need at most as much as an amount can be', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const amount = '90071992547409.91'
    const path = { id: budget.id, lineId: food.id }
    await ok(setLineTarget, { as: me, path, json: { type: 'amount', amount } })
    await assignTo(me, budget, food, '2026-01-01', '-0.01')
    const row = await envelopeRow(me, budget, food, '2026-01-01')
    expect([row.needed, row.targetStatus]).toEqual([amount, 'underfunded'])
  })
})

describe('a token for some accounts', () => {
  it('names no other account in a budget', async () => {
    const me = await newUser()
    const [open, secret] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['budgets.read', 'budgets.write'], [open.id])
    const budget = await newBudget(token, {
      ...{ mode: 'envelope', accounts: 'chosen', accountIds: [open.id] },
    })
    const sent = await call(updateBudget, {
      as: token,
      id: budget.id,
      json: { accountIds: [open.id, secret.id] },
    })
    expect(refusal(sent)).toEqual([400, 'budgets.unknownAccount', 'accountIds.1'])
  })

  it('makes no budget that it could not see', async () => {
    const me = await newUser()
    const [open] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['budgets.read', 'budgets.write'], [open.id])
    const json = { name: 'Mine', mode: 'limit' as const, period: DAILY }
    const created = await call(createBudget, { as: token, json })
    expect(refusal(created)).toEqual([403, 'budgets.otherAccounts'])
    expect((await ok(listBudgets, { as: me })).budgets).toEqual([])
    const chosen = { ...json, accounts: 'chosen' as const, accountIds: [open.id] }
    const budget = await ok(createBudget, { as: token, json: chosen })
    const widened = await call(updateBudget, {
      as: token,
      id: budget.id,
      json: { accounts: 'onBudget' },
    })
    expect(refusal(widened)).toEqual([403, 'budgets.otherAccounts'])
    expect(await ok(getBudget, { as: token, id: budget.id })).toEqual(budget)
    const forAll = await giveToken(me, ['budgets.read', 'budgets.write'])
    await ok(updateBudget, { as: forAll, id: budget.id, json: { accounts: 'onBudget' } })
  })
})
