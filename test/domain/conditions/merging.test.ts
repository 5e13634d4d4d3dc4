import { expect, it } from 'vitest'
import { comparisonsOf, type Condition } from '../../../src/domain/conditions/conditions.ts'
import { predicateOf, type Subject } from '../../../src/domain/conditions/holds.ts'
import { mergedCondition } from '../../../src/domain/conditions/merging.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'

const is = (field: 'categoryId' | 'tagId' | 'kind' | 'importId', value: string) =>
  ({ field, op: 'is', value }) as const
const oneOf = (field: 'categoryId' | 'tagId' | 'kind', value: string[]) =>
  ({ field, op: 'oneOf', value }) as const
const within = (value: string | string[]) => ({ field: 'categoryId', op: 'within', value }) as const
const none = { field: 'tagId', op: 'isEmpty' } as const

it.each<[string, Condition, Condition]>([
  ['a comparison stays', is('tagId', 'a'), is('tagId', 'a')],
  ['a single alternative stands for itself', { any: [is('tagId', 'a')] }, is('tagId', 'a')],
  [
    'alternatives of one field are a list, each value once',
    { any: [is('tagId', 'a'), none, oneOf('tagId', ['b', 'a']), is('kind', 'x')] },
    { any: [oneOf('tagId', ['a', 'b']), none, is('kind', 'x')] },
  ],
  [
    'categories with what is below them are a list of their own',
    { any: [within('a'), is('categoryId', 'b'), within(['c', 'd'])] },
    { any: [within(['a', 'c', 'd']), is('categoryId', 'b')] },
  ],
  [
    'nested alternatives are alternatives',
    { any: [is('tagId', 'a'), { any: [is('tagId', 'b'), { any: [is('tagId', 'c')] }] }] },
    oneOf('tagId', ['a', 'b', 'c']),
  ],
  [
    'what takes no list stays',
    { any: [is('importId', 'a'), is('importId', 'b'), none, none] },
    { any: [is('importId', 'a'), is('importId', 'b'), none, none] },
  ],
  ['in not', { not: { any: [within('a'), within('b')] } }, { not: within(['a', 'b']) }],
  [
    'several that must not hold',
    { all: [{ not: within('a') }, is('kind', 'x'), { all: [{ not: within('b') }] }] },
    { all: [is('kind', 'x'), { not: within(['a', 'b']) }] },
  ],
  [
    'one that must not hold stays in its place',
    { all: [{ not: is('tagId', 'a') }, is('tagId', 'b'), is('tagId', 'c')] },
    { all: [{ not: is('tagId', 'a') }, is('tagId', 'b'), is('tagId', 'c')] },
  ],
])('%s', (_, condition, expected) => {
  expect(mergedCondition(condition)).toEqual(expected)
})

const IDS = ['a', 'b', 'c', 'd']
const KINDS = ['expense', 'income', 'transfer']

function anyComparison(random: Random): Condition {
  const id = () => random.pick(IDS)
  return random.pick<() => Condition>([
    () => is('categoryId', id()),
    () => oneOf('categoryId', [id(), id()]),
    () => within(id()),
    () => within([id(), id()]),
    () => is('tagId', id()),
    () => oneOf('tagId', [id(), id()]),
    () => none,
    () => is('kind', random.pick(KINDS)),
    () => is('importId', id()),
    () => ({ field: 'reviewed', op: 'is', value: random.chance(0.5) }),
  ])()
}

function anyCondition(random: Random, levels: number): Condition {
  if (levels === 1 || random.chance(0.2)) {
    return anyComparison(random)
  }
  const member = () => anyCondition(random, levels - 1)
  const members = () => Array.from({ length: random.whole(1, 4) }, member)
  return random.pick<() => Condition>([
    () => ({ all: members() }),
    () => ({ any: members() }),
    () => ({ not: member() }),
  ])()
}

const anySubject = (random: Random): Subject => ({
  texts: { description: '', payeeRaw: '', note: '' },
  ...{ amountMinor: 1, currency: 'EUR', date: '2026-01-01', status: 'cleared', source: 'user' },
  ...{ kind: random.pick(KINDS), accountId: 'a', payeeIds: [], uncategorised: false },
  categoryIds: IDS.filter(() => random.chance(0.3)),
  tagIds: IDS.filter(() => random.chance(0.3)),
  ...{ reviewed: random.chance(0.5), private: false, isSplit: false, hasAttachment: false },
  importId: random.chance(0.5) ? random.pick(IDS) : null,
  recurringId: random.chance(0.5) ? random.pick(IDS) : null,
  ...{ createdBy: 'me', externalId: null, metadata: {} },
})

it('holds for the same as before, with no more comparisons', () => {
  const random = randomFrom(SEED)
  let fewer = 0
  for (let round = 0; round < rounds(1000, 20_000); round++) {
    const condition = anyCondition(random, 5)
    const merged = mergedCondition(condition)
    const [before, after] = [condition, merged].map((one) => predicateOf(one, '2026-01-01'))
    for (let row = 0; row < 20; row++) {
      const subject = anySubject(random)
      expect(after?.(subject), JSON.stringify(condition)).toBe(before?.(subject))
    }
    const [many, few] = [condition, merged].map((one) => comparisonsOf(one).length)
    expect(few).toBeLessThanOrEqual(many ?? 0)
    fewer += few === many ? 0 : 1
  }
  expect(fewer).toBeGreaterThan(100)
})
