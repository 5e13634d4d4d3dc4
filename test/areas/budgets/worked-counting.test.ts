import { describe, expect, it } from 'vitest'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { listLineTransactions } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const JUNE = '2026-06-01'

it('converts one line in June by the rates of its days', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  for (const [from, to, date, rate] of [
    ['USD', 'EUR', '2026-06-01', '0.85'],
    ['EUR', 'JPY', '2026-06-01', '160'],
    ['USD', 'EUR', '2026-06-10', '0.875'],
    ['EUR', 'JPY', '2026-06-20', '165'],
  ] as const) {
    await ok(createExchangeRate, { as: me, json: { from, to, date, rate } })
  }
  const inCurrency = (currency: string) => newAccount(me, { currency, openingDate: '2026-01-01' })
  const [usd, jpy] = [await inCurrency('USD'), await inCurrency('JPY')]
  const [eur, bhd] = [await inCurrency('EUR'), await inCurrency('BHD')]
  const budget = await newBudget(me, { mode: 'limit', policy: 'none' })
  const line = await newLine(me, budget, 'Food', { amount: '100.00' })
  const { categoryId } = line
  const shown = []
  let before = 0
  for (const [account, day, amount, back] of [
    [usd, '03', '20.05', '5.00'],
    [usd, '10', '0.02', undefined],
    [jpy, '12', '3332', undefined],
    [jpy, '21', '1000', undefined],
    [eur, '15', '12.00', undefined],
    [bhd, '18', '2.500', undefined],
  ] as const) {
    const date = `2026-06-${day}`
    await book(me, account, { date, amount, categoryId })
    if (back) {
      await book(me, account, { kind: 'income', date, amount: back, categoryId })
    }
    const spent = Number((await limitRow(me, budget, line, JUNE)).spent)
    shown.push((spent - before).toFixed(2))
    before = spent
  }
  expect(shown).toEqual(['12.79', '0.02', '20.82', '6.06', '12.00', '0.00'])
  expect((await limitRow(me, budget, line, JUNE)).spent).toBe('51.69')
  const path = { id: budget.id, lineId: line.id }
  const { transactions } = await ok(listLineTransactions, { as: me, path, query: { period: JUNE } })
  const ofDays = Map.groupBy(transactions, ({ date }) => date.slice(8))
  const byDay = [...ofDays].map(([day, same]) => [
    ...[day, same.reduce((all, { counted }) => all + Number(counted), 0).toFixed(2)],
    ...new Set(same.map(({ rateDate }) => rateDate)),
  ])
  expect(byDay).toEqual([
    ['21', '-6.06', '2026-06-20'],
    ['18', '0.00', null],
    ['15', '-12.00', null],
    ['12', '-20.82', '2026-06-01'],
    ['10', '-0.02', '2026-06-10'],
    ['03', '-12.79', '2026-06-01'],
  ])
  expect((await periodOf(me, budget, JUNE)).unconverted).toEqual([
    { lineId: line.id, currency: 'BHD', amount: '2.500', from: '2026-06-18', to: '2026-06-18' },
  ])
})

it('counts on the nearest line of an envelope budget, and on all of limits', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const [envelopes, limits] = [
    await newBudget(me, { mode: 'envelope' }),
    await newBudget(me, { mode: 'limit', policy: 'none' }),
  ]
  const food = await newLine(me, envelopes, 'Food')
  const out = await newLine(me, envelopes, 'Out', { parentLineId: food.id })
  const [coffee, groceries, travel] = [
    await newCategory(me),
    await newCategory(me),
    await newCategory(me),
  ]
  for (const [id, parentId] of [
    [out.categoryId, food.categoryId],
    [coffee.id, out.categoryId],
    [groceries.id, food.categoryId],
  ] as const) {
    await ok(updateCategory, { as: me, id, json: { parentId } })
  }
  const limitOf = (name: string, ids: string[]) =>
    ok(createBudgetLine, {
      as: me,
      id: limits.id,
      json: {
        ...{ name, amount: '100.00' },
        scope: ids.length === 0 ? { kind: 'everything' } : { kind: 'category', ids },
      },
    })
  const ofFood = await limitOf('Food', [food.categoryId])
  const ofOut = await limitOf('Out', [out.categoryId])
  const ofAll = await limitOf('All', [])
  for (const [categoryId, amount] of [
    [food.categoryId, '21.50'],
    [groceries.id, '20.00'],
    [out.categoryId, '2.35'],
    [coffee.id, '3.00'],
    [travel.id, '9.99'],
  ] as const) {
    await book(me, account, { date: '2026-06-10', amount, categoryId })
  }
  const shown = []
  for (const [line, limit] of [
    [food, ofFood],
    [out, ofOut],
  ] as const) {
    const row = await envelopeRow(me, envelopes, line, JUNE)
    const { spent } = await limitRow(me, limits, limit, JUNE)
    shown.push([row.activity, row.withBelow.activity, spent])
  }
  expect(shown).toEqual([
    ['-41.50', '-46.85', '46.85'],
    ['-5.35', '-5.35', '5.35'],
  ])
  expect((await periodOf(me, envelopes, JUNE)).outside.uncovered).toBe('-9.99')
  expect((await limitRow(me, limits, ofAll, JUNE)).spent).toBe('56.84')
})

describe('a transfer', () => {
  it.each([
    ['to Depot', '200.00', '1.50', true, '-198.50', '-1.50', '0.00', '-200.00'],
    ['from Depot', '80.00', '2.00', true, '78.00', '0.00', '0.00', '78.00'],
    ['to Depot', '50.00', '0.00', false, '0.00', '0.00', '-50.00', '-50.00'],
    ['to Savings', '100.00', '1.00', false, '0.00', '-1.00', '0.00', '-1.00'],
  ] as const)('%s of %s', async (way, amount, fee, isInvesting, ...expected) => {
    const me = await newUser()
    const place = { openingDate: JUNE, openingBalance: '1000.00' }
    const [everyday, savings] = [await newAccount(me, place), await newAccount(me, place)]
    const depot = await newAccount(me, { ...place, onBudget: false })
    const budget = await newBudget(me, { mode: 'envelope', startsOn: JUNE })
    const investing = await newLine(me, budget, 'Investing')
    const fees = await newLine(me, budget, 'Bank fees')
    const other = way === 'to Savings' ? savings : depot
    const [from, to] = way === 'from Depot' ? [other, everyday] : [everyday, other]
    await ok(createTransfer, {
      as: me,
      json: {
        ...{ fromAccountId: from.id, toAccountId: to.id, date: '2026-06-10', amount },
        ...(isInvesting ? { categoryId: investing.categoryId } : {}),
        ...(fee === '0.00' ? {} : { fees: [{ amount: fee, categoryId: fees.categoryId }] }),
      },
    })
    const { envelope, outside } = await periodOf(me, budget, JUNE)
    const rows = [investing, fees].map(
      ({ id }) => envelope?.lines.find(({ lineId }) => lineId === id)?.available ?? '',
    )
    const all = [envelope?.toBeBudgeted ?? '', ...rows].map(Number).reduce((a, b) => a + b)
    expect([...rows, outside.transfers, (all - 2000).toFixed(2)]).toEqual(expected)
  })
})
