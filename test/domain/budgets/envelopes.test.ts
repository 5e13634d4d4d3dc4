import { describe, expect, test } from 'vitest'
import type { EnvelopeClosing, EnvelopeLine } from '../../../src/domain/budgets/envelopes.ts'
import type { CarryPolicy } from '../../../src/domain/budgets/policies.ts'
import {
  account,
  balanceOf,
  cents,
  type EnvelopeBooks,
  flow,
  monthsFrom,
  ratesFrom,
  spend,
  table,
  text,
  workOutEnvelopes,
  worthOf,
} from './budget.fixtures.ts'

/** A line that covers the category of its name. */
const line = (
  id: string,
  assigned: string | undefined,
  policy: CarryPolicy = 'surplus',
): EnvelopeLine & { categoryIds: string[] } => ({
  id,
  policy,
  assignedMinor: cents(assigned ?? '0.00'),
  categoryIds: [id],
})

const rowOf = ({ figures }: EnvelopeClosing, lineId: string) => {
  const row = [...figures.lines, ...figures.payments].find((one) => one.lineId === lineId)
  if (!row) {
    throw new Error(`There is no line ${lineId}.`)
  }
  return row
}

const cellsFrom = (markdown: string, first: number) =>
  table(markdown).map((cells) => cells.slice(first))

/** What the budget has got, by all its parts: the identity. */
const identityOf = ({
  figures: { lines, payments, toBeBudgeted, held, deferred },
}: EnvelopeClosing) =>
  [...lines, ...payments].reduce(
    (all, row) => all + row.available + row.creditOverspent,
    toBeBudgeted + held + deferred,
  )

const income = (day: string, amount: string, categoryId = '') =>
  flow('income', 'everyday', day, cents(amount), { categoryId })

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04']

/** Rent and Food over four months, by the policy of Food. */
const fourMonths = (policy: CarryPolicy): EnvelopeBooks => ({
  accounts: [account('everyday')],
  periods: 4,
  periodOf: monthsFrom('2026-01'),
  lines: () => [line('food', '400.00', policy), line('rent', '1200.00')],
  flows: [
    flow('opening', 'everyday', '2026-01-01', 500_00),
    ...['350.00', '480.00', '390.00', '400.00'].flatMap((food, at) => [
      income(`${MONTHS[at]}-01`, '1800.00'),
      spend('everyday', `${MONTHS[at]}-03`, 'rent', '1200.00'),
      spend('everyday', `${MONTHS[at]}-28`, 'food', food),
    ]),
  ],
})

const foodRow = (period: EnvelopeClosing) => {
  const { carriedIn, assigned, activity, lateActivity, available } = rowOf(period, 'food')
  const { released, toBeBudgeted } = period.figures
  return { carriedIn, assigned, activity, lateActivity, available, released, toBeBudgeted }
}

describe('four policies over four months', () => {
  const surplus = `
    | 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
    | 2026-02 | 50.00 | 400.00 | -480.00 | -30.00 | 0.00 | 900.00 | 870.00 |
    | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -30.00 | 1070.00 | 1080.00 |
    | 2026-04 | 10.00 | 400.00 | -400.00 | 10.00 | 0.00 | 1270.00 | 1280.00 |`
  const both = `
    | 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
    | 2026-02 | 50.00 | 400.00 | -480.00 | -30.00 | 0.00 | 900.00 | 870.00 |
    | 2026-03 | -30.00 | 400.00 | -390.00 | -20.00 | 0.00 | 1100.00 | 1080.00 |
    | 2026-04 | -20.00 | 400.00 | -400.00 | -20.00 | 0.00 | 1300.00 | 1280.00 |`
  const none = `
    | 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
    | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | 50.00 | 950.00 | 870.00 |
    | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -80.00 | 1070.00 | 1080.00 |
    | 2026-04 | 0.00 | 400.00 | -400.00 | 0.00 | 10.00 | 1280.00 | 1280.00 |`
  const deficit = `
    | 2026-01 | 0.00 | 400.00 | -350.00 | 50.00 | 0.00 | 700.00 | 750.00 |
    | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | 50.00 | 950.00 | 870.00 |
    | 2026-03 | -80.00 | 400.00 | -390.00 | -70.00 | 0.00 | 1150.00 | 1080.00 |
    | 2026-04 | -70.00 | 400.00 | -400.00 | -70.00 | 0.00 | 1350.00 | 1280.00 |`

  test.each<[CarryPolicy, string]>([
    ['surplus', surplus],
    ['both', both],
    ['none', none],
    ['deficit', deficit],
  ])('%s', (policy, markdown) => {
    const books = fourMonths(policy)
    const periods = workOutEnvelopes(books)
    const shown = periods.map((period, at) => {
      const { carriedIn, assigned, activity, available, released, toBeBudgeted } = foodRow(period)
      const balance = balanceOf(books, 'everyday', at)
      expect(identityOf(period)).toBe(balance)
      return [carriedIn, assigned, activity, available, released, toBeBudgeted, balance].map(text)
    })
    expect(shown).toEqual(cellsFrom(markdown, 1))
  })
})

describe('a back-dated edit', () => {
  const books = fourMonths('surplus')
  const edited = {
    ...books,
    flows: [...books.flows, spend('everyday', '2026-01-20', 'food', '75.00')],
  }

  test('is right in every later month at once where all are open', () => {
    const shown = workOutEnvelopes(edited).map((period) => {
      const { carriedIn, assigned, activity, available, released, toBeBudgeted } = foodRow(period)
      return [carriedIn, assigned, activity, available, released, toBeBudgeted].map(text)
    })
    expect(shown).toEqual(
      cellsFrom(
        `
        | 2026-01 | 0.00 | 400.00 | -425.00 | -25.00 | 0.00 | 700.00 |
        | 2026-02 | 0.00 | 400.00 | -480.00 | -80.00 | -25.00 | 875.00 |
        | 2026-03 | 0.00 | 400.00 | -390.00 | 10.00 | -80.00 | 995.00 |
        | 2026-04 | 10.00 | 400.00 | -400.00 | 10.00 | 0.00 | 1195.00 |`,
        1,
      ),
    )
  })

  test('counts in the first open month where its own is closed', () => {
    const closings = workOutEnvelopes(books).slice(0, 3)
    const periods = workOutEnvelopes({ ...edited, closings })
    const shown = periods.map((period) => {
      const { carriedIn, assigned, activity, lateActivity, available, toBeBudgeted } =
        foodRow(period)
      return [carriedIn, assigned, activity, lateActivity, available, toBeBudgeted].map(text)
    })
    expect(shown).toEqual(
      cellsFrom(
        `
        | 2026-01 | 0.00 | 400.00 | -350.00 | 0.00 | 50.00 | 700.00 |
        | 2026-02 | 50.00 | 400.00 | -480.00 | 0.00 | -30.00 | 900.00 |
        | 2026-03 | 0.00 | 400.00 | -390.00 | 0.00 | 10.00 | 1070.00 |
        | 2026-04 | 10.00 | 400.00 | -475.00 | -75.00 | -65.00 | 1270.00 |`,
        1,
      ),
    )
    expect(periods.slice(0, 3).map(({ figures }) => figures)).toEqual(
      closings.map(({ figures }) => figures),
    )
    expect(periods.map(({ figures }) => figures.exchangeDifference)).toEqual([0, 0, 0, 0])
  })
})

describe('a card of a closed month', () => {
  const books: EnvelopeBooks = {
    accounts: [account('everyday'), account('visa', undefined, true)],
    periods: 2,
    periodOf: monthsFrom('2026-01'),
    lines: (period) => [line('food', period === 0 ? '100.00' : undefined)],
    flows: [
      flow('opening', 'everyday', '2026-01-01', 500_00),
      spend('visa', '2026-01-03', 'food', '30.00'),
      flow('transfer', 'everyday', '2026-01-20', -cents('10.00'), { counterAccountId: 'visa' }),
      flow('transfer', 'visa', '2026-01-20', cents('10.00'), { counterAccountId: 'everyday' }),
    ],
  }
  const closings = workOutEnvelopes(books).slice(0, 1)

  test('is not counted twice when it is cash from then on', () => {
    const accounts = [account('everyday'), account('visa')]
    const [january, february] = workOutEnvelopes({ ...books, accounts, closings })
    expect(january?.figures).toEqual(closings[0]?.figures)
    expect(february && foodRow(february)).toMatchObject({
      ...{ carriedIn: cents('70.00'), activity: 0, available: cents('70.00') },
      ...{ lateActivity: 0, toBeBudgeted: cents('400.00') },
    })
    expect(february?.figures).toMatchObject({ payments: [], exchangeDifference: 0 })
    expect(february && identityOf(february)).toBe(cents('470.00'))
  })

  test('gives back what lines spent on it when it leaves', () => {
    const accounts = [account('everyday')]
    const flows = books.flows.filter(({ accountId }) => accountId === 'everyday')
    const [, february] = workOutEnvelopes({ ...books, accounts, flows, closings })
    expect(february && foodRow(february)).toMatchObject({
      ...{ carriedIn: cents('70.00'), activity: cents('30.00'), available: cents('100.00') },
      ...{ lateActivity: cents('30.00'), toBeBudgeted: cents('390.00') },
    })
    expect(february?.figures).toMatchObject({ latePool: -cents('10.00'), exchangeDifference: 0 })
    expect(february && identityOf(february)).toBe(cents('490.00'))
  })
})

test('hold, income for the next period', () => {
  const assigned = ['1000.00', '1000.00', '3150.00']
  const spending = ['980.00', '1010.00', '0.00']
  const books: EnvelopeBooks = {
    accounts: [account('everyday')],
    periods: 3,
    periodOf: monthsFrom('2026-01'),
    incomeInNextPeriod: ['salary'],
    lines: (period) => [line('all', assigned[period])],
    heldMinor: (period) => (period === 0 ? 150_00 : 0),
    flows: [
      flow('opening', 'everyday', '2026-01-01', 1000_00),
      income('2026-01-15', '200.00', 'interest'),
      income('2026-01-31', '1800.00', 'salary'),
      income('2026-02-28', '1800.00', 'salary'),
      income('2026-03-15', '50.00', 'interest'),
      ...spending.map((amount, at) => spend('everyday', `${MONTHS[at]}-20`, 'all', amount)),
    ],
  }
  const periods = workOutEnvelopes(books)
  const shown = periods.map(({ figures: at }, period) =>
    [
      at.fromBefore,
      at.opening,
      at.income,
      at.released,
      at.assigned,
      at.held,
      at.toBeBudgeted,
      at.deferred,
      balanceOf(books, 'everyday', period),
    ].map(text),
  )
  const expected = table(`
    | 2026-01 | 0.00 | 1000.00 | 200.00 | 0.00 | 1000.00 | 150.00 | 50.00 | 1800.00 | 4150.00 | -300.00 | 2020.00 |
    | 2026-02 | 2000.00 | 0.00 | 0.00 | 0.00 | 1000.00 | 0.00 | 1000.00 | 1800.00 | 3150.00 | -300.00 | 2810.00 |
    | 2026-03 | 2800.00 | 0.00 | 50.00 | 0.00 | 3150.00 | 0.00 | -300.00 | 0.00 | 0.00 | -300.00 | 2860.00 |`)
  expect(shown).toEqual(expected.map((cells) => [...cells.slice(1, 9), ...cells.slice(11)]))
})

test('one card over two months', () => {
  const toCard = (day: string, amount: number) => [
    flow('transfer', 'everyday', day, -amount, { counterAccountId: 'visa' }),
    flow('transfer', 'visa', day, amount, { counterAccountId: 'everyday' }),
  ]
  const assigned = [
    { food: '300.00', fun: '100.00', clothes: '80.00' },
    { food: '300.00', fun: '100.00', clothes: '0.00' },
  ]
  const books: EnvelopeBooks = {
    accounts: [account('everyday'), account('visa', 'EUR', true)],
    periods: 2,
    periodOf: monthsFrom('2026-05'),
    lines: (period) => Object.entries(assigned[period] ?? {}).map(([id, minor]) => line(id, minor)),
    assignedToCards: (_, period) => (period === 1 ? 130_00 : 0),
    flows: [
      flow('opening', 'everyday', '2026-05-01', 2000_00),
      flow('opening', 'visa', '2026-05-01', -150_00),
      spend('visa', '2026-05-02', 'food', '380.00'),
      spend('everyday', '2026-05-30', 'food', '50.00'),
      spend('everyday', '2026-05-10', 'fun', '120.00'),
      spend('visa', '2026-05-10', 'clothes', '60.00'),
      ...toCard('2026-05-20', 200_00),
      spend('visa', '2026-06-10', 'food', '150.00'),
      spend('everyday', '2026-06-10', 'fun', '30.00'),
      spend('visa', '2026-06-10', 'clothes', '-60.00'),
      ...toCard('2026-06-20', 250_00),
    ],
  }
  const periods = workOutEnvelopes(books)
  const lines = periods.flatMap(({ figures }) =>
    figures.lines.map((row) =>
      [
        row.carriedIn,
        row.assigned,
        row.activity,
        row.available,
        row.cashOverspent,
        row.creditOverspent,
      ].map(text),
    ),
  )
  expect(lines).toEqual(
    cellsFrom(
      `
      | 2026-05, Food | 0.00 | 300.00 | -430.00 | -130.00 | 0.00 | 130.00 |
      | 2026-05, Fun | 0.00 | 100.00 | -120.00 | -20.00 | 20.00 | 0.00 |
      | 2026-05, Clothes | 0.00 | 80.00 | -60.00 | 20.00 | 0.00 | 0.00 |
      | 2026-06, Food | 0.00 | 300.00 | -150.00 | 150.00 | 0.00 | 0.00 |
      | 2026-06, Fun | 0.00 | 100.00 | -30.00 | 70.00 | 0.00 | 0.00 |
      | 2026-06, Clothes | 20.00 | 0.00 | 60.00 | 80.00 | 0.00 | 0.00 |`,
      1,
    ),
  )
  const cards = periods.flatMap(({ figures }, period) =>
    figures.payments.map((row) =>
      [
        row.carriedIn,
        row.assigned,
        row.moved,
        row.payments,
        row.available,
        -row.owed,
        row.debt,
        figures.toBeBudgeted,
        worthOf(books, period),
      ].map(text),
    ),
  )
  expect(cards).toEqual(
    cellsFrom(
      `
      | 2026-05 | 0.00 | 0.00 | 310.00 | 200.00 | 110.00 | -390.00 | 280.00 | 1520.00 | 1630.00 |
      | 2026-06 | 110.00 | 130.00 | 90.00 | 250.00 | 80.00 | -230.00 | 150.00 | 970.00 | 1350.00 |`,
      1,
    ),
  )
  expect(periods.map(({ figures }) => [figures.released, figures.overspent])).toEqual([
    [0, 150_00],
    [-20_00, 0],
  ])
  expect(periods.map(identityOf)).toEqual([1630_00, 1350_00])
})

describe('how the covered part is shared out', () => {
  test.each(
    table(`
      | both spend, all covered | 300.00 | 0.00 | -120.00 | -80.00 | 100.00 | 120.00 | 80.00 | 0.00 | 0.00 |
      | both spend, short | 100.00 | 0.00 | -120.00 | -80.00 | -100.00 | 60.00 | 40.00 | 100.00 | 0.00 |
      | odd cent | 100.00 | 0.00 | -66.67 | -66.66 | -33.33 | 50.00 | 50.00 | 33.33 | 0.00 |
      | refund on B covers A | 50.00 | 0.00 | -120.00 | 40.00 | -30.00 | 90.00 | -40.00 | 30.00 | 0.00 |
      | cash overspent first | 50.00 | -90.00 | -30.00 | 0.00 | -70.00 | 0.00 | 0.00 | 30.00 | 40.00 |
      | only a refund | 0.00 | 0.00 | 0.00 | 25.00 | 25.00 | 0.00 | -25.00 | 0.00 | 0.00 |`) as [
      string,
      string,
      string,
      string,
      string,
    ][],
  )('%s', (_, base, cash, cardA, cardB, ...expected: string[]) => {
    const on = (accountId: string, amount: string) =>
      flow('expense', accountId, '2026-01-10', cents(amount), { categoryId: 'food' })
    const [period] = workOutEnvelopes({
      // Listed against the order of their ids, by which the shares are rounded.
      accounts: [account('b', 'EUR', true), account('a', 'EUR', true), account('everyday')],
      periods: 1,
      periodOf: monthsFrom('2026-01'),
      lines: () => [line('food', base)],
      flows: [on('everyday', cash), on('a', cardA), on('b', cardB)],
    }) as [EnvelopeClosing]
    const row = rowOf(period, 'food')
    const moved = Object.fromEntries(
      period.figures.payments.map((payment) => [payment.lineId, payment.moved]),
    )
    expect(
      [
        row.available,
        moved['pay-a'] ?? Number.NaN,
        moved['pay-b'] ?? Number.NaN,
        row.creditOverspent,
        row.cashOverspent,
      ].map(text),
    ).toEqual(expected)
  })
})

test('a dollar account in a budget in EUR', () => {
  const books: EnvelopeBooks = {
    accounts: [account('everyday'), account('dollars', 'USD')],
    periods: 2,
    periodOf: monthsFrom('2026-06'),
    rateOn: ratesFrom([
      { from: 'USD', to: 'EUR', date: '2026-05-01', rate: '0.85' },
      { from: 'USD', to: 'EUR', date: '2026-06-30', rate: '0.875' },
      { from: 'USD', to: 'EUR', date: '2026-07-31', rate: '0.9' },
    ]),
    endOf: (period) => ['2026-06-30', '2026-07-31'][period] ?? '2026-05-31',
    heldBefore: { everyday: 1000_00, dollars: 400_00 },
    lines: (period) => [line('food', period === 0 ? '200.00' : '0.00')],
    flows: [
      flow('expense', 'dollars', '2026-06-15', -100_00, { categoryId: 'food' }),
      flow('transfer', 'everyday', '2026-07-10', -90_00, { counterAccountId: 'dollars' }),
      flow('transfer', 'dollars', '2026-07-10', 102_00, { counterAccountId: 'everyday' }),
    ],
  }
  const periods = workOutEnvelopes(books)
  const shown = periods.map((period, at) => {
    const food = rowOf(period, 'food')
    const { exchangeDifference, toBeBudgeted } = period.figures
    const balances = [
      balanceOf(books, 'everyday', at),
      balanceOf(books, 'dollars', at),
      worthOf({ ...books, accounts: [account('dollars', 'USD')] }, at),
      worthOf(books, at),
    ]
    return [
      ...balances,
      food.activity,
      exchangeDifference,
      food.available,
      toBeBudgeted,
      identityOf(period),
    ].map(text)
  })
  const expected = table(`
    | 2026-06 | 1000.00 | 300.00 | 0.875 | 262.50 | 1262.50 | -85.00 | 7.50 | 115.00 | 1147.50 | 1262.50 |
    | 2026-07 | 910.00 | 402.00 | 0.9 | 361.80 | 1271.80 | 0.00 | 9.30 | 115.00 | 1156.80 | 1271.80 |`)
  expect(shown).toEqual(expected.map((cells) => [...cells.slice(1, 3), ...cells.slice(4)]))
  expect(periods[0]?.figures.opening).toBe(1340_00)
})
