import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { takenAs, takenBy } from '../../src/http/stored-fields.ts'
import { CreateCategoryRequest } from '../../src/areas/money/categories/categories.contract.ts'
import { CreateTagRequest } from '../../src/areas/money/tags/tags.contract.ts'

it.each([
  ['a category', CreateCategoryRequest],
  ['a tag', CreateTagRequest],
])('a stored name of %s is one that the API leaves as it is', (_, { shape }) => {
  const { name } = takenAs({ shape }, ['name'])
  const taken = ['Food', 'Food and drink', 'x'.repeat(100)].filter((one) => name(one, {}))
  expect(taken).toHaveLength(3)
  const wrong = [
    '',
    ' ',
    ' Food',
    'Food ',
    '\tFood',
    'Food\n',
    '\u00a0Food',
    'x'.repeat(101),
    1,
    null,
  ]
  expect(wrong.filter((one) => name(one, {}))).toEqual([])
})

it('compares texts alone with what the API makes of them', () => {
  const inner = z.object({ name: z.string().trim(), count: z.int().default(1) })
  expect(takenBy(inner)({ name: ' a ' }, {})).toBe(true)
  expect(takenBy(z.string().trim())(' a ', {})).toBe(false)
  expect(takenBy(z.string().toUpperCase())('eur', {})).toBe(false)
  expect(takenBy(inner)({ name: 1 }, {})).toBe(false)
})
