import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  envelopeThresholdsReached,
  percentSpent,
  thresholdsReached,
  type Threshold,
} from '../../../src/domain/budgets/thresholds.ts'
import { MAX_MINOR } from '../../../src/domain/money.ts'
import { minorOf } from './money.fixtures.ts'

const anyAmount = fc.integer({ min: -MAX_MINOR, max: MAX_MINOR })
const anyTotal = fc.integer({ min: 1, max: MAX_MINOR })
const anyPercents = fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 10 })

test('each threshold is told once, also when the limit is raised', () => {
  const days: [string, string, string, number, Threshold[]][] = [
    ['11-03', '400.00', '319.00', 79, []],
    ['11-05', '400.00', '320.00', 80, [80]],
    ['11-08', '400.00', '300.00', 75, []],
    ['11-11', '400.00', '361.00', 90, [90]],
    ['11-15', '400.00', '400.00', 100, [100]],
    ['11-16', '400.00', '400.01', 100, ['over']],
    ['11-20', '500.00', '400.01', 80, []],
    ['11-24', '500.00', '505.00', 101, []],
  ]
  const told = new Set<Threshold>()
  for (const [day, totalText, spentText, percent, expected] of days) {
    const [total, spent] = [minorOf(totalText), minorOf(spentText)]
    const news = thresholdsReached([80, 90, 100], total, spent).filter((one) => !told.has(one))
    expect([day, percentSpent(total, spent), news]).toEqual([day, percent, expected])
    news.forEach((one) => told.add(one))
  }
})

describe('percent spent', () => {
  test.each([
    ['120.00', '100.00', 83],
    ['140.00', '-10.00', 0],
    ['270.00', '50.00', 18],
  ])('a refund in another month: of %s %s is spent', (total, spent, percent) => {
    expect(percentSpent(minorOf(total), minorOf(spent))).toBe(percent)
  })

  test.each([
    [0, 0, null],
    [0, 100, null],
    [-1, -2, null],
    [1, 0, 0],
    [3, 2, 66],
    [10_000, 9_999, 99],
    [MAX_MINOR, MAX_MINOR, 100],
    [MAX_MINOR, MAX_MINOR - 1, 99],
    [100, MAX_MINOR, MAX_MINOR],
    [1, MAX_MINOR, MAX_MINOR],
  ])('of %i, %i are %s percent', (total, spent, percent) => {
    expect(percentSpent(total, spent)).toBe(percent)
  })

  test('reaches a threshold exactly when the threshold is reached', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        anyTotal,
        anyAmount,
        (percent, total, spent) => {
          const isReached = thresholdsReached([percent], total, spent).includes(percent)
          expect((percentSpent(total, spent) ?? 0) >= percent).toBe(isReached)
        },
      ),
    )
  })
})

describe('the thresholds of a limit', () => {
  test.each<[string, number[], number, number, Threshold[]]>([
    ['no thresholds, less than all', [], 100, 99, []],
    ['no thresholds, more than all', [], 100, 101, ['over']],
    ['several at once, in any order', [100, 50, 200, 80, 50], 100, 150, [50, 80, 100, 'over']],
    ['more than the total', [150], 100, 150, [150, 'over']],
    ['all but a cent', [100], MAX_MINOR, MAX_MINOR - 1, []],
    ['the largest total', [100], MAX_MINOR, MAX_MINOR, [100]],
    ['a part of the largest total', [500, 99], MAX_MINOR, MAX_MINOR - 1, [99]],
    ['no total and nothing spent', [1], 0, 0, []],
    ['no total', [1], 0, 1, ['over']],
    ['a carried deficit and nothing spent', [1], -20, 0, ['over']],
    ['a carried deficit and as many refunds', [1], -20, -20, []],
    ['refunds', [1], 100, -50, []],
  ])('%s', (_, percents, total, spent, expected) => {
    expect(thresholdsReached(percents, total, spent)).toEqual(expected)
  })

  test('more spending never reaches fewer of them', () => {
    fc.assert(
      fc.property(anyPercents, anyAmount, anyAmount, anyAmount, (percents, total, one, other) => {
        const less = thresholdsReached(percents, total, Math.min(one, other))
        const more = thresholdsReached(percents, total, Math.max(one, other))
        expect(more).toEqual(expect.arrayContaining(less))
      }),
    )
  })
})

describe('the thresholds of an envelope', () => {
  test.each<[number, Threshold[]]>([
    [1, []],
    [0, []],
    [-1, ['over']],
  ])('with %i available', (available, expected) => {
    expect(envelopeThresholdsReached(available)).toEqual(expected)
  })
})
