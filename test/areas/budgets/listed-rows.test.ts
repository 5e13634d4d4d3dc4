import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  closeBudgetPeriod,
  listLineTransactions,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { listBudgetLines } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { periodTables } from '../../../src/areas/planning/budgets/rows/asked-lines.queries.ts'
import { periodOf as periodOfDay } from '../../../src/domain/budgets/periods.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { read } from '../../../src/platform/database/database.ts'
import { db, prepared } from '../../../src/platform/database/statements.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { randomFrom } from '../../support/random.ts'
import { book, refusal } from '../transactions/booking.ts'
import { assignTo, envelopeRow, newBudget, newLine } from './budgets.fixtures.ts'

const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'] as const

type What = 'activity' | 'late' | 'moved'

const rowsOf = (as: Principal, path: { id: string; lineId: string }, period: string, what: What) =>
  call(listLineTransactions, { as, path, query: { period, what } })

/** What rows count, newest first. */
async function countedOf(...wanted: Parameters<typeof rowsOf>) {
  const { body } = await rowsOf(...wanted)
  expect(body.count).toBe(body.transactions.length)
  return body.transactions.map(({ date, counted }) => [date, counted])
}

it('lists what came late in the first open period, by what was booked or changed after the closing', async () => {
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const food = await newLine(me, budget, 'Food')
  const spend = (date: string, amount: string) =>
    book(me, account, { date, amount, categoryId: food.categoryId })
  const [kept, changed] = [await spend('2026-01-10', '10'), await spend('2026-01-11', '20')]
  const gone = await spend('2026-02-12', '30')
  await spend('2026-03-13', '40')
  for (const period of [JANUARY, FEBRUARY]) {
    await ok(closeBudgetPeriod, { as: me, path: { id: budget.id, period } })
  }
  await spend('2026-01-14', '5')
  await ok(updateTransaction, { as: me, id: changed.id, json: { amount: '21.00' } })
  await ok(deleteTransaction, { as: me, id: gone.id })

  const path = { id: budget.id, lineId: food.id }
  expect(await countedOf(me, path, MARCH, 'late')).toEqual([
    ['2026-01-14', '-5.00'],
    ['2026-01-11', '-21.00'],
  ])
  // 5.00 are new, 1.00 more is spent in one, and 30.00 were deleted, which no row shows.
  expect(await envelopeRow(me, budget, food, MARCH)).toMatchObject({ lateActivity: '24.00' })
  expect(await countedOf(me, path, MARCH, 'activity')).toEqual([['2026-03-13', '-40.00']])
  expect(await countedOf(me, path, FEBRUARY, 'late')).toEqual([])
  expect(await countedOf(me, path, JANUARY, 'activity')).toContainEqual([kept.date, '-10.00'])

  const limits = await newBudget(me, { mode: 'limit' })
  const limit = await newLine(me, limits, 'Fun')
  const wrong = await rowsOf(me, { id: limits.id, lineId: limit.id }, MARCH, 'late')
  expect(refusal(wrong)).toEqual([409, 'budgets.wrongMode', 'what'])
})

it('lists what moves money onto the payment line of a card, with what lines did not have', async () => {
  const me = await newUser()
  const everyday = await newAccount(me, { currency: 'EUR', openingBalance: '500' })
  const visa = await newAccount(me, { type: 'creditCard', currency: 'EUR', creditLimit: '900' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const [food, home] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Home')]
  const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
  const payment = { id: lines.find(({ accountId }) => accountId === visa.id)?.id ?? '' }
  const spend = (date: string, amount: string, categoryId?: string) =>
    book(me, visa, { date, amount, ...(categoryId ? { categoryId } : {}) })
  await spend('2026-01-05', '30', food.categoryId)
  await spend('2026-01-06', '20', home.categoryId)
  await spend('2026-01-07', '8')
  await book(me, visa, {
    ...{ kind: 'income', date: '2026-01-08', amount: '4', categoryId: home.categoryId },
  })
  await ok(createTransfer, {
    as: me,
    json: { fromAccountId: everyday.id, toAccountId: visa.id, date: '2026-01-09', amount: '15' },
  })
  const path = { id: budget.id, lineId: payment.id }
  const moved = [
    ['2026-01-08', '-4.00'],
    ['2026-01-06', '20.00'],
    ['2026-01-05', '30.00'],
  ]
  // Once as a line that nobody has used, and once as one that is stored.
  expect(await countedOf(me, path, JANUARY, 'moved')).toEqual(moved)
  await assignTo(me, budget, food, JANUARY, '25.00')
  await assignTo(me, budget, home, JANUARY, '20.00')
  await assignTo(me, budget, payment, JANUARY, '1.00')
  expect(await countedOf(me, path, JANUARY, 'moved')).toEqual(moved)
  // 46.00 less the 5.00 that Food did not have.
  expect(await envelopeRow(me, budget, payment, JANUARY)).toMatchObject({
    ...{ moved: '41.00', payments: '15.00' },
  })
  expect(await envelopeRow(me, budget, food, JANUARY)).toMatchObject({ creditOverspent: '5.00' })
  expect(await countedOf(me, path, JANUARY, 'activity')).toEqual([
    ['2026-01-09', '-15.00'],
    ['2026-01-07', '8.00'],
  ])
  const wrong = await rowsOf(me, { id: budget.id, lineId: food.id }, JANUARY, 'moved')
  expect(refusal(wrong)).toEqual([400, 'budgets.notPaymentLine', 'what'])
})

const inSql = prepared<
  Record<'unit' | 'count' | 'anchor' | 'weekend' | 'which' | 'named' | 'days', string | number>,
  { nominal: string; start: string; end: string }[]
>(() => {
  const [which, named, days] = [
    sql.placeholder('which'),
    sql.placeholder('named'),
    sql.placeholder('days'),
  ]
  return db.all(sql`WITH b AS (SELECT 'none' AS id, '1900-01-01' AS first_day, ${sql.placeholder('unit')} AS unit,
      'limit' AS mode, CAST(${sql.placeholder('count')} AS INTEGER) AS unit_count, ${sql.placeholder('anchor')} AS anchor,
      ${sql.placeholder('weekend')} AS weekend),
    ${periodTables({ which, named, days })} SELECT nominal, start, "end" FROM periods`)
})

it(`finds in SQL the periods that the rule says (seed ${SEED})`, async () => {
  const { pick, whole } = randomFrom(SEED)
  const cases = Array.from({ length: rounds(60, 3000) }, () => {
    const unit = pick(['day', 'week', 'month', 'year'] as const)
    const isByMonth = unit === 'month' || unit === 'year'
    const weekend = isByMonth ? pick(['keep', 'before', 'after'] as const) : 'keep'
    const anchor = addDays('1996-02-29', whole(0, 20_000))
    const rule = { unit, count: whole(1, pick([1, 3, 14])), anchor, weekend }
    return { rule, day: addDays('2020-01-01', whole(0, 4000)) }
  })
  const asked = cases.flatMap(({ rule, day }) => {
    const { nominal } = periodOfDay(rule, day)
    const shared = { ...rule, which: 'activity' }
    return [
      inSql({ ...shared, named: 'current', days: JSON.stringify([day]) }),
      inSql({ ...shared, named: nominal, days: '[]' }),
    ]
  })
  const found = await read(contextWith(), ...asked)
  for (const [at, { rule, day }] of cases.entries()) {
    const { nominal, start, end } = periodOfDay(rule, day)
    const wanted = [{ nominal, start, end }]
    expect([found[2 * at], found[2 * at + 1]], JSON.stringify({ rule, day })).toEqual([
      wanted,
      wanted,
    ])
  }
})
