import { expect, it } from 'vitest'
import document from '../../../docs/guides/budgets.md?raw'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { assignMoney } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { listBudgetLines } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { setLineTarget } from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { tablesBelow } from '../../support/documents.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import {
  assignTo,
  envelopeRow,
  limitRow,
  newBudget,
  newLine,
  periodOf,
} from './budgets.fixtures.ts'

// What is expected was worked by hand, in docs/guides/budgets.md.

const table = (heading: string) => tablesBelow(document, heading)[0] ?? []

type Line = Awaited<ReturnType<typeof newLine>>

it('puts money aside for the card of the guide, step by step', async () => {
  const me = await newUser()
  const opened = { openingDate: '2026-01-01' }
  const cash = await newAccount(me, { ...opened, openingBalance: '550.00' })
  const visa = await newAccount(me, {
    ...{ ...opened, type: 'creditCard', creditLimit: '500.00', openingBalance: '-150.00' },
  })
  const budget = await newBudget(me, { mode: 'envelope' })
  const food = await newLine(me, budget, 'Food')
  const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
  const payment = lines.find(({ kind }) => kind === 'cardPayment') ?? { id: '' }
  const march = '2026-03-01'
  const spend = (amount: string) =>
    book(me, visa, { amount, date: '2026-03-05', categoryId: food.categoryId })
  const steps = [
    () => assignTo(me, budget, food, march, '60'),
    () => spend('40'),
    () => spend('50'),
    () =>
      ok(createTransfer, {
        as: me,
        json: {
          ...{ fromAccountId: cash.id, toAccountId: visa.id },
          ...{ date: '2026-03-20', amount: '100' },
        },
      }),
    () => assignTo(me, budget, payment, march, '150'),
    () => undefined,
  ]
  const found = []
  for (const [at, step] of steps.entries()) {
    await step()
    const period = at === 5 ? '2026-04-01' : march
    const row = await envelopeRow(me, budget, payment, period)
    const { envelope } = await periodOf(me, budget, period)
    found.push([
      (await envelopeRow(me, budget, food, period)).available,
      ...[row.available, row.owed, row.debt, envelope?.toBeBudgeted],
    ])
  }
  expect(found).toEqual(table('Cards').map(([, ...cells]) => cells))
})

/** A line with 20.00 carried into November, and 350.00, 200.00 and 90.00 spent from August to October. */
async function november(me: Principal) {
  const account = await newAccount(me, { openingBalance: '5000.00', openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const line: Line = await newLine(me, budget, 'Food')
  for (const [month, assigned, spent] of [
    ['2026-08', '350', '350'],
    ['2026-09', '200', '200'],
    ['2026-10', '110', '90'],
  ] as const) {
    await assignTo(me, budget, line, `${month}-01`, assigned)
    await book(me, account, {
      ...{ amount: spent, date: `${month}-05`, categoryId: line.categoryId },
    })
  }
  await book(me, account, { kind: 'income', amount: '1800', date: '2026-11-02' })
  return { budget, line }
}

it('needs for the targets of the guide what it says', async () => {
  const me = await newUser()
  const { budget, line } = await november(me)
  const byDate = { type: 'byDate', amount: '100', date: '2027-02-15' } as const
  const found = []
  for (const [target, period] of [
    [{ type: 'amount', amount: '100' }, '2026-11-01'],
    [{ type: 'refill', amount: '100' }, '2026-11-01'],
    [{ type: 'balance', amount: '100' }, '2026-11-01'],
    [byDate, '2026-11-01'],
    [byDate, '2026-12-01'],
    [{ type: 'percentOfIncome', percent: '7.5' }, '2026-11-01'],
    [{ type: 'average', periods: 3 }, '2026-11-01'],
  ] as const) {
    await ok(setLineTarget, {
      ...{ as: me, path: { id: budget.id, lineId: line.id }, json: target },
    })
    found.push((await envelopeRow(me, budget, line, period)).needed)
  }
  expect(found).toEqual(table('Targets and methods').map((cells) => cells.at(-1)))
  const { items } = await ok(assignMoney, {
    ...{ as: me, path: { id: budget.id, period: '2026-11-01' } },
    json: { method: 'averageSpent', periods: 3, dryRun: true },
  })
  expect(items.map(({ after }) => after)).toEqual(['213.33'])
})

it('carries the limit of the guide over four months', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'limit' })
  const line = await newLine(me, budget, 'Fun', { amount: '100', cap: '50' })
  const found = []
  for (const [at, amount] of ['60', '70', '230', '90'].entries()) {
    await book(me, account, {
      ...{ amount, date: `2026-0${at + 1}-05`, categoryId: line.categoryId },
    })
    const row = await limitRow(me, budget, line, `2026-0${at + 1}-01`)
    found.push([row.carriedIn, row.total, row.spent, row.remaining])
  }
  expect(found).toEqual(table('Limits').map(([, ...cells]) => cells))
})
