import { describe, expect, test } from 'vitest'
import { coverageOf } from '../../../src/domain/budgets/coverage.ts'
import { category } from './budget.fixtures.ts'

const FOOD = [
  category('food'),
  category('out', 'food'),
  category('coffee', 'out'),
  category('groceries', 'food'),
  category('travel'),
]

describe('the nearest line', () => {
  const { nearestLine, allLines } = coverageOf(FOOD, [
    { id: 'Food', categoryIds: ['food'] },
    { id: 'Out', categoryIds: ['out'] },
  ])

  test.each([
    ['food', ['Food']],
    ['groceries', ['Food']],
    ['out', ['Out', 'Food']],
    ['coffee', ['Out', 'Food']],
    ['travel', []],
    ['deleted', []],
  ])('of %s is the first of %j', (id, lines) => {
    expect(nearestLine(id)).toBe(lines[0])
    expect(allLines(id)).toEqual(lines)
    // From memory it is the same.
    expect(allLines(id)).toEqual(lines)
  })

  test('a line that names a category and one below it is found once', () => {
    const coverage = coverageOf(FOOD, [{ id: 'Food', categoryIds: ['food', 'coffee'] }])
    expect(coverage.allLines('coffee')).toEqual(['Food'])
    expect(coverage.topLines).toEqual(['Food'])
  })

  test('a line can name a category that is not in the tree', () => {
    const coverage = coverageOf(FOOD, [{ id: 'Old', categoryIds: ['deleted'] }])
    expect(coverage.nearestLine('deleted')).toBe('Old')
  })
})

test('a category is excluded with all below it', () => {
  const { isExcluded } = coverageOf(
    FOOD.map((one) => ({ ...one, isExcluded: one.id === 'out' })),
    [],
  )
  expect(FOOD.filter(({ id }) => isExcluded(id)).map(({ id }) => id)).toEqual(['out', 'coffee'])
  expect(isExcluded('deleted')).toBe(false)
})

describe('lines at the top', () => {
  test.each([
    ['a line below another one is not', { Food: ['food'], Out: ['out'] }, ['Food']],
    ['however deep it is', { Food: ['food'], Coffee: ['coffee'] }, ['Food']],
    [
      'lines beside each other are',
      { Groceries: ['groceries'], Out: ['out'] },
      ['Groceries', 'Out'],
    ],
    ['lines with the same category are', { Food: ['food'], Eating: ['food'] }, ['Food', 'Eating']],
    [
      'one category below another line is enough',
      { A: ['travel', 'out'], Food: ['food'] },
      ['Food'],
    ],
    ['a line without categories is', { Empty: [], Food: ['food'] }, ['Empty', 'Food']],
  ])('%s', (_, lines: Record<string, string[]>, top) => {
    const named = Object.entries(lines).map(([id, categoryIds]) => ({ id, categoryIds }))
    expect(coverageOf(FOOD, named).topLines).toEqual(top)
  })
})
