import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CoveredSpan,
  gapsOf,
} from '../../src/areas/money/exchange-rates/coverage/coverage.rules.ts'
import {
  columnsOf,
  dayOfLine,
  Filling,
} from '../../src/areas/money/exchange-rates/past/past.rules.ts'
import { addDays, dayOfWeek } from '../../src/domain/calendar.ts'

const covered = (from: string, through: string, state: CoveredSpan['state'] = 'read') => ({
  ...{ currency: 'USD', state, from, through },
})
const gaps = (from: string, newest: string, ...spans: CoveredSpan[]) =>
  (gapsOf([{ currency: 'USD', from }], spans, newest).get('USD') ?? []).map(
    (gap) => `${gap.from} ${gap.through}`,
  )

describe('the gaps of a currency', () => {
  it.each<[string, string[], string[]]>([
    ['nothing covers', gaps('2026-11-02', '2026-11-20'), ['2026-11-02 2026-11-20']],
    ['all is covered', gaps('2026-11-02', '2026-11-20', covered('2026-10-01', '2026-11-20')), []],
    [
      'a hole in the middle, between spans that overlap',
      gaps(
        '2026-11-02',
        '2026-11-20',
        covered('2026-11-12', '2026-11-20'),
        covered('2026-11-01', '2026-11-06', 'none'),
        covered('2026-11-03', '2026-11-04'),
      ),
      ['2026-11-07 2026-11-11'],
    ],
    [
      'a weekend alone is none',
      gaps(
        '2026-11-02',
        '2026-11-20',
        covered('2026-11-02', '2026-11-06'),
        covered('2026-11-09', '2026-11-20'),
      ),
      [],
    ],
    ['a Sunday alone is none', gaps('2026-11-15', '2026-11-15'), []],
    ['a weekend and a Monday', gaps('2026-11-14', '2026-11-16'), ['2026-11-14 2026-11-16']],
    ['what is needed after the newest day', gaps('2026-11-21', '2026-11-20'), []],
    ['what is before the first rates', gaps('1990-01-01', '1999-01-05'), ['1999-01-04 1999-01-05']],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  it('of one that ended go no further', () => {
    const found = gapsOf([{ currency: 'HRK', from: '2022-12-01' }], [], '2026-11-20')
    expect(found.get('HRK')).toEqual([{ from: '2022-12-01', through: '2022-12-31' }])
    expect(gapsOf([{ currency: 'HRK', from: '2023-01-01' }], [], '2026-11-20').size).toBe(0)
  })

  it('are gone once a file has filled them, whichever days it has', () => {
    const day = fc.integer({ min: 0, max: 60 })
    const span = fc.tuple(day, day).map(([a, b]) => covered(at(Math.min(a, b)), at(Math.max(a, b))))
    const at = (days: number) => addDays('2026-09-01', days)
    fc.assert(
      fc.property(
        day,
        fc.array(span),
        fc.array(fc.boolean(), { minLength: 90, maxLength: 90 }),
        (from, spans, quoted) => {
          const needs = [{ currency: 'USD', from: at(from) }]
          const newest = at(62)
          const filling = new Filling(gapsOf(needs, spans, newest), ['USD'])
          for (const [ago, isQuoted] of quoted.entries()) {
            const date = addDays(newest, -ago)
            if (dayOfWeek(date) < 5 && (ago === 0 || isQuoted)) {
              filling.add({ date, rates: new Map(ago % 3 === 0 ? [] : [['USD', '1.25']]) })
            }
          }
          // The last line, which is before all that is needed.
          filling.add({ date: '2026-01-02', rates: new Map([['USD', '1']]) })
          expect(filling.isDone).toBe(true)
          const found = filling.take()
          expect(gapsOf(needs, [...spans, ...found.spans], newest).size).toBe(0)
          expect(new Set(found.rates.map(({ date }) => date)).size).toBe(found.rates.length)
        },
      ),
    )
  })
})

describe('a line of the history', () => {
  const read = (line: string) =>
    dayOfLine(line, ['USD', 'JPY'], { before: '2026-11-21', wanted: new Set(['JPY']) })

  it('has a cell for each column, and an empty one behind the last', () => {
    expect(columnsOf('Date,USD,JPY,')).toEqual(['USD', 'JPY'])
    expect(columnsOf('Date,USD,JPY\r')).toEqual(['USD', 'JPY'])
    const day = { date: '2026-11-20', rates: new Map([['JPY', '160.5']]) }
    expect(read('2026-11-20,1.25,160.50,')).toEqual(day)
    expect(read('2026-11-20,whatever,160.5\r')).toEqual(day)
    expect(read('2026-11-20,1.25,N/A,').rates.size).toBe(0)
    expect(read('2026-11-20,1.25,,').rates.size).toBe(0)
  })

  it.each([
    '',
    '2026-11-20',
    '2026-11-20,1.25',
    '2026-11-20,1.25,160.5,3',
    '2026-11-21,1.25,160.5,',
    '2026-02-30,1.25,160.5,',
    '2026-11-20,1.25,yen,',
    '2026-11-20,1.25,-1,',
  ])('is refused: %j', (line) => expect(() => read(line)).toThrow(/form|decimal/))

  it.each(['', 'Date', 'Date,', 'USD,JPY,', 'Date,USD,USD,', 'Date,usd,', 'Date,USD,,'])(
    'above the others is refused: %j',
    (line) => expect(() => columnsOf(line)).toThrow('form'),
  )
})
