import { expect, it } from 'vitest'
import {
  getBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { limitRow, newBudget, newLine } from './budgets.fixtures.ts'

const MONTHS = ['01', '02', '03', '04', '05', '06'].map((month) => `2026-${month}-01`)

/** A limit of 100.00 that nothing is spent on. */
async function newLimit() {
  const me = await newUser()
  await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'limit' })
  const line = await newLine(me, budget, 'Food', { amount: '100.00', policy: 'none' })
  const path = { id: budget.id, lineId: line.id }
  return {
    change: (json: { amount?: string; policy?: 'both' | 'none'; from: string }) =>
      ok(updateBudgetLine, { as: me, path, json }),
    amountNow: async () => (await ok(getBudgetLine, { as: me, path })).amount,
    /** Carried in and amount, by month. */
    rows: () =>
      Promise.all(
        MONTHS.map(async (month) => {
          const { carriedIn, amount } = await limitRow(me, budget, line, month)
          return `${carriedIn} ${amount}`
        }),
      ),
  }
}

const [, FEBRUARY = '', MARCH = '', APRIL = '', MAY = ''] = MONTHS

it('holds from the period that is named, until the same was changed later', async () => {
  const { change, rows, amountNow } = await newLimit()
  await change({ amount: '300.00', from: MAY })
  await change({ amount: '200.00', from: FEBRUARY })
  const amounts = ['100.00', '200.00', '200.00', '200.00', '300.00', '300.00']
  expect(await rows()).toEqual(amounts.map((amount) => `0.00 ${amount}`))
  expect(await amountNow()).toBe('300.00')
})

it('changes nothing else, neither then nor later', async () => {
  const { change, rows } = await newLimit()
  await change({ amount: '300.00', from: APRIL })
  await change({ policy: 'both', from: MARCH })
  expect(await rows()).toEqual([
    ...['0.00 100.00', '0.00 100.00', '0.00 100.00'],
    ...['100.00 300.00', '400.00 300.00', '700.00 300.00'],
  ])
  await change({ policy: 'none', from: MAY })
  expect((await rows()).slice(-2)).toEqual(['400.00 300.00', '0.00 300.00'])
})

it('can begin earlier than what holds now', async () => {
  const { change, rows } = await newLimit()
  await change({ amount: '300.00', from: MAY })
  await change({ amount: '300.00', from: MARCH })
  const amounts = ['100.00', '100.00', '300.00', '300.00', '300.00', '300.00']
  expect(await rows()).toEqual(amounts.map((amount) => `0.00 ${amount}`))
})
