import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateOccurrence } from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { getBudgetForecast } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newItem, today } from '../recurring/recurring.fixtures.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function household(mode: 'envelope' | 'limit' = 'limit') {
  today('2026-11-10')
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR', openingBalance: '900' })
  const budget = await newBudget(me, {
    mode,
    ...(mode === 'limit' ? { countTransfers: true } : {}),
  })
  const food = await newLine(
    me,
    budget,
    'Food',
    mode === 'limit' ? { amount: '600', policy: 'none' } : {},
  )
  const item = (
    day: string,
    transaction: object,
    { unit = 'month', ...wanted }: Record<string, unknown> = {},
  ) =>
    newItem(me, account, {
      ...{ mode: 'expect', from: '2026-11-01', ...wanted },
      schedule: { unit: unit as 'month', anchor: day },
      transaction: { categoryId: food.categoryId, ...transaction },
    })
  return { me, account, budget, food, item }
}

async function forecast(as: Principal, budget: { id: string }, period = '2026-11-01') {
  const { lines } = await ok(getBudgetForecast, { as, path: { id: budget.id, period } })
  return Object.fromEntries(lines.map((line) => [line.lineId, line]))
}

describe('the forecast of what recurs', () => {
  it('is that of the page: 90.00 were planned, 120.00 are still planned', async () => {
    const { me, account, budget, food, item } = await household()
    const bill = await item('2026-11-05', { amount: '90' })
    const paid = await book(me, account, {
      ...{ date: '2026-11-04', amount: '90', categoryId: food.categoryId },
    })
    await ok(updateOccurrence, {
      ...{ as: me, path: { id: bill.id, date: '2026-11-05' } },
      json: { transactionIds: [paid.id] },
    })
    await book(me, account, { date: '2026-11-08', amount: '150', categoryId: food.categoryId })
    await book(me, account, { date: '2026-11-20', amount: '50', categoryId: food.categoryId })
    await item('2026-11-12', { amount: '70' })
    await item('2026-12-01', { amount: '33' })
    const { [food.id]: line } = await forecast(me, budget)
    expect(line).toMatchObject({
      ...{ total: '600.00', spentSoFar: '240.00', planned: '90.00', stillPlanned: '120.00' },
      ...{ expectedByNow: '200.00', pace: '40.00', projected: '660.00' },
      ...{ projectedRemaining: '-60.00', perDayLeft: '11.42' },
    })
    // December has all three, and none of it is spent.
    const { [food.id]: next } = await forecast(me, budget, '2026-12-01')
    expect(next).toMatchObject({ planned: '0.00', stillPlanned: '193.00', projected: '193.00' })
  })

  it('counts what is late today, and nothing in a period that has passed', async () => {
    const { me, budget, food, item } = await household()
    await item('2026-10-20', { amount: '40' }, { from: '2026-10-01' })
    const { [food.id]: now } = await forecast(me, budget)
    expect(now).toMatchObject({ planned: '0.00', stillPlanned: '80.00' })
    const { [food.id]: before } = await forecast(me, budget, '2026-10-01')
    expect(before).toMatchObject({ planned: '0.00', stillPlanned: '0.00' })
  })

  it('counts parts, fees, transfers, tags and payees', async () => {
    const { me, account, budget, food, item } = await household()
    const fun = await newLine(me, budget, 'Fun', { amount: '10' })
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const payee = await ok(createPayee, { as: me, json: { name: 'Landlord' } })
    const lineOf = (kind: 'tag' | 'payee', { id }: { id: string }) =>
      ok(createBudgetLine, {
        ...{ as: me, id: budget.id },
        json: { name: kind, amount: '1', scope: { kind, ids: [id] } },
      })
    const [ofTag, ofPayee] = [await lineOf('tag', tag), await lineOf('payee', payee)]
    const out = await newAccount(me, { currency: 'EUR', onBudget: false })
    const parts = [
      { amount: '30', categoryId: food.categoryId, tagIds: [tag.id] },
      { amount: '12', categoryId: fun.categoryId },
    ]
    await item('2026-11-12', {
      amount: '42',
      categoryId: undefined,
      payeeId: payee.id,
      splits: parts,
    })
    await item('2026-11-13', {
      ...{ kind: 'transfer', accountId: undefined, amount: '101', toAccountId: out.id },
      ...{ fromAccountId: account.id, fees: [{ amount: '1', categoryId: fun.categoryId }] },
    })
    await item('2026-11-14', { kind: 'income', categoryId: undefined, amount: '1000' })
    await item('2026-11-15', { amount: '5', accountId: null, currency: 'EUR', tagIds: [tag.id] })
    await item('2026-11-15', { amount: '7', accountId: null, currency: 'USD' })
    const lines = await forecast(me, budget)
    expect(lines[food.id]).toMatchObject({ stillPlanned: '135.00' })
    expect(lines[fun.id]).toMatchObject({ stillPlanned: '13.00' })
    expect(lines[ofTag.id]).toMatchObject({ stillPlanned: '35.00' })
    expect(lines[ofPayee.id]).toMatchObject({ stillPlanned: '42.00' })
  })

  it('leaves out what rests, what is no item of the budget, and what is settled', async () => {
    const { me, account, budget, food, item } = await household('envelope')
    await item('2026-11-12', { amount: '10' }, { active: false })
    const off = await newAccount(me, { currency: 'EUR', onBudget: false })
    await item('2026-11-12', { amount: '20', accountId: off.id })
    const skipped = await item('2026-11-12', { amount: '30' })
    const path = { id: skipped.id, date: '2026-11-12' }
    await ok(updateOccurrence, { as: me, path, json: { skipped: true } })
    const half = await item('2026-11-20', { amount: '50' })
    const paid = await book(me, account, {
      ...{ date: '2026-11-09', amount: '20', categoryId: food.categoryId },
    })
    await ok(updateOccurrence, {
      ...{ as: me, path: { id: half.id, date: '2026-11-20' } },
      json: { transactionIds: [paid.id] },
    })
    const { [food.id]: line } = await forecast(me, budget)
    expect(line).toMatchObject({ planned: '20.00', stillPlanned: '30.00', spentSoFar: '20.00' })
  })
})
