import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src/domain/errors.ts'
import {
  coverageOf,
  type End,
  type LinkKind,
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
    expect(coverageOf('refundOf', undefined, source, target)).toEqual({
      amountMinor,
      currency: 'EUR',
    })
  })

  it('covers what is said, in the currency of the expense', () => {
    const yen = { ...expense, currency: 'JPY', amountMinor: 9000 }
    expect(coverageOf('reimburses', '12.5', income, expense).amountMinor).toBe(1250)
    expect(coverageOf('reimburses', '9000', income, yen)).toEqual({
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
    const refused = refusalOf(() => coverageOf('refundOf', amount, source, target))
    expect(refused).toEqual([`transactions.${reason}`, field])
  })

  it('is an income', () => {
    const other = { ...expense, transactionId: 'txn_other' }
    expect(refusalOf(() => coverageOf('refundOf', undefined, other, expense))).toEqual([
      'transactions.linkKinds',
      'kind',
    ])
  })
})

describe('a link that gives no money back', () => {
  it.each<[LinkKind, End, End]>([
    ['feeOf', expense, { ...income, kind: 'transfer' }],
    ['partOf', income, { ...expense, linkedMinor: 10_000 }],
    ['custom', { ...income, kind: 'opening' }, expense],
  ])('%s has no amount', (kind, source, target) => {
    const none = { amountMinor: null, currency: null }
    expect(coverageOf(kind, undefined, source, target)).toEqual(none)
    expect(refusalOf(() => coverageOf(kind, '1', source, target))).toEqual([
      'transactions.linkWithoutAmount',
      'amount',
    ])
  })

  it('is, as a fee, an expense', () => {
    expect(refusalOf(() => coverageOf('feeOf', undefined, income, expense))).toEqual([
      'transactions.linkKinds',
      'kind',
    ])
  })
})
