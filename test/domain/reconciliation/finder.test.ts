import { describe, expect, it } from 'vitest'
import { isShifted, isTransposed } from '../../../src/domain/reconciliation/amounts.ts'
import {
  type Books,
  type CandidateRow,
  distinctKey,
  suggestionsFor,
} from '../../../src/domain/reconciliation/finder.ts'
import { exchangesOf, pairsWithSum, triplesOf } from '../../../src/domain/reconciliation/subsets.ts'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'

let serial = 0
const row = (minor: number, date = '2026-03-10'): CandidateRow => ({
  ...{ id: `txn_${++serial}`, date, minor },
})

const BOOKS: Books = {
  ...{
    difference: 0,
    ticked: [],
    unticked: [],
    aside: [],
    misstated: [],
    notBooked: [],
    drift: [],
  },
  ...{ elsewhere: [], distinct: new Set(), imported: new Set(), confirmed: new Set() },
  wrongSince: undefined,
}

const find = (books: Partial<Books>) =>
  suggestionsFor({ ...BOOKS, ...books }).map(({ kind, rows, toMinor, others, score }) => ({
    ...{ kind, minors: rows.map(({ minor }) => minor), toMinor, others, score },
  }))

const kindsOf = (books: Partial<Books>) => find(books).map(({ kind }) => kind)

describe('the finder', () => {
  it.each<[string, Partial<Books>, object]>([
    ['an unticked row', { difference: -300, unticked: [row(-300)] }, { kind: 'tick', score: 0.85 }],
    ['a row too many', { difference: 300, ticked: [row(-300)] }, { kind: 'untick', score: 0.8 }],
    [
      'a refund that was typed as an expense',
      { difference: 4000, ticked: [row(-2000)] },
      { kind: 'sign', toMinor: 2000, score: 0.75 },
    ],
    [
      'digits that changed places',
      { difference: -900, ticked: [row(-4500)] },
      { kind: 'transposed', toMinor: -5400, score: 0.7 },
    ],
    [
      'a decimal point in the wrong place',
      { difference: 4491, ticked: [row(-4990)] },
      { kind: 'shifted', toMinor: -499, score: 0.65 },
    ],
    [
      'what the bank says',
      { difference: 1, misstated: [{ ...row(-2000), bankMinor: -1999 }] },
      { kind: 'bankSays', toMinor: -1999, score: 0.95 },
    ],
    ['a row of a file', { difference: 5, notBooked: [row(5)] }, { kind: 'notBooked', score: 0.9 }],
    ['drift', { difference: 1000, drift: [row(-1000)] }, { kind: 'drift', score: 0.9 }],
    [
      'drift of several rows',
      { difference: 1000, drift: [row(-700), row(-300)] },
      { kind: 'drift', minors: [-700, -300] },
    ],
    ['a void row', { difference: 5, aside: [row(5)] }, { kind: 'status', score: 0.6 }],
    [
      'a row on another account',
      { difference: 5, elsewhere: [row(5)] },
      { kind: 'otherAccount', score: 0.55 },
    ],
    [
      'one to tick and one to untick',
      { difference: 1, unticked: [row(-6)], ticked: [row(-7)] },
      { kind: 'pair', minors: [-6, -7], score: 0.5 },
    ],
  ])('finds %s', (_, books, expected) => {
    expect(find(books)).toEqual([expect.objectContaining(expected)])
  })

  it('finds one of two that are alike, before others of its amount', () => {
    const [one, two, far] = [row(-5), row(-5, '2026-03-12'), row(-5, '2026-02-01')]
    const books = { difference: 5, ticked: [two, one, far] }
    expect(find(books)).toEqual([
      expect.objectContaining({ kind: 'duplicate', score: 0.8 }),
      expect.objectContaining({ kind: 'untick', others: 2 }),
    ])
    expect(kindsOf({ ...books, imported: new Set([one.id]) })).toEqual(['duplicate', 'untick'])
    expect(kindsOf({ ...books, imported: new Set([one.id, two.id]) })).toEqual(['untick'])
    const distinct = new Set([distinctKey(two.id, one.id)])
    expect(kindsOf({ ...books, distinct })).toEqual(['untick'])
  })

  it('takes a row that has the amount of the file of the bank for right, as long as another can be wrong', () => {
    const [bread, salary] = [row(-450, '2026-03-20'), row(273450, '2026-03-25')]
    const [typed, comma] = [row(-2199), row(100)]
    const ticked = [salary, bread, typed, comma]
    const confirmed = new Set([bread.id, salary.id])
    const scoresOf = (books: Partial<Books>) =>
      find(books).map(({ kind, minors, score }) => [kind, minors[0], score])
    expect(scoresOf({ difference: 900, ticked, confirmed })).toEqual([
      ['transposed', -2199, 0.7],
      ['transposed', 100, 0.7],
      ['shifted', 100, 0.65],
      ['sign', -450, 0.3],
      ['transposed', 273450, 0.25],
    ])
    expect(scoresOf({ difference: 900, ticked })[0]).toEqual(['sign', -450, 0.75])
    // Of equal amounts, those that are confirmed are counted by themselves.
    const [alike, again] = [row(-450), row(-450)]
    expect(find({ difference: 900, ticked: [bread, alike, again], confirmed })).toMatchObject([
      { kind: 'sign', others: 1, score: 0.75 },
      { kind: 'sign', others: 0, score: 0.3 },
    ])
  })

  it('adds what is missing and takes away what is there twice, before other pairs', () => {
    const [kept, again, other] = [row(-1999), row(-1999, '2026-03-11'), row(-400, '2026-03-12')]
    const fee = row(-850)
    const books = {
      ...{ ...BOOKS, difference: 1149, ticked: [other, again, kept], notBooked: [fee] },
      unticked: [row(749, '2026-03-20'), row(1999, '2026-03-20')],
    }
    expect(suggestionsFor(books)).toMatchObject([
      { kind: 'pair', rows: [fee, again], unticked: [again], keeps: kept, evidence: 2 },
      { kind: 'pair', rows: [fee, { minor: 1999 }], unticked: [], keeps: undefined, evidence: 1 },
      { kind: 'pair', rows: [{ minor: 749 }, other], unticked: [other], evidence: 0 },
    ])
  })

  it('ticks all rows, alone or with another correction', () => {
    const unticked = [-310, -720, -1230, -440].map((minor) => row(minor))
    expect(find({ difference: -2700, unticked })).toMatchObject([
      { kind: 'all', minors: [-310, -720, -1230, -440], score: 0.45 },
    ])
    const [typed, told] = [row(-2199), row(-450)]
    const books = { difference: -2700 + 900, unticked, ticked: [typed, told] }
    const suggested = suggestionsFor({ ...BOOKS, ...books, confirmed: new Set([told.id]) })
    expect(suggested).toMatchObject([
      {
        ...{ kind: 'all', score: 0.35, effect: -1800, toMinor: -1299 },
        rows: [typed, ...unticked],
        beside: { kind: 'transposed', effect: 900, rows: [typed] },
      },
    ])
    const [one, ...others] = find({ ...books, unticked: unticked.slice(0, 1), difference: 590 })
    expect([one, others]).toMatchObject([{ kind: 'all', minors: [-450, -310], score: 0.375 }, [{}]])
    // Rows that are not looked at cannot be ticked, so not all would be.
    const many = Array.from({ length: 300 }, () => row(-7))
    expect(kindsOf({ difference: -2100, unticked: many })).toEqual([])
    expect(kindsOf({ difference: -2093, unticked: many.slice(1) })).toEqual(['all'])
  })

  it('finds the pairs and triples of example 3', () => {
    const unticked = [-300, -750, -1200, 400].map((minor) => row(minor))
    const found = (difference: number) =>
      find({ difference, unticked }).map(({ kind, minors }) => [kind, ...minors])
    expect(found(-1950)).toEqual([['pair', -750, -1200]])
    expect(found(-800)).toEqual([['pair', -1200, 400]])
    expect(found(-1050)).toEqual([['pair', -300, -750]])
    expect(found(-650)).toEqual([['triple', -300, -750, 400]])
  })

  it('shows one of rows that are equal, and the best first', () => {
    const unticked = [row(-3), row(-3), row(-3), row(-1), row(-2)]
    expect(find({ difference: -3, unticked, notBooked: [row(-3)] })).toMatchObject([
      { kind: 'notBooked' },
      { kind: 'tick', others: 2 },
      { kind: 'pair', minors: [-1, -2], others: 0 },
    ])
    expect(find({ difference: -6, unticked })).toMatchObject([
      { kind: 'pair', minors: [-3, -3], others: 2 },
      { kind: 'triple', minors: [-3, -1, -2], others: 2 },
    ])
  })

  it('says since when an account is wrong only where it finds nothing else', () => {
    const books = { difference: 5, wrongSince: '2026-01-31' }
    expect(suggestionsFor({ ...BOOKS, ...books })).toMatchObject([
      { kind: 'age', date: '2026-01-31', effect: 0, score: 0.2 },
    ])
    expect(kindsOf({ ...books, unticked: [row(5)] })).toEqual(['tick'])
    expect(kindsOf({ difference: 5 })).toEqual([])
    expect(kindsOf({ difference: 0, unticked: [row(0)], wrongSince: '2026-01-31' })).toEqual([])
  })

  it('looks at the newest rows alone, and shows twenty at most', () => {
    const day = (at: number) => `2026-${at < 200 ? '02' : '01'}-01`
    const many = Array.from({ length: 400 }, (_, at) => row(-1000 - at, day(at)))
    expect(kindsOf({ difference: -1000 - 399, unticked: many })).toEqual([])
    const close = Array.from({ length: 60 }, (_, at) => row(at - 30 || 99))
    const found = find({ difference: 7, unticked: close })
    expect(found).toHaveLength(20)
    expect(found[0]).toMatchObject({ kind: 'tick' })
  })
})

describe('mistyped amounts', () => {
  it('are told apart from others', () => {
    expect([isTransposed(-4500, -5400), isTransposed(45, 405), isTransposed(1234, 1243)]).toEqual([
      ...[true, true, true],
    ])
    expect([isTransposed(45, -54), isTransposed(45, 45), isTransposed(123, 321)]).toEqual([
      ...[false, false, false],
    ])
    expect([isTransposed(1298, 2197), isShifted(5, 500), isShifted(-4990, -499)]).toEqual([
      ...[false, true, true],
    ])
    expect(isShifted(5, 51)).toBe(false)
  })
})

it(`subsets are all that there are, whatever the rows (seed ${SEED})`, () => {
  const random = randomFrom(SEED)
  const whole = (most: number) => random.whole(0, most - 1)
  for (let round = 0; round < rounds(200, 5000); round++) {
    const make = () => Array.from({ length: whole(9) }, () => row(whole(9) - 4))
    const [free, held, sum] = [make(), make(), whole(13) - 6]
    const total = (subset: readonly CandidateRow[]) =>
      subset.reduce((all, { minor }) => all + minor, 0)
    const twos = free.flatMap((a, at) => free.slice(at + 1).map((b) => [a, b]))
    const threes = twos.flatMap(([a, b]) =>
      free.slice(free.indexOf(b as CandidateRow) + 1).map((c) => [a, b, c] as CandidateRow[]),
    )
    const isSum = (subset: CandidateRow[]) => total(subset) === sum
    const counted = (found: { others: number }[]) =>
      found.reduce((all, { others }) => all + others + 1, 0)
    expect(counted(pairsWithSum(free, sum))).toBe((twos as CandidateRow[][]).filter(isSum).length)
    expect(counted(triplesOf(free, sum))).toBe(threes.filter(isSum).length)
    const exchanges = free.flatMap((a) => held.filter((b) => a.minor - b.minor === sum))
    expect(counted(exchangesOf(free, held, sum))).toBe(exchanges.length)
    for (const { rows } of [...pairsWithSum(free, sum), ...triplesOf(free, sum)]) {
      expect([total(rows), new Set(rows).size]).toEqual([sum, rows.length])
    }
  }
})
