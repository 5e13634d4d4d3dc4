import { expect, it } from 'vitest'
import { type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { makeAt } from './checkpoint.fixtures.ts'
import { assign } from './decided.fixtures.ts'

/** An envelope budget since 2025 with something in it each month. */
async function longBudget() {
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR', openingDate: '2024-12-01' })
  const budget = await newBudget(me, { mode: 'envelope', startsOn: '2025-01-01' })
  const line = await newLine(me, budget, 'Food')
  const spend = (amount: string, date: string) =>
    book(me, account, { kind: 'expense', amount, date, categoryId: line.categoryId })
  for (const date of ['2025-01-03', '2025-06-03', '2025-12-31', '2026-01-01', '2026-07-03']) {
    await spend('7', date)
    await assign(budget, line, `${date.slice(0, 7)}-01`, 500)
  }
  return { me, account, budget, line, spend }
}

const stored = async ({ id }: { id: string }) =>
  (
    await rows<{ period: string }>(
      'SELECT period FROM budget_checkpoints WHERE budget_id = ? ORDER BY period',
      id,
    )
  ).map(({ period }) => period)

const current = (me: Principal, budget: { id: string }) => periodOf(me, budget, '2026-11-01')

it('stores one for the period three before the current one, and one in twelve before it', async () => {
  const { me, budget } = await longBudget()
  const without = await current(me, budget)
  await makeAt(budget)
  expect(await stored(budget)).toEqual(['2025-12-01', '2026-08-01'])
  expect(await current(me, budget)).toEqual(without)
  // That reads do use it shows when it says something else.
  await rows(
    "UPDATE budget_checkpoints SET image = json_set(image, '$.after.pool', 123) WHERE budget_id = ?",
    budget.id,
  )
  const other = await current(me, budget)
  expect(other.envelope?.toBeBudgeted).not.toBe(without.envelope?.toBeBudgeted)
})

it('loses those that a back-dated booking changes, and makes them anew', async () => {
  const { me, budget, spend } = await longBudget()
  await makeAt(budget)
  await spend('1', '2026-02-02')
  expect(await stored(budget)).toEqual(['2025-12-01'])
  const without = await current(me, budget)
  await makeAt(budget)
  expect(await stored(budget)).toEqual(['2025-12-01', '2026-08-01'])
  expect(await current(me, budget)).toEqual(without)
})

it('stores nothing stale when something is booked between its reading and its commit', async () => {
  for (const at of [2, 3, 4]) {
    const { me, budget, spend } = await longBudget()
    await makeAt(budget, (trip) => (trip === at ? spend('1', '2026-02-02') : Promise.resolve()))
    const found = await current(me, budget)
    // At the first trip nothing is claimed yet, so the booking is in what is read.
    expect(await stored(budget), `trip ${at}`).toEqual(
      at === 2 ? ['2025-12-01', '2026-08-01'] : ['2025-12-01'],
    )
    await rows('DELETE FROM budget_checkpoints WHERE budget_id = ?', budget.id)
    expect(await current(me, budget)).toEqual(found)
  }
})

it('does not use one whose accounts are not those inside, and drops it', async () => {
  const { me, account, budget } = await longBudget()
  await makeAt(budget)
  await rows('UPDATE accounts SET on_budget = 0 WHERE id = ?', account.id)
  const found = await current(me, budget)
  expect(found.envelope?.toBeBudgeted).toBe('-25.00')
  await makeAt(budget)
  await rows('UPDATE accounts SET on_budget = 1 WHERE id = ?', account.id)
  const again = await current(me, budget)
  await rows('DELETE FROM budget_checkpoints WHERE budget_id = ?', budget.id)
  expect(await current(me, budget)).toEqual(again)
})
