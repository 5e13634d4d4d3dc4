import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src/domain/errors.ts'
import {
  categoryFrom,
  coverageOfLink,
  type End,
  type TransactionLinkKind,
} from '../../../src/areas/money/transactions/links/links.rules.ts'

const income: End = {
  transactionId: 'txn_in',
  kind: 'income',
  currency: 'EUR',
  amountMinor: 3000,
  linkedMinor: 0,
}
const expense: End = { ...income, transactionId: 'txn_out', kind: 'expense', amountMinor: 10_000 }

const refusalOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    const { code, field } = error as AppError
    return [code, field]
  }
  return undefined
}

describe('a refund', () => {
  it.each([
    ['all of the refund, when it is less', income, expense, 3000],
    ['all of the expense, when that is less', income, { ...expense, amountMinor: 1000 }, 1000],
    ['what the refund has left', { ...income, linkedMinor: 2500 }, expense, 500],
    ['what the expense has left', income, { ...expense, linkedMinor: 9900 }, 100],
  ])('covers %s', (_, source, target, amountMinor) => {
    expect(coverageOfLink('refundOf', undefined, source, target)).toEqual({
      amountMinor,
      currency: 'EUR',
    })
  })

  it('covers what is said, in the currency of the expense', () => {
    const yen = { ...expense, currency: 'JPY', amountMinor: 9000 }
    expect(coverageOfLink('reimburses', '12.5', income, expense).amountMinor).toBe(1250)
    expect(coverageOfLink('reimburses', '9000', income, yen)).toEqual({
      amountMinor: 9000,
      currency: 'JPY',
    })
  })

  it.each([
    ['more than it is', '30.01', income, expense, 'linkedTooMuch', 'amount'],
    [
      'more than it has left',
      '5.01',
      { ...income, linkedMinor: 2500 },
      expense,
      'linkedTooMuch',
      'amount',
    ],
    [
      'more than is left',
      '1.01',
      income,
      { ...expense, linkedMinor: 9900 },
      'linkedTooMuch',
      'amount',
    ],
    [
      'what is covered',
      undefined,
      income,
      { ...expense, linkedMinor: 10_000 },
      'linkedTooMuch',
      'amount',
    ],
    [
      'more yen',
      '9001',
      income,
      { ...expense, currency: 'JPY', amountMinor: 9000 },
      'linkedTooMuch',
      'amount',
    ],
    [
      'yen, without saying how many',
      undefined,
      income,
      { ...expense, currency: 'JPY' },
      'linkAmountNeeded',
      'amount',
    ],
    ['itself', undefined, income, income, 'linkedToItself', 'transactionId'],
    ['an income', undefined, income, { ...expense, kind: 'income' as const }, 'linkKinds', 'kind'],
    [
      'a transfer',
      undefined,
      income,
      { ...expense, kind: 'transfer' as const },
      'linkKinds',
      'kind',
    ],
  ])('does not cover %s', (_, amount, source, target, reason, field) => {
    const refused = refusalOf(() => coverageOfLink('refundOf', amount, source, target))
    expect(refused).toEqual([`transactions.${reason}`, field])
  })

  it('says how much is left, and which way round a link goes', () => {
    const messageOf = (amount: string | undefined, source: End, target: End) => {
      try {
        coverageOfLink('refundOf', amount, source, target)
      } catch (error) {
        return (error as AppError).message
      }
      return undefined
    }
    expect(messageOf('5.01', { ...income, linkedMinor: 2500 }, expense)).toContain(': 5.00 EUR.')
    expect(messageOf('1', income, { ...expense, linkedMinor: 10_001 })).toContain(': 0.00 EUR.')
    expect(messageOf(undefined, expense, income)).toBe(
      'A refundOf link leads from an income in the path to an expense as transactionId, but here it would lead from an expense to an income. Swap the transactions, or choose another kind of link.',
    )
  })

  it('is an income', () => {
    const other = { ...expense, transactionId: 'txn_other' }
    expect(refusalOf(() => coverageOfLink('refundOf', undefined, other, expense))).toEqual([
      'transactions.linkKinds',
      'kind',
    ])
  })
})

describe('a link that gives no money back', () => {
  it.each<[TransactionLinkKind, End, End]>([
    ['feeOf', expense, { ...income, kind: 'transfer' }],
    ['partOf', income, { ...expense, linkedMinor: 10_000 }],
    ['custom', { ...income, kind: 'opening' }, expense],
  ])('%s has no amount', (kind, source, target) => {
    const none = { amountMinor: null, currency: null }
    expect(coverageOfLink(kind, undefined, source, target)).toEqual(none)
    expect(refusalOf(() => coverageOfLink(kind, '1', source, target))).toEqual([
      'transactions.linkWithoutAmount',
      'amount',
    ])
  })

  it('is, as a fee, an expense', () => {
    expect(refusalOf(() => coverageOfLink('feeOf', undefined, income, expense))).toEqual([
      'transactions.linkKinds',
      'kind',
    ])
  })
})

describe('an income that takes the category of an expense', () => {
  const takes = (
    amountMinor: number,
    parts: [number, string | null][],
    own: Partial<Parameters<typeof categoryFrom>[0]> = {},
  ) => {
    const { currency } = income
    const leg = { accountId: 'acc', ownerId: 'usr', currency, externalId: null }
    const splits = parts.map(([minor, categoryId]) => ({
      ...{ amountMinor: minor, categoryId, note: null },
    }))
    const [only] = parts
    return categoryFrom(
      {
        ...{ categoryId: null, splits: [], signedMinor: amountMinor },
        leg: { ...leg, status: 'cleared' },
        ...own,
      },
      parts.length === 1 && only
        ? { categoryId: only[1], splits: [] }
        : { categoryId: null, splits },
    )
  }
  const inParts = (...parts: [string, string | null][]) => ({
    splits: parts.map(([amount, categoryId]) => ({ amount, categoryId })),
  })

  it.each<[string, number, [number, string | null][], ReturnType<typeof categoryFrom>]>([
    ['the whole', 3000, [[10_000, 'clothes']], { categoryId: 'clothes' }],
    [
      'shares rounded down, the rest on the last',
      1001,
      [
        [7500, 'clothes'],
        [2500, 'food'],
      ],
      inParts(['7.50', 'clothes'], ['2.51', 'food']),
    ],
    [
      'none of negative parts',
      1050,
      [
        [7500, 'clothes'],
        [-500, 'voucher'],
        [3000, 'food'],
      ],
      inParts(['7.50', 'clothes'], ['3.00', 'food']),
    ],
    [
      'the rest where a share is nothing',
      50,
      [
        [9999, 'clothes'],
        [1, 'food'],
      ],
      inParts(['0.49', 'clothes'], ['0.01', 'food']),
    ],
    [
      'no share of nothing',
      50,
      [
        [1, 'food'],
        [4999, 'clothes'],
        [5000, null],
      ],
      inParts(['0.24', 'clothes'], ['0.26', null]),
    ],
    [
      'the only share as the whole',
      1,
      [
        [1, 'food'],
        [9999, 'clothes'],
      ],
      { categoryId: 'clothes' },
    ],
    [
      'nothing where what is left has no category',
      1,
      [
        [1, 'food'],
        [9999, null],
      ],
      undefined,
    ],
    ['nothing of none', 3000, [[10_000, null]], undefined],
  ])('takes %s', (_, amountMinor, parts, taken) => {
    expect(takes(amountMinor, parts)).toEqual(taken)
  })

  it('takes nothing where it has a category or parts', () => {
    const whole: [number, string][] = [[10_000, 'clothes']]
    expect(takes(3000, whole, { categoryId: 'food' })).toBeUndefined()
    const splits = [1000, 2000].map((amountMinor) => ({
      ...{ amountMinor, categoryId: null, note: null },
    }))
    expect(takes(3000, whole, { splits })).toBeUndefined()
  })
})
