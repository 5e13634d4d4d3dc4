import { describe, expect, test } from 'vitest'
import {
  FIRST_LIMIT_STATE,
  foldLimits,
  type LimitClosing,
  type LimitLine,
} from '../../../src/domain/budgets/limits.ts'
import type { CarryPolicy } from '../../../src/domain/budgets/policies.ts'
import {
  account,
  category,
  cents,
  flow,
  type LimitBooks,
  monthsFrom,
  spend,
  table,
  text,
  workOutLimits,
} from './budget.fixtures.ts'

const line = (
  id: string,
  amount: string,
  { policy = 'none', cap = null }: { policy?: CarryPolicy; cap?: string | null } = {},
  categoryIds = [id],
): LimitLine & { categoryIds: string[] } => ({
  id,
  policy,
  capMinor: cap === null ? null : cents(cap),
  amountMinor: cents(amount),
  categoryIds,
})

const BOOKS: Omit<LimitBooks, 'lines' | 'flows'> = {
  accounts: [account('everyday')],
  periods: 5,
  periodOf: monthsFrom('2026-01'),
}

/** The row of the first line in each period, with what it carries out. */
const rowsOf = (periods: readonly LimitClosing[]) =>
  periods.map(({ figures: { lines }, after }) =>
    lines
      .slice(0, 1)
      .flatMap((row) => [
        row.carriedIn,
        row.amount,
        row.total,
        row.spent,
        row.remaining,
        after.carried[row.lineId] ?? Number.NaN,
      ])
      .map(text),
  )

/** Columns of the rows of a table. */
const columns = (markdown: string, ...at: number[]) =>
  table(markdown).map((cells) => at.map((index) => cells[index] ?? ''))

describe('each policy', () => {
  const none = `
    | 2026-01 | 0.00 | 100.00 | 100.00 | 60.00 | 40.00 | 0.00 |
    | 2026-02 | 0.00 | 100.00 | 100.00 | 70.00 | 30.00 | 0.00 |
    | 2026-03 | 0.00 | 100.00 | 100.00 | 230.00 | -130.00 | 0.00 |
    | 2026-04 | 0.00 | 100.00 | 100.00 | 90.00 | 10.00 | 0.00 |
    | 2026-05 | 0.00 | 100.00 | 100.00 | 100.00 | 0.00 | 0.00 |`
  const surplus = `
    | 2026-01 | 0.00 | 100.00 | 100.00 | 60.00 | 40.00 | 40.00 |
    | 2026-02 | 40.00 | 100.00 | 140.00 | 70.00 | 70.00 | 70.00 |
    | 2026-03 | 70.00 | 100.00 | 170.00 | 230.00 | -60.00 | 0.00 |
    | 2026-04 | 0.00 | 100.00 | 100.00 | 90.00 | 10.00 | 10.00 |
    | 2026-05 | 10.00 | 100.00 | 110.00 | 100.00 | 10.00 | 10.00 |`
  const capped = `
    | 2026-01 | 0.00 | 100.00 | 100.00 | 60.00 | 40.00 | 40.00 |
    | 2026-02 | 40.00 | 100.00 | 140.00 | 70.00 | 70.00 | 50.00 |
    | 2026-03 | 50.00 | 100.00 | 150.00 | 230.00 | -80.00 | 0.00 |
    | 2026-04 | 0.00 | 100.00 | 100.00 | 90.00 | 10.00 | 10.00 |
    | 2026-05 | 10.00 | 100.00 | 110.00 | 100.00 | 10.00 | 10.00 |`
  const deficit = `
    | 2026-01 | 0.00 | 100.00 | 100.00 | 60.00 | 40.00 | 0.00 |
    | 2026-02 | 0.00 | 100.00 | 100.00 | 70.00 | 30.00 | 0.00 |
    | 2026-03 | 0.00 | 100.00 | 100.00 | 230.00 | -130.00 | -130.00 |
    | 2026-04 | -130.00 | 100.00 | -30.00 | 90.00 | -120.00 | -120.00 |
    | 2026-05 | -120.00 | 100.00 | -20.00 | 100.00 | -120.00 | -120.00 |`
  const both = `
    | 2026-01 | 0.00 | 100.00 | 100.00 | 60.00 | 40.00 | 40.00 |
    | 2026-02 | 40.00 | 100.00 | 140.00 | 70.00 | 70.00 | 70.00 |
    | 2026-03 | 70.00 | 100.00 | 170.00 | 230.00 | -60.00 | -60.00 |
    | 2026-04 | -60.00 | 100.00 | 40.00 | 90.00 | -50.00 | -50.00 |
    | 2026-05 | -50.00 | 100.00 | 50.00 | 100.00 | -50.00 | -50.00 |`

  test.each<[CarryPolicy, string | null, string]>([
    ['none', null, none],
    ['surplus', null, surplus],
    ['surplus', '50.00', capped],
    ['deficit', null, deficit],
    ['both', null, both],
  ])('%s, cap %s', (policy, cap, markdown) => {
    const periods = workOutLimits({
      ...BOOKS,
      lines: () => [line('food', '100.00', { policy, cap })],
      flows: ['60.00', '70.00', '230.00', '90.00', '100.00'].map((amount, month) =>
        spend('everyday', `2026-0${month + 1}-15`, 'food', amount),
      ),
    })
    expect(rowsOf(periods)).toEqual(columns(markdown, 1, 2, 3, 4, 5, 6))
  })
})

test('a refund in another month', () => {
  const markdown = `
    | 2026-01 | 0.00 | 120.00 | 100.00 | 0.00 | 100.00 | 20.00 | 83 | 20.00 |
    | 2026-02 | 20.00 | 120.00 | 20.00 | 30.00 | -10.00 | 150.00 | 0 | 150.00 |
    | 2026-03 | 150.00 | 120.00 | 50.00 | 0.00 | 50.00 | 220.00 | 18 | 220.00 |`
  const periods = workOutLimits({
    ...BOOKS,
    periods: 3,
    lines: () => [line('clothes', '120.00', { policy: 'both' })],
    flows: columns(markdown, 0, 3, 4).flatMap(([month, booked = '', refunds = '']) => [
      spend('everyday', `${month}-10`, 'clothes', booked),
      spend('everyday', `${month}-20`, 'clothes', `-${refunds}`),
    ]),
  })
  expect(
    rowsOf(periods).map(([carriedIn, amount, , ...others]) => [carriedIn, amount, ...others]),
  ).toEqual(columns(markdown, 1, 2, 5, 6, 8))
})

test('weeks across the year end', () => {
  const markdown = `
    | 2026-12-14 to 2026-12-20 | 0.00 | 50.00 | 50.00 | 40.00 | 10.00 | 10.00 |
    | 2026-12-21 to 2026-12-27 | 10.00 | 50.00 | 60.00 | 65.00 | -5.00 | -5.00 |
    | 2026-12-28 to 2027-01-03 | -5.00 | 50.00 | 45.00 | 55.00 | -10.00 | -10.00 |
    | 2027-01-04 to 2027-01-10 | -10.00 | 50.00 | 40.00 | 20.00 | 20.00 | 20.00 |
    | 2027-01-11 to 2027-01-17 | 20.00 | 50.00 | 70.00 | 15.00 | 55.00 | 30.00 |`
  const weeks = columns(markdown, 0).map(([week = '']) => week.split(' to ') as [string, string])
  const periods = workOutLimits({
    ...BOOKS,
    periodOf: (day) => weeks.findIndex(([from, to]) => from <= day && day <= to),
    lines: () => [line('food', '50.00', { policy: 'both', cap: '30.00' })],
    // A part on the first day of each week, the rest on its last one.
    flows: columns(markdown, 0, 4).flatMap(([week = '', spent = '']) => [
      spend('everyday', week.slice(0, 10), 'food', '12.34'),
      spend('everyday', week.slice(-10), 'food', text(cents(spent) - 1234)),
    ]),
  })
  expect(rowsOf(periods)).toEqual(columns(markdown, 1, 2, 3, 4, 5, 6))
})

test('totals add amounts and what is carried of lines at the top, and count each category once', () => {
  const [, second] = workOutLimits({
    ...BOOKS,
    periods: 2,
    categories: [category('food'), category('out', 'food'), category('home')],
    lines: () => [
      line('Food', '100.00', { policy: 'both' }, ['food']),
      line('Out', '30.00', { policy: 'both' }, ['out']),
      line('Home', '50.00', { policy: 'both' }, ['home']),
    ],
    flows: [
      spend('everyday', '2026-01-10', 'out', '20.00'),
      spend('everyday', '2026-01-10', 'home', '60.00'),
      spend('everyday', '2026-02-10', 'out', '5.35'),
      spend('everyday', '2026-02-10', 'food', '41.50'),
      spend('everyday', '2026-02-10', 'home', '1.00'),
      spend('everyday', '2026-02-10', 'travel', '9.99'),
      flow('income', 'everyday', '2026-02-20', 100_00),
    ],
  })
  expect(second?.figures).toMatchObject({
    amount: 150_00,
    spent: 46_85 + 1_00,
    // 150.00 and 80.00 - 10.00 from January.
    remaining: 220_00 - 47_85,
    income: 100_00,
    pending: 0,
    outside: { uncategorised: 0, uncovered: 9_99, excluded: 0, transfers: 0, private: 0 },
  })
  expect(second?.figures.lines.map(({ spent }) => text(spent))).toEqual(['46.85', '5.35', '1.00'])
})

test('totals count what lines cover that stand partly below others', () => {
  const [first] = workOutLimits({
    ...BOOKS,
    categories: [category('food'), category('travel'), category('hotels', 'travel')],
    lines: () => [
      line('Living', '100.00', {}, ['food', 'hotels']),
      line('Travel', '200.00', {}, ['travel']),
    ],
    flows: [
      spend('everyday', '2026-01-10', 'food', '10.00'),
      spend('everyday', '2026-01-10', 'hotels', '20.00'),
      spend('everyday', '2026-01-10', 'travel', '40.00'),
    ],
  })
  expect(first?.figures).toMatchObject({ amount: 200_00, spent: 70_00, remaining: 130_00 })
})

describe('a closed period', () => {
  const lines = () => [line('food', '100.00', { policy: 'both' })]
  const january = spend('everyday', '2026-01-10', 'food', '60.00')
  const closing = () => workOutLimits({ ...BOOKS, lines, flows: [january] })[0]
  const late = spend('everyday', '2026-01-20', 'food', '15.00')
  const march = spend('everyday', '2026-03-10', 'food', '1.00')

  test('stays as it was, and what is booked into it later counts in the first open one', () => {
    const first = closing()
    const february = workOutLimits({ ...BOOKS, lines, flows: [january] })[1]
    const [one, two, three, four] = workOutLimits({
      ...BOOKS,
      lines,
      flows: [january, late, march],
      closings: [first, february].filter((each) => each !== undefined),
    })
    expect([one?.figures, two?.figures]).toEqual([first?.figures, february?.figures])
    expect(three?.figures.lines).toEqual([
      {
        lineId: 'food',
        carriedIn: 140_00,
        amount: 100_00,
        total: 240_00,
        spent: 16_00,
        lateSpent: 15_00,
        remaining: 224_00,
      },
    ])
    expect(three?.figures.spent).toBe(16_00)
    expect(four?.figures.lines[0]).toMatchObject({ carriedIn: 224_00, lateSpent: 0, spent: 0 })
  })

  test('closed with late amounts counts them once', () => {
    const flows = [january, late, march]
    const first = closing()
    const open = workOutLimits({ ...BOOKS, lines, flows, closings: first ? [first] : [] })
    const closed = workOutLimits({ ...BOOKS, lines, flows, closings: open.slice(0, 3) })
    expect(closed.map(({ figures }) => figures)).toEqual(open.map(({ figures }) => figures))
  })

  test('names what is pending in it in the first open one until that is cleared', () => {
    const pending = { ...january, pendingMinor: january.amountMinor }
    const books = { ...BOOKS, lines, countPending: false }
    const closings = workOutLimits({ ...books, flows: [pending] }).slice(0, 1)
    const figures = (flows: LimitBooks['flows']) =>
      workOutLimits({ ...books, flows, closings }).map((one) => [
        one.figures.pending,
        one.figures.spent,
      ])
    expect(figures([pending]).slice(0, 3)).toEqual([
      [60_00, 0],
      [60_00, 0],
      [0, 0],
    ])
    expect(figures([january]).slice(0, 3)).toEqual([
      [60_00, 0],
      [0, 60_00],
      [0, 0],
    ])
  })
})

describe('two members', () => {
  const ben = [
    spend('card', '2026-09-04', 'essen', '31.20'),
    spend('card', '2026-09-05', '', '12.50'),
    spend('card', '2026-09-06', 'essen', '-6.20'),
  ]
  const gifts = spend('joint', '2026-09-02', 'gifts', '80.00')
  const september = (accounts: string[]) =>
    workOutLimits({
      ...BOOKS,
      accounts: accounts.map((id) => account(id)),
      periods: 1,
      periodOf: monthsFrom('2026-09'),
      lines: () => [
        line('Food', '400.00', {}, ['groceries', 'essen']),
        line('Home', '100.00', {}, ['home']),
        line('Overall', '600.00', {}, []),
      ],
      accountLines: [{ id: 'Overall', accountIds: undefined }],
      flows: [
        spend('joint', '2026-09-01', 'groceries', '84.50'),
        gifts,
        spend('joint', '2026-09-03', 'home', '49.99'),
        ...ben,
      ],
      hidden: [gifts],
    })[0]?.figures

  test('read the same, private rows apart', () => {
    const figures = september(['joint', 'card'])
    const shown = figures?.lines.map((row) => [
      row.lineId,
      ...[row.amount, row.spent, row.remaining].map(text),
    ])
    expect(shown).toEqual(
      table(`
        | Food | 400.00 | 109.50 | 290.50 |
        | Home | 100.00 | 49.99 | 50.01 |
        | Overall | 600.00 | 251.99 | 348.01 |
      `),
    )
    expect(figures).toMatchObject({
      amount: 500_00,
      spent: 159_49,
      remaining: 340_51,
      outside: { uncategorised: 12_50, private: 80_00, uncovered: 0 },
    })
  })

  test('without the card that Ben took back', () => {
    const figures = september(['joint'])
    expect(figures?.lines.slice(0, 2).map(({ spent }) => spent)).toEqual([84_50, 49_99])
    expect(figures?.outside).toMatchObject({ uncategorised: 0, private: 80_00 })
  })
})

test('lines that are not by category add up to what each of them spent', () => {
  const { figures } = foldLimits(FIRST_LIMIT_STATE, {
    sums: new Map([
      ['everyday', -6000],
      ['joint', -2500],
    ]),
    lines: [line('everyday', '100.00'), line('joint', '20.00')],
    topLines: ['everyday', 'joint'],
    isByCategory: false,
  })
  expect([figures.amount, figures.spent, figures.remaining]).toEqual([12_000, 8500, 3500])
})
