import { expect, it } from 'vitest'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { listBudgetLines } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { assignTo, envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const [MAY, JUNE] = ['2026-05-01', '2026-06-01']

const newCard = (me: TestUser, name: string, openingBalance = '0.00') =>
  newAccount(me, {
    ...{ name, type: 'creditCard', creditLimit: '5000.00' },
    ...{ openingBalance, openingDate: MAY },
  })

async function paymentLineOf(me: TestUser, budget: { id: string }, card: { id: string }) {
  const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
  const line = lines.find(({ accountId }) => accountId === card.id)
  if (!line) {
    throw new Error(`there is no payment line of ${card.id}`)
  }
  return line
}

it('puts money aside for one card over two months', async () => {
  const me = await newUser()
  const everyday = await newAccount(me, { openingBalance: '2000.00', openingDate: MAY })
  const visa = await newCard(me, 'Visa', '-150.00')
  const budget = await newBudget(me, { mode: 'envelope', startsOn: MAY })
  const [food, fun, clothes] = [
    await newLine(me, budget, 'Food'),
    await newLine(me, budget, 'Fun'),
    await newLine(me, budget, 'Clothes'),
  ]
  const payment = await paymentLineOf(me, budget, visa)
  const spend = (
    account: { id: string },
    date: string,
    amount: string,
    line: { categoryId: string },
  ) => book(me, account, { date, amount, categoryId: line.categoryId })
  const pay = (date: string, amount: string) =>
    ok(createTransfer, {
      as: me,
      json: { fromAccountId: everyday.id, toAccountId: visa.id, date, amount },
    })
  await spend(everyday, '2026-05-04', '50.00', food)
  await spend(visa, '2026-05-09', '380.00', food)
  await spend(everyday, '2026-05-10', '120.00', fun)
  await spend(visa, '2026-05-11', '60.00', clothes)
  await pay('2026-05-20', '200.00')
  await spend(visa, '2026-06-04', '150.00', food)
  await spend(everyday, '2026-06-09', '30.00', fun)
  await book(me, visa, {
    ...{ kind: 'income', date: '2026-06-12', amount: '60.00', categoryId: clothes.categoryId },
  })
  await pay('2026-06-20', '250.00')
  for (const [line, month, amount] of [
    [food, MAY, '300.00'],
    [fun, MAY, '100.00'],
    [clothes, MAY, '80.00'],
    [food, JUNE, '300.00'],
    [fun, JUNE, '100.00'],
    [payment, JUNE, '130.00'],
  ] as const) {
    await assignTo(me, budget, line, month, amount)
  }
  const shown = []
  for (const [month, line] of [MAY, JUNE].flatMap((one) =>
    [food, fun, clothes].map((line) => [one, line] as const),
  )) {
    const row = await envelopeRow(me, budget, line, month)
    shown.push([
      ...[row.name, row.carriedIn, row.assigned, row.activity, row.available],
      ...[row.cashOverspent, row.creditOverspent],
    ])
  }
  expect(shown).toEqual([
    ['Food', '0.00', '300.00', '-430.00', '-130.00', '0.00', '130.00'],
    ['Fun', '0.00', '100.00', '-120.00', '-20.00', '20.00', '0.00'],
    ['Clothes', '0.00', '80.00', '-60.00', '20.00', '0.00', '0.00'],
    ['Food', '0.00', '300.00', '-150.00', '150.00', '0.00', '0.00'],
    ['Fun', '0.00', '100.00', '-30.00', '70.00', '0.00', '0.00'],
    ['Clothes', '20.00', '0.00', '60.00', '80.00', '0.00', '0.00'],
  ])
  const ofCard = []
  for (const month of [MAY, JUNE]) {
    const row = await envelopeRow(me, budget, payment, month)
    const { envelope } = await periodOf(me, budget, month)
    const cash = [
      Number(envelope?.toBeBudgeted),
      ...(envelope?.lines.flatMap((one) => [Number(one.available), Number(one.creditOverspent)]) ??
        []),
    ].reduce((all, one) => all + one)
    ofCard.push([
      ...[row.carriedIn, row.assigned, row.moved, row.payments, row.available],
      ...[row.owed, row.debt, envelope?.toBeBudgeted, cash.toFixed(2)],
    ])
  }
  expect(ofCard).toEqual([
    ['0.00', '0.00', '310.00', '200.00', '110.00', '390.00', '280.00', '1520.00', '1630.00'],
    ['110.00', '130.00', '90.00', '250.00', '80.00', '230.00', '150.00', '970.00', '1350.00'],
  ])
})

it.each([
  [
    'both spend, all covered',
    '300.00',
    '0',
    '-120.00',
    '-80.00',
    '100.00',
    '120.00',
    '80.00',
    '0.00',
    '0.00',
  ],
  [
    'both spend, short',
    '100.00',
    '0',
    '-120.00',
    '-80.00',
    '-100.00',
    '60.00',
    '40.00',
    '100.00',
    '0.00',
  ],
  ['odd cent', '100.00', '0', '-66.67', '-66.66', '-33.33', '50.00', '50.00', '33.33', '0.00'],
  [
    'refund on B covers A',
    '50.00',
    '0',
    '-120.00',
    '40.00',
    '-30.00',
    '90.00',
    '-40.00',
    '30.00',
    '0.00',
  ],
  [
    'cash overspent first',
    '50.00',
    '-90.00',
    '-30.00',
    '0',
    '-70.00',
    '0.00',
    '0.00',
    '30.00',
    '40.00',
  ],
  ['only a refund', '0', '0', '0', '25.00', '25.00', '0.00', '-25.00', '0.00', '0.00'],
] as const)('shares out what a line covers: %s', async (_, base, cash, onA, onB, ...expected) => {
  const me = await newUser()
  const everyday = await newAccount(me, { openingBalance: '1000.00', openingDate: MAY })
  const [a, b] = [await newCard(me, 'A'), await newCard(me, 'B')]
  const budget = await newBudget(me, { mode: 'envelope', startsOn: MAY })
  const food = await newLine(me, budget, 'Food')
  for (const [account, amount] of [
    [everyday, cash],
    [a, onA],
    [b, onB],
  ] as const) {
    if (amount !== '0') {
      await book(me, account, {
        kind: amount.startsWith('-') ? 'expense' : 'income',
        ...{ date: '2026-05-09', amount: amount.replace('-', ''), categoryId: food.categoryId },
      })
    }
  }
  await assignTo(me, budget, food, MAY, base)
  const { available, creditOverspent, cashOverspent } = await envelopeRow(me, budget, food, MAY)
  const moved = []
  for (const card of [a, b]) {
    moved.push((await envelopeRow(me, budget, await paymentLineOf(me, budget, card), MAY)).moved)
  }
  expect([available, ...moved, creditOverspent, cashOverspent]).toEqual(expected)
})
