import { expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { listLineTransactions } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine } from './budgets.fixtures.ts'

const PERIOD = '2026-03-01'

/** Cash back with a category on the part, and a budget of which the wallet is outside. */
async function newBooks() {
  const me = await newUser()
  const everyday = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const wallet = await newAccount(me, { type: 'cash', onBudget: false })
  return { me, everyday, wallet }
}

it('crosses the edge of a budget where its other account is outside, on its own line', async () => {
  const { me, everyday, wallet } = await newBooks()
  const budget = await newBudget(me, { mode: 'envelope' })
  const [cash, food] = [await newLine(me, budget, 'Cash'), await newLine(me, budget, 'Food')]
  const all = await newBudget(me, {
    mode: 'envelope',
    accounts: 'chosen',
    accountIds: [everyday.id, wallet.id],
  })
  const scope = { kind: 'category' as const, ids: [cash.categoryId] }
  const inside = await ok(createBudgetLine, { as: me, id: all.id, json: { name: 'Cash', scope } })
  const whole = await book(me, everyday, {
    ...{ date: '2026-03-05', amount: '37', description: 'Shop' },
    splits: [
      { amount: '7', categoryId: food.categoryId },
      { amount: '30', transferAccountId: wallet.id, categoryId: cash.categoryId, note: 'Till' },
    ],
  })
  expect(await envelopeRow(me, budget, cash, PERIOD)).toMatchObject({ activity: '-30.00' })
  expect(await envelopeRow(me, budget, food, PERIOD)).toMatchObject({ activity: '-7.00' })
  expect(await envelopeRow(me, all, inside, PERIOD)).toMatchObject({ activity: '0.00' })
  const path = { id: budget.id, lineId: cash.id }
  const { transactions } = await ok(listLineTransactions, {
    as: me,
    path,
    query: { period: PERIOD },
  })
  expect(transactions).toMatchObject([
    {
      ...{
        transactionId: whole.id,
        splitId: whole.splits[1]?.id,
        kind: 'expense',
        amount: '-30.00',
      },
      ...{
        description: 'Shop',
        categoryId: cash.categoryId,
        payeeId: null,
        accountId: everyday.id,
      },
    },
  ])
})

it('comes in over the edge where the account of the whole is outside', async () => {
  const { me, everyday, wallet } = await newBooks()
  const budget = await newBudget(me, {
    mode: 'envelope',
    accounts: 'chosen',
    accountIds: [wallet.id],
  })
  const cash = await newLine(me, budget, 'Cash')
  const whole = await book(me, everyday, {
    ...{ date: '2026-03-05', amount: '37', description: 'Shop' },
    splits: [
      { amount: '7' },
      { amount: '10', transferAccountId: wallet.id, categoryId: cash.categoryId },
      { amount: '20', transferAccountId: wallet.id, categoryId: cash.categoryId },
    ],
  })
  expect(await envelopeRow(me, budget, cash, PERIOD)).toMatchObject({ activity: '30.00' })
  const path = { id: budget.id, lineId: cash.id }
  const { transactions } = await ok(listLineTransactions, {
    as: me,
    path,
    query: { period: PERIOD },
  })
  expect(
    transactions.map(({ transactionId, splitId, kind, amount }) => [
      transactionId,
      splitId,
      kind,
      amount,
    ]),
  ).toEqual([
    [`${whole.id}-7`, null, 'transfer', '20.00'],
    [`${whole.id}-5`, null, 'transfer', '10.00'],
  ])
})

it('counts by its tags, and by no payee', async () => {
  const { me, everyday, wallet } = await newBooks()
  const tag = await ok(createTag, { as: me, json: { name: 'Tag' } })
  const budget = await newBudget(me, { mode: 'limit', countTransfers: true })
  const line = await ok(createBudgetLine, {
    ...{ as: me, id: budget.id },
    json: { name: 'Tagged', scope: { kind: 'tag', ids: [tag.id] }, amount: '100' },
  })
  const category = await newCategory(me)
  await book(me, everyday, {
    ...{ date: '2026-03-05', amount: '37' },
    splits: [
      { amount: '7', categoryId: category.id },
      { amount: '30', transferAccountId: wallet.id, tagIds: [tag.id] },
    ],
  })
  expect(await limitRow(me, budget, line, PERIOD)).toMatchObject({ spent: '30.00' })
})
