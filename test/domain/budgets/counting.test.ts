import { describe, expect, test } from 'vitest'
import { convertSums } from '../../../src/domain/budgets/conversion.ts'
import {
  type AccountLine,
  countEnvelope,
  countLimits,
  figureKey,
  splitKey,
  totalOf,
} from '../../../src/domain/budgets/counting.ts'
import { type CategoryLine, coverageOf } from '../../../src/domain/budgets/coverage.ts'
import type { Flow } from '../../../src/domain/budgets/flows.ts'
import {
  account,
  category,
  cents,
  flow,
  monthsFrom,
  ratesFrom,
  spend,
  table,
  text,
} from './budget.fixtures.ts'

const INSIDE = [account('everyday'), account('savings'), account('visa', 'EUR', true)]
const CATEGORIES = [
  category('food'),
  category('out', 'food'),
  category('coffee', 'out'),
  category('groceries', 'food'),
  category('travel'),
  { ...category('work'), isExcluded: true },
  category('train', 'work'),
  category('investing'),
  category('fees'),
]
const DAY = '2026-01-15'

interface Rules {
  hidden?: readonly Flow[]
  lines?: readonly CategoryLine[]
  countPending?: boolean
  countTransfers?: boolean
  accountLines?: readonly AccountLine[]
}

const FOOD_AND_OUT = [
  { id: 'Food', categoryIds: ['food', 'train'] },
  { id: 'Out', categoryIds: ['out'] },
]

const rulesOf = ({ lines = FOOD_AND_OUT, countPending = true }: Rules) => ({
  accounts: new Map(INSIDE.map((one) => [one.id, one])),
  coverageIn: () => coverageOf(CATEGORIES, lines),
  periodOf: monthsFrom('2026-01'),
  countPending,
})

const sumsOf = (counted: Parameters<typeof convertSums>[0]) => {
  const sums = convertSums(counted, 'EUR', ratesFrom([])).sums.get(0) ?? new Map<string, number>()
  return Object.fromEntries([...sums].filter(([, minor]) => minor !== 0))
}

const envelope = (flows: readonly Flow[], rules: Rules = {}) =>
  sumsOf(
    countEnvelope(flows, rules.hidden ?? [], {
      ...rulesOf(rules),
      incomeInNextPeriod: new Set(['salary']),
    }),
  )

const limits = (flows: readonly Flow[], rules: Rules = {}) =>
  sumsOf(
    countLimits(flows, rules.hidden ?? [], {
      ...rulesOf(rules),
      countTransfers: rules.countTransfers ?? false,
      accountLinesIn: () => rules.accountLines ?? [],
    }),
  )

const transfer = (from: string, to: string, amount: number, more: Partial<Flow> = {}) =>
  flow('transfer', from, DAY, amount, { counterAccountId: to, ...more })

test.each([
  ['food', '', 'food'],
  ['food', 'visa', 'food visa'],
])('the key of %s on card %j is %j', (name, card, key) => {
  expect(figureKey(name, card)).toBe(key)
  expect(splitKey(key)).toEqual([name, card])
})

describe('the nearest line in the category tree', () => {
  const flows = [
    spend('everyday', DAY, 'food', '21.50'),
    spend('everyday', DAY, 'groceries', '20.00'),
    spend('everyday', DAY, 'out', '2.35'),
    spend('everyday', DAY, 'coffee', '3.00'),
    spend('everyday', DAY, 'travel', '9.99'),
  ]

  test('takes each entry of an envelope budget once', () => {
    expect(envelope(flows)).toEqual({ Food: -41_50, Out: -5_35, uncovered: -9_99 })
  })

  test('is one of all that overlap in a limit budget', () => {
    expect(limits(flows, { accountLines: [{ id: 'All', accountIds: undefined }] })).toEqual({
      Food: -46_85,
      Out: -5_35,
      uncovered: -9_99,
      All: -56_84,
      [totalOf('Food')]: -46_85,
    })
  })
})

describe('transfers over the edge', () => {
  const lines = [
    { id: 'Investing', categoryIds: ['investing'] },
    { id: 'Bank fees', categoryIds: ['fees'] },
  ]
  const fee = (amount: string) => spend('everyday', DAY, 'fees', amount)
  const invests = { categoryId: 'investing' }
  const rows = table(`
    | Everyday to Depot, category Investing | Everyday | 200.00 | 1.50 | 198.50 | -198.50 | -198.50 | -1.50 | 0.00 | -200.00 |
    | Depot to Everyday, category Investing | Everyday | 80.00 | 2.00 | 78.00 | 78.00 | 78.00 | 0.00 | 0.00 | 78.00 |
    | Everyday to Depot, no category | Everyday | 50.00 | 0.00 | 50.00 | -50.00 | 0.00 | 0.00 | -50.00 | -50.00 |
    | Everyday to Savings, both inside | both | 100.00 | 1.00 | 99.00 | none | 0.00 | -1.00 | 0.00 | -1.00 |
  `)
  const booked = [
    [transfer('everyday', 'depot', -198_50, invests), fee('1.50')],
    [
      transfer('everyday', 'depot', 78_00, invests),
      transfer('depot', 'everyday', -78_00, invests),
      spend('depot', DAY, 'fees', '2.00'),
    ],
    [transfer('everyday', 'depot', -50_00), transfer('depot', 'everyday', 50_00)],
    [
      transfer('everyday', 'savings', -99_00, invests),
      transfer('savings', 'everyday', 99_00, invests),
      fee('1.00'),
    ],
  ]

  test.each(
    rows.map((cells, at) => [cells[0], cells.slice(6, 9), cells[9], booked[at] ?? []] as const),
  )('%s', (_, [investing, fees, pool], balance, flows) => {
    const sums = envelope(flows, { lines })
    expect(
      [sums['Investing'], sums['Bank fees'], sums['transfers']].map((one) => text(one ?? 0)),
    ).toEqual([investing, fees, pool])
    const inside = flows.filter(({ accountId }) => accountId !== 'depot')
    const moved = inside.map(({ amountMinor }) => amountMinor)
    expect(text(moved.reduce((all, one) => all + one))).toBe(balance)
    expect(text(Object.values(sums).reduce((all, one) => all + one, 0))).toBe(balance)
  })

  test('count as uncovered or excluded where no line covers their category', () => {
    expect(
      envelope([
        transfer('everyday', 'depot', -10_00, { categoryId: 'travel' }),
        transfer('visa', 'depot', -20_00, { categoryId: 'work' }),
      ]),
    ).toEqual({ uncovered: -10_00, 'excluded visa': -20_00 })
  })

  test('count in a limit budget only where it says so, and never between accounts inside', () => {
    const flows = [
      transfer('everyday', 'depot', -10_00, invests),
      transfer('everyday', 'depot', -20_00),
      transfer('everyday', 'savings', -40_00, invests),
    ]
    expect(limits(flows, { lines })).toEqual({})
    expect(limits(flows, { lines, countTransfers: true })).toEqual({
      Investing: -10_00,
      [totalOf('Investing')]: -10_00,
      transfers: -20_00,
    })
  })
})

describe('an envelope budget', () => {
  test('counts the flows of cash accounts, of cards and of both', () => {
    expect(
      envelope([
        flow('opening', 'everyday', DAY, 1),
        flow('opening', 'visa', DAY, 2),
        flow('adjustment', 'everyday', DAY, 4),
        flow('adjustment', 'visa', DAY, 8),
        flow('income', 'everyday', DAY, 16),
        flow('income', 'everyday', DAY, 32, { categoryId: 'salary' }),
        flow('income', 'visa', DAY, 64),
        flow('income', 'visa', DAY, 128, { categoryId: 'salary' }),
        flow('expense', 'everyday', DAY, -256),
        flow('expense', 'visa', DAY, -512, { categoryId: 'out' }),
        flow('expense', 'depot', DAY, -1024, { categoryId: 'out' }),
        transfer('everyday', 'visa', -2048),
        transfer('visa', 'everyday', 2048),
      ]),
    ).toEqual({
      opening: 1,
      adjustments: 4,
      income: 16,
      deferred: 32,
      'income visa': 64,
      'deferred visa': 128,
      uncategorised: -256,
      'Out visa': -512,
      'payments visa': 2048,
    })
  })

  test('counts excluded categories outside, also where a line names them', () => {
    expect(envelope([spend('everyday', DAY, 'train', '1.00')])).toEqual({ excluded: -1_00 })
  })

  test('counts hidden rows in private, but payments to cards', () => {
    const hidden = [
      spend('everyday', DAY, 'food', '1.00'),
      spend('visa', DAY, 'out', '2.00'),
      flow('income', 'everyday', DAY, 4_00, { categoryId: 'salary' }),
      transfer('everyday', 'visa', -8_00),
      transfer('visa', 'everyday', 8_00),
    ]
    const seen = spend('everyday', DAY, 'food', '16.00')
    expect(envelope([...hidden, seen], { hidden })).toEqual({
      Food: -16_00,
      private: 3_00,
      'private visa': -2_00,
      'payments visa': 8_00,
    })
  })

  test('names what is pending where that does not count, but payments to cards', () => {
    const flows = [
      { ...spend('everyday', DAY, 'food', '5.00'), pendingMinor: -3_00 },
      flow('income', 'everyday', DAY, 20_00, { pendingMinor: 20_00 }),
      flow('opening', 'visa', DAY, -20_00, { pendingMinor: -20_00 }),
      transfer('visa', 'everyday', 8_00, { pendingMinor: 8_00 }),
    ]
    expect(envelope(flows, { countPending: false })).toEqual({ Food: -2_00, pending: 17_00 })
    expect(envelope(flows)).toEqual({ Food: -5_00, income: 20_00, 'payments visa': 8_00 })
    expect(envelope(flows, { countPending: false, hidden: flows.slice(0, 1) })).toEqual({
      private: -2_00,
      pending: 17_00,
    })
  })
})

describe('a limit budget', () => {
  const accountLines = [
    { id: 'All', accountIds: undefined },
    { id: 'Visa', accountIds: new Set(['visa']) },
  ]

  test('counts spending in lines of accounts and of everything, unless its category is excluded', () => {
    const flows = [
      spend('everyday', DAY, 'groceries', '0.01'),
      spend('visa', DAY, 'travel', '0.02'),
      spend('visa', DAY, '', '0.04'),
      spend('visa', DAY, 'train', '0.08'),
      flow('income', 'visa', DAY, 16),
      flow('opening', 'everyday', DAY, 32),
      flow('adjustment', 'everyday', DAY, 64),
      flow('expense', 'depot', DAY, -128),
      transfer('visa', 'depot', -256),
    ]
    expect(limits(flows, { accountLines, countTransfers: true })).toEqual({
      Food: -1,
      [totalOf('Food')]: -1,
      uncovered: -2,
      uncategorised: -4,
      excluded: -8,
      income: 16,
      transfers: -256,
      All: -1 - 2 - 4 - 256,
      Visa: -2 - 4 - 256,
    })
  })

  test('counts hidden spending in private and in lines of accounts, and hides income', () => {
    const hidden = [
      spend('visa', DAY, 'out', '1.00'),
      flow('income', 'everyday', DAY, cents('4.00')),
      transfer('everyday', 'depot', -8_00),
    ]
    expect(limits(hidden, { hidden, accountLines })).toEqual({
      private: -1_00,
      All: -1_00,
      Visa: -1_00,
    })
  })

  test('names pending spending where that does not count, and no pending income', () => {
    const flows = [
      { ...spend('everyday', DAY, 'food', '5.00'), pendingMinor: -3_00 },
      flow('income', 'everyday', DAY, 20_00, { pendingMinor: 15_00 }),
    ]
    expect(limits(flows, { countPending: false })).toEqual({
      Food: -2_00,
      [totalOf('Food')]: -2_00,
      income: 5_00,
      pending: -3_00,
    })
  })

  test('adds what two lines with one category cover to one of them', () => {
    const lines = [
      { id: 'Eating', categoryIds: ['food'] },
      { id: 'Fun', categoryIds: ['food'] },
    ]
    expect(limits([spend('everyday', DAY, 'coffee', '1.00')], { lines })).toEqual({
      Eating: -1_00,
      Fun: -1_00,
      [totalOf('Fun')]: -1_00,
    })
  })
})
