import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { holdMoney } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { assignTo, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

type Envelope = NonNullable<Awaited<ReturnType<typeof periodOf>>['envelope']>
type Row = Envelope['lines'][number]

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04']

async function envelopeOf(me: TestUser, budget: { id: string }, month: string): Promise<Envelope> {
  const { envelope } = await periodOf(me, budget, `${month}-01`)
  if (!envelope) {
    throw new Error('this is no envelope budget')
  }
  return envelope
}

function rowOf({ lines }: Envelope, { id }: { id: string }): Row {
  const row = lines.find(({ lineId }) => lineId === id)
  if (!row) {
    throw new Error(`there is no row of ${id}`)
  }
  return row
}

/** The cells of a table. */
const cells = (markdown: string) =>
  markdown
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const income = (
  me: TestUser,
  account: { id: string },
  date: string,
  amount: string,
  categoryId?: string,
) => book(me, account, { kind: 'income', date, amount, ...(categoryId ? { categoryId } : {}) })

/** All that the budget has, in minor units: the identity. */
const identity = ({ lines, toBeBudgeted, held, deferred }: Envelope) =>
  [toBeBudgeted, held, deferred, ...lines.flatMap((row) => [row.available, row.creditOverspent])]
    .map((text) => Math.round(Number(text) * 100))
    .reduce((all, minor) => all + minor, 0)

async function fourMonths(policy: 'none' | 'surplus' | 'deficit' | 'both') {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '500.00', openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const food = await newLine(me, budget, 'Food', { policy })
  const rent = await newLine(me, budget, 'Rent')
  for (const [at, spent] of ['350.00', '480.00', '390.00', '400.00'].entries()) {
    const month = MONTHS[at] ?? ''
    await income(me, account, `${month}-01`, '1800.00')
    await book(me, account, {
      ...{ date: `${month}-03`, amount: '1200.00', categoryId: rent.categoryId },
    })
    await book(me, account, {
      ...{ date: `${month}-28`, amount: spent, categoryId: food.categoryId },
    })
    await assignTo(me, budget, food, `${month}-01`, '400.00')
    await assignTo(me, budget, rent, `${month}-01`, '1200.00')
  }
  const table = async () => {
    const shown = []
    for (const month of MONTHS) {
      const envelope = await envelopeOf(me, budget, month)
      const { carriedIn, assigned, activity, available } = rowOf(envelope, food)
      const { released, toBeBudgeted } = envelope
      const all = (identity(envelope) / 100).toFixed(2)
      shown.push([month, carriedIn, assigned, activity, available, released, toBeBudgeted, all])
    }
    return shown
  }
  return { me, account, food, table }
}

describe('four policies over four months', () => {
  it.each([
    [
      'surplus',
      `| 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
       | 2026-02 | 50.00 | 400.00 | -480.00 | -30.00 | 0.00 | 900.00 | 870.00 |
       | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -30.00 | 1070.00 | 1080.00 |
       | 2026-04 | 10.00 | 400.00 | -400.00 | 10.00 | 0.00 | 1270.00 | 1280.00 |`,
    ],
    [
      'both',
      `| 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
       | 2026-02 | 50.00 | 400.00 | -480.00 | -30.00 | 0.00 | 900.00 | 870.00 |
       | 2026-03 | -30.00 | 400.00 | -390.00 | -20.00 | 0.00 | 1100.00 | 1080.00 |
       | 2026-04 | -20.00 | 400.00 | -400.00 | -20.00 | 0.00 | 1300.00 | 1280.00 |`,
    ],
    [
      'none',
      `| 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
       | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | 50.00 | 950.00 | 870.00 |
       | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -80.00 | 1070.00 | 1080.00 |
       | 2026-04 | 0.00 | 400.00 | -400.00 | 0.00 | 10.00 | 1280.00 | 1280.00 |`,
    ],
    [
      'deficit',
      `| 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
       | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | 50.00 | 950.00 | 870.00 |
       | 2026-03 | -80.00 | 400.00 | -390.00 | -70.00 | 0.00 | 1150.00 | 1080.00 |
       | 2026-04 | -70.00 | 400.00 | -400.00 | -70.00 | 0.00 | 1350.00 | 1280.00 |`,
    ],
  ] as const)('%s', async (policy, markdown) => {
    const { table } = await fourMonths(policy)
    expect(await table()).toEqual(cells(markdown))
  })

  it('are right at once after a back-dated edit', async () => {
    const { me, account, food, table } = await fourMonths('surplus')
    await book(me, account, {
      ...{ date: '2026-01-20', amount: '75.00', categoryId: food.categoryId },
    })
    expect((await table()).map((row) => row.slice(0, -1))).toEqual(
      cells(`| 2026-01 | 0.00 | 400.00 | -425.00 | -25.00 | 0.00 | 700.00 |
             | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | -25.00 | 875.00 |
             | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -80.00 | 995.00 |
             | 2026-04 | 10.00 | 400.00 | -400.00 | 10.00 | 0.00 | 1195.00 |`),
    )
  })
})

it('holds money, defers income, and tells what was assigned ahead', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '1000.00', openingDate: '2026-01-01' })
  const salary = await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } })
  const budget = await newBudget(me, { mode: 'envelope', incomeInNextPeriod: [salary.id] })
  const life = await newLine(me, budget, 'Life', { policy: 'both' })
  await income(me, account, '2026-01-10', '200.00')
  await income(me, account, '2026-03-10', '50.00')
  for (const [at, month] of ['2026-01', '2026-02'].entries()) {
    await income(me, account, `${month}-28`, '1800.00', salary.id)
    await book(me, account, {
      ...{ date: `${month}-05`, amount: ['980.00', '1010.00'][at] ?? '' },
      categoryId: life.categoryId,
    })
  }
  for (const [month, assigned] of [
    ['2026-01', '1000.00'],
    ['2026-02', '1000.00'],
    ['2026-03', '3150.00'],
  ] as const) {
    await assignTo(me, budget, life, `${month}-01`, assigned)
  }
  const path = { id: budget.id, period: '2026-01-01' }
  await ok(holdMoney, { as: me, path, json: { amount: '150.00' } })
  const shown = []
  for (const month of MONTHS.slice(0, 3)) {
    const one = await envelopeOf(me, budget, month)
    shown.push([
      ...[month, one.fromBefore, one.opening, one.income, one.released, one.assigned, one.held],
      ...[one.toBeBudgeted, one.deferred, one.assignedAhead, one.free],
      (identity(one) / 100).toFixed(2),
    ])
  }
  expect(shown).toEqual(
    cells(`
    | 2026-01 | 0.00 | 1000.00 | 200.00 | 0.00 | 1000.00 | 150.00 | 50.00 | 1800.00 | 4150.00 | -300.00 | 2020.00 |
    | 2026-02 | 2000.00 | 0.00 | 0.00 | 0.00 | 1000.00 | 0.00 | 1000.00 | 1800.00 | 3150.00 | -300.00 | 2810.00 |
    | 2026-03 | 2800.00 | 0.00 | 50.00 | 0.00 | 3150.00 | 0.00 | -300.00 | 0.00 | 0.00 | -300.00 | 2860.00 |`),
  )
})

it('converts a dollar account, and names what rates did to it', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  for (const [date, rate] of [
    ['2026-05-01', '0.85'],
    ['2026-06-30', '0.875'],
    ['2026-07-31', '0.9'],
  ] as const) {
    await ok(createExchangeRate, { as: me, json: { from: 'USD', to: 'EUR', date, rate } })
  }
  const everyday = await newAccount(me, { openingBalance: '1000.00', openingDate: '2026-05-31' })
  const dollars = await newAccount(me, {
    ...{ currency: 'USD', openingBalance: '400.00', openingDate: '2026-05-31' },
  })
  const budget = await newBudget(me, { mode: 'envelope', startsOn: '2026-06-01' })
  const food = await newLine(me, budget, 'Food')
  await assignTo(me, budget, food, '2026-06-01', '200.00')
  await book(me, dollars, { date: '2026-06-15', amount: '100.00', categoryId: food.categoryId })
  await ok(createTransfer, {
    as: me,
    json: {
      ...{ fromAccountId: everyday.id, toAccountId: dollars.id, date: '2026-07-10' },
      ...{ amount: '90.00', toAmount: '102.00' },
    },
  })
  const shown = []
  for (const month of ['2026-06', '2026-07']) {
    const one = await envelopeOf(me, budget, month)
    const { activity, available } = rowOf(one, food)
    const all = (identity(one) / 100).toFixed(2)
    shown.push([month, activity, one.exchangeDifference, available, one.toBeBudgeted, all])
  }
  expect(shown).toEqual(
    cells(`| 2026-06 | -85.00 | 7.50 | 115.00 | 1147.50 | 1262.50 |
           | 2026-07 | 0.00 | 9.30 | 115.00 | 1156.80 | 1271.80 |`),
  )
})
