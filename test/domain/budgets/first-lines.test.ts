import { expect, it } from 'vitest'
import {
  type CategoryForLine,
  type FirstLines,
  firstLinesOf,
} from '../../../src/areas/planning/budgets/lines/lines.rules.ts'

const category = (
  id: string,
  parentId: string | null,
  more: Partial<CategoryForLine> = {},
): CategoryForLine => ({ id, name: id, parentId, archived: false, excluded: false, ...more })

const TREE = [
  category('Rent', null),
  category('Food', null),
  category('Power', 'Home'),
  category('Home', null),
  category('Old', 'Home', { archived: true }),
  category('Water', 'Home'),
  category('Outside', null, { excluded: true }),
  category('Inner', 'Outside'),
  category('Gone', null, { archived: true }),
  category('Below', 'Gone'),
  category('food', 'Home', { name: 'FOOD' }),
]

it.each<[FirstLines, string[]]>([
  ['none', []],
  ['top', ['Rent', 'Food', 'Home']],
  [
    'leaves',
    ['Rent', 'Food', 'Home', 'Home > Power', 'Home > Water', 'Home > Home / FOOD', 'Below'],
  ],
])('the first lines of %s', (lines, expected) => {
  const found = firstLinesOf(TREE, lines)
  expect(found.map(({ name, below }) => (below ? `${below} > ${name}` : name))).toEqual(expected)
  expect(found.filter(({ isGroup }) => isGroup).map(({ name }) => name)).toEqual(
    lines === 'leaves' ? ['Home'] : [],
  )
})

it('gives names that are taken a number, and no more lines than a budget can have', () => {
  const many = Array.from({ length: 600 }, (_, at) => category(`c${at}`, null, { name: 'Same' }))
  const names = firstLinesOf(many, 'leaves').map(({ name }) => name)
  expect(names.slice(0, 3)).toEqual(['Same', 'Same 2', 'Same 3'])
  expect([names.length, new Set(names).size]).toEqual([500, 500])
})
