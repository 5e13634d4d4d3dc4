import { describe, expect, it } from 'vitest'
import {
  amountAfter,
  type ExpectedAmount,
  percentChange,
} from '../../../src/domain/recurring/amounts.ts'
import {
  decideLinks,
  type LinkableOccurrence,
  type LinkableRow,
  linkScore,
  nearestDates,
  reachOf,
} from '../../../src/domain/recurring/linking.ts'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { PLAIN_SCHEDULE, type Schedule } from '../../../src/domain/schedules/schedules.ts'

const ABOUT: ExpectedAmount = {
  ...{ amountIs: 'about', amountMinor: 5000, amountMaxMinor: null, tolerance: 1000 },
}

const occurrence = (fields: Partial<LinkableOccurrence> = {}): LinkableOccurrence => ({
  ...{ date: '2026-03-28', expected: ABOUT, reach: 5, payeeId: 'pay', names: [], texts: [] },
  ...fields,
})

const row = (fields: Partial<LinkableRow> = {}): LinkableRow => ({
  ...{ date: '2026-03-28', amountMinor: 5000, payeeId: null, texts: [] },
  ...fields,
})

const schedule = (fields: Partial<Schedule>): Schedule => ({
  ...{ unit: 'month', count: 1, anchor: '2026-01-28', ...PLAIN_SCHEDULE },
  ...fields,
})

describe('the score of a row', () => {
  it.each<[string, string, number, string, string | null, number | undefined]>([
    ['t1', '2026-03-26', 5000, '2026-03-28', 'pay', 94],
    ['t2', '2026-04-02', 5120, '2026-03-28', 'pay', 81],
    ['t3', '2026-04-30', 5600, '2026-04-28', 'pay', undefined],
    ['t4', '2026-04-27', 5000, '2026-04-28', null, 67],
  ])('%s', (_, day, amountMinor, date, payeeId, score) => {
    const found = linkScore(occurrence({ date }), row({ date: day, amountMinor, payeeId }))
    expect(found?.score).toBe(score)
  })

  it.each<[number, number | undefined]>([
    [5, 70 - 15],
    [6, undefined],
  ])('ends %d days away', (days, score) => {
    const date = `2026-03-${28 - days}`
    expect(linkScore(occurrence({ payeeId: null }), row({ date }))?.score).toBe(score)
  })

  it('counts the difference as an exact fraction of what is allowed', () => {
    // 3.33 % of 99.99 are 3.329667: 3.32 of it are 19.94 of 20.
    const expected = { ...ABOUT, amountMinor: 9999, tolerance: 333 }
    const scoreOf = (amountMinor: number) =>
      linkScore(occurrence({ payeeId: null, expected }), row({ amountMinor }))?.score
    expect([9999, 9998, 9982, 9981, 9667, 9666].map(scoreOf)).toEqual([
      ...[70, 70, 69, 69, 51, undefined],
    ])
  })

  it.each<[string, Partial<LinkableOccurrence>, string[], number, string[]]>([
    ['an alias', { names: ['Gym', 'Big  GYM Ltd'] }, ['Card BIG GYM LTD 12'], 100, ['samePayee']],
    ['half a word', { names: ['ING'] }, ['PARKING'], 70, []],
    ['two words', { texts: ['Power North'] }, ['NORTH 12 power'], 85, ['sameText']],
    ['one word', { texts: ['Power North'] }, ['South power'], 70, []],
    ['short words', { texts: ['Gas Sun Power'] }, ['gas sun'], 70, []],
  ])('knows the payee by its texts: %s', (_, fields, texts, score, reasons) => {
    expect(linkScore(occurrence(fields), row({ texts }))).toEqual({
      score,
      reasons: ['sameAmount', 'sameDay', ...reasons],
    })
  })
})

describe('the days around an occurrence', () => {
  it.each<[Partial<Schedule>, number, number]>([
    [{}, 5, 5],
    [{}, 15, 13],
    [{ unit: 'day', anchor: '2026-01-01' }, 3, 0],
    [{ unit: 'week' }, 3, 3],
    [{ unit: 'week', on: [{ weekday: 'mon' }, { weekday: 'fri' }] }, 3, 1],
    [{ on: [{ day: 15 }, { day: -1 }] }, 15, 6],
    [{ unit: 'year' }, 15, 15],
    [{ times: 1 }, 9, 9],
  ])('%j', (fields, dayWindow, days) => {
    expect(reachOf(schedule(fields), dayWindow)).toBe(days)
  })
})

describe('links', () => {
  const link = (rowId: string, occurrenceId: string, score: number, isOpen = true) => ({
    ...{ rowId, rowDate: '2026-03-26', occurrenceId, score, isOpen },
  })
  const decided = (...links: ReturnType<typeof link>[]) => {
    const { made, suggested } = decideLinks(links)
    const named = (list: typeof links) => list.map((one) => `${one.rowId} ${one.occurrenceId}`)
    return [named(made), named(suggested)]
  }

  it('are made from 80 on, and suggested from 50 on', () => {
    expect(
      decided(link('a', 'A', 80), link('b', 'B', 79), link('c', 'C', 50), link('d', 'D', 49)),
    ).toEqual([['a A'], ['b B', 'c C']])
  })

  it('give an occurrence the best row', () => {
    expect(decided(link('t2', 'A', 81), link('t1', 'A', 94))).toEqual([['t1 A'], []])
  })

  it('are only suggested where two of one row are within 5', () => {
    expect(decided(link('a', 'A', 94), link('a', 'B', 89))).toEqual([[], ['a A', 'a B']])
    expect(decided(link('a', 'A', 94), link('a', 'B', 88))).toEqual([['a A'], []])
    expect(decided(link('a', 'A', 94), link('a', 'B', 82), link('a', 'C', 80))).toEqual([
      ['a A'],
      [],
    ])
  })

  it('are made for occurrences alone that have no transaction', () => {
    expect(decided(link('a', 'A', 94, false))).toEqual([[], ['a A']])
  })

  it('do not depend on the order', () => {
    const all = [link('a', 'A', 90), link('b', 'A', 90), link('b', 'B', 84), link('c', 'B', 84)]
    expect(decided(...all)).toEqual(decided(...all.toReversed()))
    expect(decided(...all)).toEqual([['a A', 'b B'], []])
  })
})

it('links each row and each occurrence once at most, in whatever order they come', () => {
  const { below } = randomFrom(SEED)
  for (let round = 0; round < rounds(200, 20_000); round++) {
    const all = Array.from({ length: 30 }, () => ({
      ...{ rowId: `r${below(8)}`, rowDate: '2026-03-26', occurrenceId: `o${below(8)}` },
      ...{ score: 40 + below(61), isOpen: below(5) > 0 },
    }))
    const links = [...new Map(all.map((one) => [`${one.rowId} ${one.occurrenceId}`, one])).values()]
    const { made, suggested } = decideLinks(links)
    expect(new Set(made.map(({ rowId }) => rowId)).size).toBe(made.length)
    expect(new Set(made.map(({ occurrenceId }) => occurrenceId)).size).toBe(made.length)
    expect(suggested.filter((one) => made.some(({ rowId }) => rowId === one.rowId))).toEqual([])
    expect(decideLinks(links.toReversed())).toEqual({ made, suggested })
  }
})

describe('a new amount', () => {
  const paid = [999, 999, 999, 1099, 1099, 1099, 1299, 1099]
  const exact: ExpectedAmount = { ...ABOUT, amountIs: 'exact', amountMinor: 999 }

  it('takes two in a row that are the same', () => {
    const after = paid.map((_, at) => amountAfter(exact, paid.slice(0, at + 1)))
    expect(after).toEqual([999, 999, 999, 999, 1099, 1099, 1099, 1099])
    expect(amountAfter({ ...exact, amountIs: 'about' }, [899, 899])).toBe(899)
    const between: ExpectedAmount = { ...exact, amountIs: 'between', amountMaxMinor: 2000 }
    expect(amountAfter(between, paid)).toBe(999)
  })

  it('is told in percent', () => {
    expect(percentChange(999, 1099)).toBe('+10.01')
    expect(percentChange(1099, 999)).toBe('-9.10')
    expect(percentChange(999, 999)).toBe('0.00')
  })
})

describe('the nearest date to a day', () => {
  it('is the earlier one of two that are as near, and never before the first', () => {
    const days = ['2026-03-20', '2025-12-01', '2026-01-28', '2026-02-12', '2026-02-13']
    const found = nearestDates(schedule({}), days)
    expect([...found.values()]).toEqual([
      ...['2026-03-28', '2026-01-28', '2026-01-28', '2026-01-28', '2026-02-28'],
    ])
  })

  it('is the last one where the schedule ends, and none of a template', () => {
    const ended = schedule({ until: '2026-02-28' })
    expect(nearestDates(ended, ['2027-01-01']).get('2027-01-01')).toBe('2026-02-28')
    expect(nearestDates(null, ['2027-01-01']).size).toBe(0)
  })
})
