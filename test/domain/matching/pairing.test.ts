import { describe, expect, test } from 'vitest'
import {
  pairUp as pairInSteps,
  type Pairing,
  type PairingSide,
} from '../../../src/domain/matching/pairing.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { rounds } from '../../support/rounds.ts'

const pairUp = <Left, Right>(...args: Parameters<typeof pairInSteps<Left, Right>>) =>
  runSteps(pairInSteps(...args))

interface Item {
  name: string
  day: number
  bucket?: string
}

const side = (items: Item[]): PairingSide<Item> => ({
  items,
  bucket: ({ bucket = '' }) => bucket,
  day: ({ day }) => day,
  group: ({ name, day }) => `${name} ${day}`,
  likeness: ({ name, day }) => `${name} ${day}`,
})

/** Counts how often two items are compared. */
function pairing(more: Partial<Pairing<Item, Item>> = {}) {
  const counted = { scores: 0 }
  const rule: Pairing<Item, Item> = {
    ...{ before: 3, after: 3, floor: 500, least: 700, takesDoubtful: false },
    isRival: (pair, rival) => rival.score > pair.score - 100,
    score: (left, right) => {
      counted.scores += 1
      return 900 - 50 * Math.abs(left.day - right.day)
    },
    ...more,
  }
  return { counted, rule }
}

const many = (count: number, itemOf: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => itemOf(index))

describe('the work', () => {
  test('10,000 equal items on either side are compared once', () => {
    const { counted, rule } = pairing()
    const equal = side(many(10_000, () => ({ name: 'same', day: 1 })))
    const pairs = pairUp(equal, equal, rule)
    expect(pairs).toHaveLength(10_000)
    expect(pairs.every(({ isTaken, left, right }) => isTaken && left === right)).toBe(true)
    expect(counted.scores).toBe(1)
  })

  test('10,000 different ones of one amount and day are too many to tell, and are left alone', () => {
    const { counted, rule } = pairing()
    const different = side(many(10_000, (index) => ({ name: `${index}`, day: 1 })))
    expect(pairUp(different, different, rule)).toEqual([])
    expect(counted.scores).toBe(0)
  })

  test('and so are those that only one of them would leave in doubt', () => {
    const { rule } = pairing()
    const rights = many(101, (index) => ({ name: `${index}`, day: 10 }))
    const near = { name: 'near', day: 14 }
    const blocked = side([...rights, near])
    // The left one of day 10 has 101 alternatives; that of day 14 would have one of its own.
    expect(pairUp(side([{ name: 'a', day: 10 }]), blocked, rule)).toEqual([])
    expect(pairUp(side([{ name: 'b', day: 16 }]), blocked, rule)).toMatchObject([{ right: near }])
    const both = side([
      { name: 'a', day: 10 },
      { name: 'b', day: 16 },
    ])
    expect(pairUp(both, blocked, rule)).toMatchObject([{ right: near }])
    const rightBetween = side([...rights, { name: 'between', day: 12 }])
    expect(pairUp(both, rightBetween, rule)).toEqual([])
  })

  test('ends at two million comparisons', () => {
    const { counted, rule } = pairing()
    const lefts = many(25_000, (index) => ({ name: `${index}`, day: 1 }))
    const rights = many(100, (index) => ({ name: `${index}`, day: 1 }))
    const other = { name: 'other', day: 1, bucket: 'other' }
    const pairs = pairUp(side([...lefts, other]), side([...rights, other]), rule)
    expect(pairs.map(({ left }) => left.name)).toEqual(['other'])
    expect(counted.scores).toBe(1)
  })

  test('counts pairs that are none towards them, too', () => {
    const { counted, rule } = pairing({ floor: 1_000 })
    const inBuckets = (count: number) =>
      side(many(3 * count, (index) => ({ name: `${index}`, day: 1, bucket: `${index % 3}` })))
    expect(pairUp(inBuckets(9_000), inBuckets(100), rule)).toEqual([])
    expect(counted.scores).toBe(1_800_000)
  })

  test('ends where rivals are too many, and leaves all that is alike in doubt', () => {
    const { rule } = pairing()
    const takenOf = (count: number) => {
      const lefts = many(count, (index) => ({ name: `${index}`, day: 1 }))
      const rights = many(count, () => ({ name: 'same', day: 1 }))
      const other = { name: 'other', day: 1, bucket: 'other' }
      const pairs = pairUp(side([...lefts, other]), side([...rights, other]), rule)
      expect(pairs).toHaveLength(count + 1)
      return pairs.filter(({ isTaken }) => isTaken).length
    }
    expect(takenOf(200)).toBe(201)
    expect(takenOf(1_000)).toBe(1)
  })

  test('grows with the number of items', () => {
    const { counted, rule } = pairing()
    const spread = side(many(10_000, (index) => ({ name: 'x', day: 10 * index })))
    expect(pairUp(spread, spread, rule)).toHaveLength(10_000)
    expect(counted.scores).toBe(10_000)
  })

  test('of 100 on one side and many on the other that all are in doubt, too', () => {
    const count = rounds(1_000, 10_000)
    const { counted, rule } = pairing()
    const lefts = side(many(count, (index) => ({ name: `${index}`, day: 1 })))
    const rights = side(many(100, (index) => ({ name: `right ${index}`, day: 1 })))
    const pairs = pairUp(lefts, rights, rule)
    expect(pairs.some(({ isTaken }) => isTaken)).toBe(false)
    expect(pairs).toHaveLength(count)
    expect(counted.scores).toBe(100 * count)
  })
})

describe('pairs', () => {
  const a = { name: 'a', day: 1 }
  const b = { name: 'b', day: 2 }

  test('that are in doubt are told, or taken as the caller wants it', () => {
    const left = side([a])
    const right = side([a, b])
    const { rule } = pairing()
    expect(pairUp(left, right, rule)).toEqual([
      { left: a, right: a, score: 900, isTaken: false, isDoubtful: true },
    ])
    expect(pairUp(left, right, { ...rule, takesDoubtful: true })).toEqual([
      { left: a, right: a, score: 900, isTaken: true, isDoubtful: true },
    ])
    expect(pairUp(left, side([a]), { ...rule, takesDoubtful: true })).toMatchObject([
      { isTaken: true, isDoubtful: false },
    ])
  })

  test('giving up one leaves its neighbours in doubt', () => {
    const { rule } = pairing()
    const days = [1, 2, 3, 4].map((day) => ({ name: 'x', day }))
    // All four pair on their own day; with a fifth on the left, each could be the one before.
    expect(pairUp(side(days), side(days), rule).filter(({ isTaken }) => isTaken)).toHaveLength(4)
    const five = [...days, { name: 'x', day: 5 }]
    expect(pairUp(side(five), side(days), rule).some(({ isTaken }) => isTaken)).toBe(false)
    expect(pairUp(side(days), side(five), rule).some(({ isTaken }) => isTaken)).toBe(false)
  })

  test('of one score are taken in the order of the left items, then of the right ones', () => {
    const { rule } = pairing({ takesDoubtful: true })
    const [one, two, three, four] = ['d', 'c', 'b', 'a'].map((name) => ({ name, day: 1 }))
    const pairs = pairUp(side([one, two] as Item[]), side([three, four] as Item[]), rule)
    expect(pairs.map(({ left, right }) => [left, right])).toEqual([
      [one, three],
      [two, four],
    ])
  })

  test('below the floor are none', () => {
    const { rule } = pairing({ score: () => 499 })
    expect(pairUp(side([a]), side([a]), rule)).toEqual([])
  })

  test('what is left over is told with what is left of the other side', () => {
    const { rule } = pairing({ least: 1_000 })
    const twice = [a, { ...a }]
    const pairs = pairUp(side([...twice, { ...a }]), side(twice), rule)
    expect(pairs.map(({ right, isTaken }) => [right, isTaken])).toEqual([
      [twice[0], false],
      [twice[1], false],
      [twice[0], false],
    ])
  })
})
