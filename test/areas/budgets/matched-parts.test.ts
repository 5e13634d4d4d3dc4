import { expect, it } from 'vitest'
import { closeBudgetPeriod } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book } from '../transactions/booking.ts'
import { matched, unmatch } from '../transactions/matched-parts.fixtures.ts'
import { envelopeRow, newBudget, newLine } from './budgets.fixtures.ts'

const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'] as const

/** A part with a category in January, and what the bank of an account outside says of it in February. */
async function newBooks() {
  const me = await newUser()
  const everyday = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const savings = await newAccount(me, { onBudget: false })
  const budget = await newBudget(me, { mode: 'envelope' })
  const cash = await newLine(me, budget, 'Cash')
  const whole = await book(me, everyday, {
    ...{ date: '2026-01-20', amount: '37' },
    splits: [{ amount: '7' }, { amount: '30', categoryId: cash.categoryId }],
  })
  const row = await book(me, savings, { kind: 'income', amount: '30', date: '2026-02-02' })
  const shown = async () => {
    const months = [JANUARY, FEBRUARY, MARCH]
    const found = await Promise.all(months.map((month) => envelopeRow(me, budget, cash, month)))
    return found.map((one) => [one?.activity, one?.lateActivity])
  }
  const close = (period: string) =>
    ok(closeBudgetPeriod, { as: me, path: { id: budget.id, period } })
  return { me, whole, part: whole.splits[1], row, shown, close }
}

const NOTHING = ['0.00', '0.00']

it('counts the same over the edge of a budget as before it was matched', async () => {
  const { me, whole, part, row, shown } = await newBooks()
  const before = await shown()
  expect(before).toEqual([['-30.00', '0.00'], NOTHING, NOTHING])
  await matched(me, whole, part, row)
  expect(await shown()).toEqual(before)
  await unmatch(me, whole, part)
  expect(await shown()).toEqual(before)
  expect(await differencesOf(me)).toEqual([])
})

it('leaves what a closed period says, and says the difference late', async () => {
  const { me, whole, part, row, shown, close } = await newBooks()
  const onBudget = await newAccount(me)
  const other = await book(me, onBudget, { kind: 'income', amount: '30', date: '2026-02-02' })
  await close(JANUARY)
  await close(FEBRUARY)
  const closed = await shown()
  // Between two accounts inside it is no spending any more.
  await matched(me, whole, part, other)
  expect(await shown()).toEqual([...closed.slice(0, 2), ['30.00', '30.00']])
  await unmatch(me, whole, part)
  expect(await shown()).toEqual(closed)
  await matched(me, whole, part, row)
  expect(await shown()).toEqual(closed)
  expect(await differencesOf(me)).toEqual([])
})
