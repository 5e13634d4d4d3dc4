import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EnvelopeClosing } from '../../../src/domain/budgets/envelopes.ts'
import type { Flow } from '../../../src/domain/budgets/flows.ts'
import { POLICIES } from '../../../src/domain/budgets/policies.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import {
  account,
  category,
  type EnvelopeBooks,
  flow,
  monthsFrom,
  ratesFrom,
  spend,
  workOutEnvelopes,
  worthOf,
} from './budget.fixtures.ts'

const PERIODS = 4
const CATEGORIES = [
  category('food'),
  category('out', 'food'),
  category('fun'),
  category('travel'),
  { ...category('work'), isExcluded: true },
]
const ANY_CATEGORY = ['', 'food', 'out', 'fun', 'travel', 'work', 'salary', 'deleted']
const LINES = { food: ['food'], out: ['out'], fun: ['fun'] }
const CASH = ['everyday', 'savings']
const CARDS = ['visa', 'amex']

const anyAmount = fc.oneof(
  fc.integer({ min: -200_00, max: 200_00 }),
  fc.integer({ min: -9, max: 9 }),
)
const anyDay = fc
  .tuple(fc.integer({ min: 1, max: PERIODS }), fc.integer({ min: 1, max: 28 }))
  .map(([month, day]) => `2026-0${month}-${String(day).padStart(2, '0')}`)

/** A booking, of which a transfer between accounts inside has two sides. */
const anyBooking = fc.record({
  kind: fc.constantFrom<Flow['flow'] | 'between'>(
    'expense',
    'expense',
    'income',
    'adjustment',
    'opening',
    'transfer',
    'between',
    'between',
  ),
  sides: fc.shuffledSubarray([...CASH, ...CARDS], { minLength: 2, maxLength: 2 }),
  day: anyDay,
  minor: anyAmount,
  /** What arrives of a transfer into another currency. */
  arrives: fc.nat(200_00),
  categoryId: fc.constantFrom(...ANY_CATEGORY),
  isPending: fc.boolean(),
  isHidden: fc.boolean(),
  /** Whether it was there before periods were closed, came later or stayed. */
  when: fc.constantFrom('before', 'after', 'both', 'both', 'both'),
})

const perPeriod = <Value>(any: fc.Arbitrary<Value>) =>
  fc.array(any, { minLength: PERIODS, maxLength: PERIODS })

const anyBudget = fc.record({
  bookings: fc.array(anyBooking, { maxLength: 40 }),
  policies: perPeriod(fc.tuple(...Object.keys(LINES).map(() => fc.constantFrom(...POLICIES)))),
  assigned: perPeriod(fc.tuple(anyAmount, anyAmount, anyAmount, anyAmount, anyAmount)),
  isForeign: fc.boolean(),
  held: perPeriod(fc.nat(100_00)),
  rates: perPeriod(fc.integer({ min: 500, max: 1500 })),
  /** Before periods were closed, and after. */
  heldBefore: fc.tuple(anyAmount, anyAmount),
  countPending: fc.boolean(),
  /** The period from which on the line `out` is no more, and what takes over from it. */
  endsFrom: fc.integer({ min: 1, max: PERIODS }),
  takesOver: fc.constantFrom(undefined, 'food', 'fun', 'gone'),
  closed: fc.nat(PERIODS),
})

type Booking = typeof anyBooking extends fc.Arbitrary<infer Value> ? Value : never
type Budget = typeof anyBudget extends fc.Arbitrary<infer Value> ? Value : never

const accountsOf = ({ isForeign }: Budget) => [
  account('everyday'),
  account('savings', isForeign ? 'USD' : 'EUR'),
  account('visa', 'EUR', true),
  account('amex', isForeign ? 'USD' : 'EUR', true),
]

function flowsOf(booking: Booking, isForeign: boolean): Flow[] {
  const { kind, sides, day, minor, arrives, categoryId, isPending } = booking
  const [from = '', to = ''] = sides
  const side = (accountId: string, counterAccountId: string, amount: number) =>
    flow(kind === 'between' ? 'transfer' : kind, accountId, day, amount, {
      categoryId,
      counterAccountId,
      pendingMinor: isPending ? amount : 0,
    })
  return kind === 'between'
    ? [side(from, to, -minor), side(to, from, isForeign ? arrives : minor)]
    : [side(from, kind === 'transfer' ? 'abroad' : '', minor)]
}

const dayOf = (period: number) => `2026-0${period + 1}-28`

function booksOf(budget: Budget, isAfter: boolean): EnvelopeBooks {
  const { policies, assigned, held, endsFrom, isForeign } = budget
  const bookings = budget.bookings.filter(({ when }) => when !== (isAfter ? 'before' : 'after'))
  const flowsIn = (list: Booking[]) => list.flatMap((booking) => flowsOf(booking, isForeign))
  return {
    accounts: accountsOf(budget),
    periods: PERIODS,
    periodOf: monthsFrom('2026-01'),
    categories: CATEGORIES,
    countPending: budget.countPending,
    incomeInNextPeriod: ['salary'],
    lines: (period) =>
      Object.entries(LINES)
        .map(([id, categoryIds], at) => ({
          id,
          categoryIds,
          policy: policies[period]?.[at] ?? 'surplus',
          assignedMinor: assigned[period]?.[at] ?? 0,
        }))
        .filter(({ id }) => id !== 'out' || period < endsFrom),
    carriedInto: budget.takesOver === undefined ? {} : { out: budget.takesOver },
    assignedToCards: (card, period) => assigned[period]?.[3 + CARDS.indexOf(card)] ?? 0,
    heldMinor: (period) => held[period] ?? 0,
    heldBefore: { everyday: budget.heldBefore[isAfter ? 1 : 0] },
    rateOn: ratesFrom([
      { from: 'USD', to: 'EUR', date: '2025-12-01', rate: '0.85' },
      ...budget.rates.map((rate, period) => ({
        from: 'USD',
        to: 'EUR',
        date: `2026-0${period + 1}-15`,
        rate: String((isAfter ? rate : 2000 - rate) / 1000),
      })),
    ]),
    endOf: dayOf,
    flows: flowsIn(bookings),
    hidden: flowsIn(bookings.filter(({ isHidden }) => isHidden)),
  }
}

/** All that the budget has got, by its parts. */
const partsOf = ({ figures }: EnvelopeClosing) =>
  [...figures.lines, ...figures.payments].reduce(
    (all, row) => all + row.available + row.creditOverspent,
    figures.toBeBudgeted + figures.held + figures.deferred,
  )

function expectIdentity(books: EnvelopeBooks, periods: EnvelopeClosing[], firstOpen: number) {
  for (const [period, outcome] of periods.entries()) {
    expect(partsOf(outcome)).toBe(outcome.after.worth)
    if (period >= firstOpen) {
      expect(outcome.after.worth).toBe(worthOf(books, period))
    }
    if (books.accounts.every(({ currency }) => currency === 'EUR')) {
      expect(outcome.figures.exchangeDifference).toBe(0)
    }
  }
}

describe('what lines, cards and the pool have got is the money on cash accounts', () => {
  test('in every period, open or closed, after any bookings and edits', () => {
    fc.assert(
      fc.property(anyBudget, (budget) => {
        const before = booksOf(budget, false)
        const periods = workOutEnvelopes(before)
        expectIdentity(before, periods, 0)
        const closings = periods.slice(0, budget.closed)
        const after = { ...booksOf(budget, true), closings }
        const edited = workOutEnvelopes(after)
        expectIdentity(after, edited, budget.closed)
        expect(edited.slice(0, budget.closed).map(({ figures }) => figures)).toEqual(
          closings.map(({ figures }) => figures),
        )
        expectClosingChangesNothing(after, edited)
      }),
      { numRuns: rounds(100, 3_000), seed: SEED },
    )
  })

  test('in whatever order the flows come', () => {
    fc.assert(
      fc.property(
        anyBudget.chain((budget) => {
          const books = booksOf(budget, true)
          const whole = { minLength: books.flows.length }
          return fc.tuple(fc.constant(books), fc.shuffledSubarray([...books.flows], whole))
        }),
        ([books, flows]) => {
          expect(workOutEnvelopes({ ...books, flows })).toEqual(workOutEnvelopes(books))
        },
      ),
    )
  })
})

/** Closing a period as it is shown changes no figure, but what is pending is named again in the next open one. */
function expectClosingChangesNothing(books: EnvelopeBooks, open: EnvelopeClosing[]) {
  const shown = (periods: EnvelopeClosing[]) =>
    periods.map(({ figures }) => ({ ...figures, pending: 0 }))
  for (let closed = books.closings?.length ?? 0; closed <= open.length; closed += 1) {
    const closings = open.slice(0, closed)
    expect(shown(workOutEnvelopes({ ...books, closings }))).toEqual(shown(open))
  }
}

describe('a line that has ended', () => {
  const books = (carriedInto: Record<string, string>): EnvelopeBooks => ({
    accounts: [account('everyday'), account('visa', 'EUR', true)],
    periods: 3,
    periodOf: monthsFrom('2026-01'),
    heldBefore: { everyday: 500_00 },
    carriedInto,
    lines: (period) => [
      { id: 'food', policy: 'both', assignedMinor: 100_00, categoryIds: ['food'] },
      ...(period === 0
        ? [{ id: 'out', policy: 'both' as const, assignedMinor: 80_00, categoryIds: ['out'] }]
        : []),
    ],
    flows: [spend('everyday', '2026-01-10', 'out', '30.00')],
  })
  const late = [
    spend('everyday', '2026-01-20', 'out', '5.00'),
    spend('visa', '2026-01-21', 'out', '7.00'),
  ]
  const second = (carriedInto: Record<string, string>, flows: Flow[] = []) => {
    const open = books(carriedInto)
    const closings = workOutEnvelopes(open).slice(0, 1)
    const period = workOutEnvelopes({ ...open, flows: [...open.flows, ...flows], closings })[1]
    return period?.figures
  }

  test.each([
    ['food', 150_00, 0],
    ['gone', 100_00, 50_00],
  ])('leaves what it had to %s', (successor, carriedIn, released) => {
    const figures = second({ out: successor })
    expect(figures?.lines).toMatchObject([{ carriedIn: carriedIn, available: carriedIn + 100_00 }])
    expect(figures).toMatchObject({ released, exchangeDifference: 0 })
  })

  test('leaves late amounts to the line that takes over', () => {
    const figures = second({ out: 'food' }, late)
    expect(figures?.lines).toMatchObject([{ activity: -12_00, lateActivity: -12_00 }])
    expect(figures?.payments).toMatchObject([{ moved: 7_00 }])
    expect(figures).toMatchObject({ latePool: 0, exchangeDifference: 0 })
  })

  test('leaves late amounts to the pool where none takes over', () => {
    const figures = second({}, late)
    expect(figures?.lines).toMatchObject([{ activity: 0, lateActivity: 0 }])
    expect(figures?.payments).toMatchObject([{ activity: 7_00, lateActivity: 7_00 }])
    expect(figures?.outside.uncovered).toBe(-12_00)
    expect(figures).toMatchObject({ latePool: -12_00, exchangeDifference: 0 })
  })
})

test('what was held before a closed first period, and is corrected, counts in the first open one', () => {
  const books: EnvelopeBooks = {
    accounts: [account('everyday')],
    periods: 2,
    periodOf: monthsFrom('2026-01'),
    heldBefore: { everyday: 500_00 },
    lines: () => [],
    flows: [],
  }
  const closings = workOutEnvelopes(books).slice(0, 1)
  const periods = workOutEnvelopes({ ...books, heldBefore: { everyday: 520_00 }, closings })
  expect(
    periods.map(({ figures }) => [figures.opening, figures.latePool, figures.toBeBudgeted]),
  ).toEqual([
    [500_00, 0, 500_00],
    [20_00, 20_00, 520_00],
  ])
  expect(periods[1]?.figures.exchangeDifference).toBe(0)
})
