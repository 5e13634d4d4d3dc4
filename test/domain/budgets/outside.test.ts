import { expect, test } from 'vitest'
import type { Counted } from '../../../src/domain/budgets/conversion.ts'
import { outsideCategoriesIn } from '../../../src/domain/budgets/outside.ts'
import { sum } from '../../../src/domain/money.ts'
import { ratesFrom } from './budget.fixtures.ts'

const rateOn = ratesFrom([{ from: 'USD', to: 'EUR', date: '2026-06-01', rate: '0.5' }])

const counted = (key: string, categoryId: string, minor: number, more = {}): Counted => ({
  ...{ period: 5, day: '2026-06-03', currency: 'EUR', key, categoryId, minor },
  ...more,
})

const outsideOf = (...all: Counted[]) => outsideCategoriesIn(all, 'EUR', rateOn)(5)

test('categories outside of lines are summed by figure, whatever the card', () => {
  expect(
    outsideOf(
      counted('uncovered', 'b', -300),
      counted('excluded', 'a', -50),
      counted('uncovered acc_1', 'a', -200),
      counted('uncovered', 'b', -1, { day: '2026-06-09' }),
      counted('uncovered', 'a', 25, { period: 6 }),
    ).map(({ figure, categoryId, minor }) => [figure, categoryId, minor]),
  ).toEqual([
    ['excluded', 'a', -50],
    ['uncovered', 'a', -200],
    ['uncovered', 'b', -301],
  ])
})

test('amounts without a category, on lines, or that cancel each other out name none', () => {
  expect(
    outsideOf(
      counted('uncovered', '', -300),
      counted('bln_1', 'a', -300),
      counted('excluded', 'c', -70),
      counted('excluded', 'c', 70),
    ),
  ).toEqual([])
  expect(outsideCategoriesIn([], 'EUR', rateOn)(5)).toEqual([])
})

test('categories of a day share out its converted sum, and add up to it', () => {
  const dollars = ['c', 'a', 'b'].map((id) => counted('uncovered', id, -1, { currency: 'USD' }))
  const shares = outsideOf(...dollars)
  // Three cents of a dollar are 1.5 of a euro, rounded half to even.
  expect(sum(shares.map(({ minor }) => minor))).toBe(-2)
  expect(new Set(shares.map(({ categoryId }) => categoryId)).size).toBe(shares.length)
})

test('an amount whose currency has no rate names no category', () => {
  expect(outsideOf(counted('uncovered', 'a', -100, { currency: 'JPY' }))).toEqual([])
})
