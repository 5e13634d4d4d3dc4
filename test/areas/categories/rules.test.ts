import { describe, expect, it } from 'vitest'
import {
  flawOf,
  idsBelow,
  type PlacedCategory,
  rollUpCategories,
} from '../../../src/areas/money/categories/categories.rules.ts'

const at = (
  id: string,
  parentId: string | null = null,
  kind: PlacedCategory['kind'] = 'expense',
) => ({
  id,
  parentId,
  kind,
})

const chain = (length: number) =>
  Array.from({ length }, (_, level) => at(String(level), level === 0 ? null : String(level - 1)))

const codeOf = (tree: PlacedCategory[]) => {
  const flaw = flawOf(tree)
  return flaw && [flaw.id, flaw.error().code]
}

describe('a tree of categories', () => {
  it('may be five levels deep, in any order of its rows', () => {
    expect(codeOf(chain(5))).toBeUndefined()
    expect(codeOf(chain(5).toReversed())).toBeUndefined()
    expect(codeOf(chain(6))).toEqual(['5', 'categories.tooDeep'])
  })

  it('has no circle, no foreign parent and no child of the other kind', () => {
    expect(codeOf([at('a', 'a')])).toEqual(['a', 'categories.belowItself'])
    expect(codeOf([at('a', 'b'), at('b', 'c'), at('c', 'a')])).toEqual([
      'a',
      'categories.belowItself',
    ])
    expect(codeOf([at('a', 'x')])).toEqual(['a', 'categories.unknownParent'])
    expect(codeOf([at('a'), at('b', 'a', 'income')])).toEqual(['b', 'categories.kindMismatch'])
  })

  it('knows what stands below a category, itself included', () => {
    const tree = [at('a'), at('b', 'a'), at('c', 'b'), at('d')]
    expect(idsBelow(tree, 'a')).toEqual(new Set(['a', 'b', 'c']))
    expect(idsBelow(tree, 'd')).toEqual(new Set(['d']))
  })
})

describe('sums', () => {
  const tree = [at('a'), at('b', 'a'), at('c', 'b'), at('i', null, 'income')]
  const activity = (categoryId: string, currency: string, minor: bigint) => ({
    categoryId,
    currency,
    minor,
    lineCount: 1,
  })

  it('go up to every category above, once, by currency', () => {
    const sums = rollUpCategories(tree, [
      activity('c', 'JPY', 7n),
      activity('c', 'EUR', 5n),
      activity('b', 'EUR', 3n),
    ])
    expect(sums.get('a')).toEqual([
      { currency: 'EUR', lineCount: 0, ownMinor: 0n, minor: 8n },
      { currency: 'JPY', lineCount: 0, ownMinor: 0n, minor: 7n },
    ])
    expect(sums.get('b')).toContainEqual({ currency: 'EUR', lineCount: 1, ownMinor: 3n, minor: 8n })
  })

  it('of income are positive when earned, and beyond 2^53 exact', () => {
    const large = 2n ** 60n
    const sums = rollUpCategories(tree, [activity('i', 'EUR', -large), activity('i', 'EUR', -1n)])
    expect(sums.get('i')).toEqual([
      { currency: 'EUR', lineCount: 2, ownMinor: large + 1n, minor: large + 1n },
    ])
  })

  it('leave out what is no category of the caller', () => {
    expect(rollUpCategories(tree, [activity('x', 'EUR', 1n)])).toEqual(new Map())
  })
})
