import { describe, expect, test } from 'vitest'
import type { OpenRow } from '../../../src/domain/imports/open-rows.ts'
import { compareWithStored } from '../../../src/domain/imports/reading.ts'
import { corrections } from '../../../src/domain/imports/same-ids.ts'
import { covering } from '../../../src/domain/imports/spans.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { hash, row, settle } from './books.fixtures.ts'

// The work on a file grows with its rows, whatever they say: it is counted here.

describe('corrections', () => {
  const correcting = (at: number, key: string, corrected: string): OpenRow => ({
    ...{ at, accountId: 'a', currency: 'EUR', date: '2026-03-01', day: 1, minor: -1 },
    ...{ pending: false, text: '', isUncategorised: true },
    ...{ bankId: { scheme: 's', key }, corrects: { action: 'replace', key: corrected } },
  })

  test('of one row by many, at the end of a long chain, look at each link once', () => {
    const count = 500
    const chain = Array.from({ length: count }, (_, at) =>
      correcting(at, `${at}`, at === 0 ? 'gone' : `${at - 1}`),
    )
    const last = `${count - 1}`
    const many = Array.from({ length: count }, (_, at) => correcting(count + at, `of ${at}`, last))
    let looks = 0
    const decisions = corrections([...chain, ...many], [], () => {
      looks += 1
      return []
    })
    // All but the last row give way, those in the chain once for each correction of theirs.
    expect(new Set(decisions.map(({ at }) => at)).size).toBe(2 * count - 1)
    expect(looks).toBeLessThanOrEqual(5 * 2 * count)
  })

  test('that correct each other end somewhere', () => {
    const circle = [correcting(0, '0', '1'), correcting(1, '1', '0')]
    const decisions = corrections([...circle, correcting(2, '2', '0')], [], () => [])
    expect(new Set(decisions.map(({ at }) => at))).toEqual(new Set([0, 1]))
  })
})

describe('the days that statements tell of', () => {
  const dayOf = (n: number) => addDays('2000-01-01', n)

  test('are looked up without reading all of them', () => {
    const count = 1_000
    let reads = 0
    const spans = Array.from({ length: count }, (_, n) => ({
      accountId: 'a',
      get from() {
        reads += 1
        return dayOf(3 * n)
      },
      through: dayOf(3 * n),
    }))
    const find = covering(spans)
    const found = Array.from({ length: 3 * count }, (_, n) =>
      find({ accountId: 'a', date: dayOf(n) }),
    )
    expect(found.filter((span) => span !== undefined)).toHaveLength(count)
    expect(reads).toBeLessThanOrEqual(30 * count)
  })

  test('may overlap, and are of one account', () => {
    const find = covering([
      { accountId: 'a', from: '2026-01-10', through: '2026-01-20' },
      { accountId: 'a', from: '2026-01-01', through: '2026-02-01' },
      { accountId: 'b', from: '2026-03-01', through: '2026-03-02' },
    ])
    const on = (accountId: string, date: string) => find({ accountId, date }) !== undefined
    expect(on('a', '2026-01-01') && on('a', '2026-01-25') && on('a', '2026-02-01')).toBe(true)
    expect(on('a', '2025-12-31') || on('a', '2026-02-02') || on('a', '2026-03-01')).toBe(false)
    expect(on('c', '2026-03-01')).toBe(false)
  })
})

test('an id that all rows have is looked up once for each piece', () => {
  const comparison = compareWithStored({
    ...{ hash, untrusted: [], matching: 'usual' },
    isLocked: () => false,
  })
  const rows = Array.from({ length: 100 }, (_, at) =>
    row('2026-03-01', '-1.00', `Coffee ${at}`, { bankId: { scheme: 'ofx', id: '7' } }),
  )
  expect(comparison.identify(settle(rows)).lookUp.bankKeys).toHaveLength(1)
})
