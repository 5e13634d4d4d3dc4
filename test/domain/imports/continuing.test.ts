import { describe, expect, it, test } from 'vitest'
import {
  type Ends,
  findContinuations,
  rowsGoingOn,
  type StoredEnd,
  watchFirstDays,
} from '../../../src/domain/imports/continuing.ts'
import { identifier } from '../../../src/domain/imports/identity.ts'
import { openRow } from '../../../src/domain/imports/open-rows.ts'
import type { BookableRow } from '../../../src/domain/imports/rows.ts'
import { weighing } from '../../../src/domain/imports/matching.ts'
import { reasonsOf } from '../../../src/domain/matching/weights.ts'
import type { StoredIdentity } from '../../../src/domain/imports/verdicts.ts'
import { Books, hash, row, type RowSketch, settle, verdicts } from './books.fixtures.ts'

const DAY = '2026-03-10'
const stored = (openingMinor: number | null, closingMinor: number, more = {}): StoredEnd => ({
  ...{ importId: 'one', accountId: 'main', from: DAY, to: DAY, isInterim: false },
  ...{ openingMinor, closingMinor, movedMinor: -2_000 },
  ...more,
})
const now = (openingMinor: number | undefined, closingMinor: number, more = {}): Ends => ({
  ...{ accountId: 'main', from: DAY, to: DAY, isInterim: false, closingMinor },
  ...(openingMinor === undefined ? {} : { openingMinor }),
  ...more,
})

describe('where a file goes on within a day', () => {
  const MORNING = stored(10_000, 8_000)
  test.each<[string, Ends[], StoredEnd[], [string[], boolean] | undefined]>([
    ['after a stored statement', [now(8_000, 6_000)], [MORNING], [['one'], true]],
    [
      'the first of its statements does',
      [now(6_000, 5_000, { from: '2026-03-11' }), now(8_000, 6_000), now(6_000, 6_000)],
      [MORNING],
      [['one'], true],
    ],
    [
      'after several of the day',
      [now(6_000, 5_000)],
      [MORNING, stored(8_000, 6_000, { importId: 'two' }), stored(1, 2, { importId: 'no' })],
      [['two', 'one'], true],
    ],
    [
      'by what is derived',
      [now(undefined, 6_000, { derivedMinor: 8_000 })],
      [stored(null, 8_000)],
      [['one'], true],
    ],
    ['perhaps, without balances', [now(undefined, 6_000)], [MORNING], [['one'], false]],
    [
      'perhaps, where the day moved nothing',
      [now(8_000, 6_000)],
      [stored(8_000, 8_000, { movedMinor: 0 })],
      [['one'], false],
    ],
    ['not where it is that statement', [now(10_000, 8_000)], [MORNING], undefined],
    [
      'not where it was imported before',
      [now(8_000, 6_000)],
      [MORNING, stored(8_000, 6_000, { importId: 'two' })],
      undefined,
    ],
    [
      'not where it was imported before, by what is derived',
      [now(undefined, 6_000, { derivedMinor: 8_000 })],
      [MORNING, stored(8_000, 6_000)],
      undefined,
    ],
    [
      'not where it holds that one, too',
      [now(8_000, 6_000), now(10_000, 8_000)],
      [MORNING],
      undefined,
    ],
    ['not with another balance', [now(7_000, 6_000)], [MORNING], undefined],
    ['not on another day', [now(8_000, 6_000, { from: '2026-03-11' })], [MORNING], undefined],
    ['not on another account', [now(8_000, 6_000, { accountId: 'other' })], [MORNING], undefined],
    ['not after a report', [now(8_000, 6_000)], [stored(1, 8_000, { isInterim: true })], undefined],
    ['not a report', [now(8_000, 6_000, { isInterim: true })], [MORNING], undefined],
  ])('%s', (_, statements, ends, found) => {
    const all = findContinuations(statements, ends)
    expect(all.map(({ importIds, isCertain }) => [[...importIds], isCertain])).toEqual(
      found ? [found] : [],
    )
  })
})

const known = (sketch: RowSketch, more: Partial<StoredIdentity> = {}) => {
  const [settled] = settle([{ statement: 0, ...sketch }]) as [BookableRow]
  const numbers = identifier(hash)
  const [identity] = numbers.identify([settled])
  if (!identity) {
    throw new Error('No identity')
  }
  const one: StoredIdentity = {
    ...{ accountId: 'main', identity: identity.byText, importId: 'one', pending: false },
    ...{ date: settled.date, minor: settled.minor, state: 'kept', ...more },
  }
  return {
    row: settled,
    open: openRow(settled, identity, undefined),
    identity,
    stored: one,
    numbers,
  }
}

describe('known rows of the first day', () => {
  const dates = (most: number, ...all: ReturnType<typeof known>[]) => {
    const days = watchFirstDays(most)
    all.forEach(days.see)
    return days.rows().map(({ row: { date } }) => date)
  }
  const [first, second] = [known(row(DAY, '-20.00', 'x')), known(row('2026-03-11', '-20.00', 'x'))]

  it('are those of the earliest one, a certain number', () => {
    expect(dates(9, first, second, first)).toEqual([DAY, DAY])
    expect(dates(9, second, first)).toEqual([DAY])
    expect(dates(1, first, first)).toEqual([DAY])
  })

  it('are in a statement, and not known by an id', () => {
    expect(dates(9, known(row(DAY, '-20.00', 'x'), { identity: 'b1' }))).toEqual([])
    const [plain] = settle([row(DAY, '-20.00', 'x')]) as [BookableRow]
    expect(dates(9, { ...first, row: plain })).toEqual([])
  })

  const continued = (more = {}) => [
    { accountId: 'main', date: DAY, importIds: new Set(['one']), isCertain: true, ...more },
  ]
  const numbersOf = (
    one: ReturnType<typeof known>,
    goesOn: ReturnType<typeof continued>,
    others: string[] = [],
  ) =>
    rowsGoingOn([one, one], goesOn, () => [one.stored], {
      hash,
      has: (accountId, identity) =>
        one.numbers.has(accountId, identity) || others.includes(identity),
    }).map(({ decision }) => decision.identity?.occurrence)

  it('get the next free numbers where the file goes on', () => {
    expect(numbersOf(first, continued())).toEqual([2, 3])
    const withId = known(row(DAY, '-20.00', 'x', { bankId: { scheme: 'mt940', id: '7' } }))
    expect(numbersOf(withId, continued())).toEqual([2, 3])
    const [next] = rowsGoingOn([first], continued(), () => [], { hash, has: () => false })
    expect(numbersOf(first, continued(), [next?.decision.identity?.byText ?? ''])).toEqual([3, 4])
  })

  it('stay as they are elsewhere', () => {
    expect(numbersOf(first, continued({ isCertain: false }))).toEqual([])
    expect(numbersOf(first, continued({ accountId: 'other' }))).toEqual([])
    expect(numbersOf(first, continued({ date: '2026-03-09' }))).toEqual([])
    expect(numbersOf(first, continued({ importIds: new Set(['two']) }))).toEqual([])
    const { importId: _, ...unsaid } = first.stored
    expect(numbersOf({ ...first, stored: unsaid }, continued())).toEqual([])
  })
})

test.each<[string, boolean, RowSketch, object, boolean]>([
  ['other ids of one scheme', true, {}, {}, false],
  ['an id that identifies nothing', false, {}, {}, true],
  ['an id of another scheme', true, {}, { scheme: 'camt' }, true],
  ['a pending row', true, { pending: true }, {}, true],
  ['a stored row that is pending', true, {}, { kind: 'pending' }, true],
])('a row may be a stored one with %s', (_, isTrusted, more, other, isPossible) => {
  const { open } = known(row(DAY, '-20.00', 'x', more))
  const mine = { ...open, bankId: { scheme: 'ofx', key: 'k1' } }
  const weights = weighing([], () => isTrusted)(mine, {
    ...{ accountId: 'main', kind: 'booked', state: 'kept', date: DAY, minor: -2_000, text: 'x' },
    ...{ scheme: 'ofx', ...other },
  })
  expect(reasonsOf(weights).length > 0).toBe(isPossible)
})

describe('a file that goes on within a day', () => {
  const of = (text: string, bankId?: { scheme: string; id: string }) => [
    row(DAY, '-20.00', text, { statement: 0, ...(bankId ? { bankId } : {}) }),
  ]
  const coverage = [{ accountId: 'main', from: DAY, through: DAY }]
  const continued = [{ accountId: 'main', date: DAY, importIds: new Set(['one']), isCertain: true }]
  const books = () => {
    const all = new Books()
    all.import(of('BAKERY'), { importId: 'one' })
    return all
  }

  it('tells of other rows, also of equal ones, which are known by a number of their own', () => {
    const own = books()
    expect(verdicts(own.preview(of('CAR PARK'), { coverage, continued }))).toEqual(['new'])
    expect(verdicts(own.import(of('BAKERY'), { coverage, continued }))).toEqual(['new'])
    const both = [...of('BAKERY'), ...of('BAKERY')]
    expect(verdicts(own.preview(both))).toEqual(['duplicate', 'duplicate'])
  })

  it('counts what it matches by statement', () => {
    const own = new Books()
    own.import([...of('BAKERY'), ...of('BAKERY')], { importId: 'one' })
    const again = [...of('BREAD'), ...of('BREAD'), row(DAY, '-1.00', 'TEA')]
    const { outcome } = own.preview(again, { coverage })
    expect([...outcome.matched]).toEqual([[0, 2]])
  })

  it('leaves locked days alone', () => {
    const options = { coverage, continued, lockedThrough: DAY }
    expect(verdicts(books().preview(of('BAKERY'), options))).toEqual(['locked'])
  })

  it('tells of another row by another id, and of the same one without', () => {
    const own = new Books()
    const id = (text: string) => ({ scheme: 'mt940', id: text })
    own.import(of('BAKERY', id('7')), { importId: 'one' })
    const [booked] = own.booked
    Object.assign(booked ?? {}, { externalId: '7' })
    expect(verdicts(own.preview(of('BREAD', id('8')), { coverage }))).toEqual(['new'])
    expect(verdicts(own.preview(of('BREAD', { scheme: 'x', id: '8' }), { coverage }))).toEqual([
      'matched',
    ])
    expect(verdicts(own.preview(of('BREAD'), { coverage }))).toEqual(['matched'])
  })
})
