import { expect, it } from 'vitest'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { limitRow, newBudget, newLine } from './budgets.fixtures.ts'

it('counts a refund in the month in which it was booked', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2025-12-01' })
  const budget = await newBudget(me, { mode: 'limit' })
  const line = await newLine(me, budget, 'Clothes', { amount: '120.00', policy: 'surplus' })
  for (const [date, amount, kind] of [
    ['2026-01-15', '100.00', 'expense'],
    ['2026-02-03', '30.00', 'income'],
    ['2026-02-15', '20.00', 'expense'],
    ['2026-03-15', '50.00', 'expense'],
  ] as const) {
    await book(me, account, { kind, date, amount, categoryId: line.categoryId })
  }
  const shown = []
  for (const month of ['2026-01-01', '2026-02-01', '2026-03-01']) {
    const row = await limitRow(me, budget, line, month)
    shown.push([row.carriedIn, row.amount, row.spent, row.remaining, row.percent])
  }
  expect(shown).toEqual([
    ['0.00', '120.00', '100.00', '20.00', 83],
    ['20.00', '120.00', '-10.00', '150.00', 0],
    ['150.00', '120.00', '50.00', '220.00', 18],
  ])
  expect((await limitRow(me, budget, line, '2026-04-01')).carriedIn).toBe('220.00')
})

it('carries through weeks across the year end', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-12-01' })
  const budget = await newBudget(me, {
    mode: 'limit',
    period: { unit: 'week', count: 1, anchor: '2026-12-14' },
    startsOn: '2026-12-14',
  })
  const line = await newLine(me, budget, 'Food', { amount: '50.00', policy: 'both', cap: '30.00' })
  // The first and the last day of the week that has days of both years.
  for (const [date, amount] of [
    ['2026-12-20', '40.00'],
    ['2026-12-21', '65.00'],
    ['2026-12-28', '25.00'],
    ['2027-01-03', '30.00'],
    ['2027-01-04', '20.00'],
    ['2027-01-17', '15.00'],
  ] as const) {
    await book(me, account, { date, amount, categoryId: line.categoryId })
  }
  const shown = []
  for (const week of ['2026-12-14', '2026-12-21', '2026-12-28', '2027-01-04', '2027-01-11']) {
    const row = await limitRow(me, budget, line, week)
    shown.push([row.carriedIn, row.amount, row.total, row.spent, row.remaining])
  }
  expect(shown).toEqual([
    ['0.00', '50.00', '50.00', '40.00', '10.00'],
    ['10.00', '50.00', '60.00', '65.00', '-5.00'],
    ['-5.00', '50.00', '45.00', '55.00', '-10.00'],
    ['-10.00', '50.00', '40.00', '20.00', '20.00'],
    ['20.00', '50.00', '70.00', '15.00', '55.00'],
  ])
  expect((await limitRow(me, budget, line, '2027-01-18')).carriedIn).toBe('30.00')
})
