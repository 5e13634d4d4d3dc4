import { describe, expect, test } from 'vitest'
import type { SourceStatement } from '../../../src/domain/bank-files/source.ts'
import {
  findGaps,
  type SettledStatement,
  statementPeriod,
  settleStatement,
  sumStatements,
} from '../../../src/domain/imports/statements.ts'
import { row, type RowSketch, settle } from './books.fixtures.ts'

const source = (more: Partial<SourceStatement> = {}): SourceStatement => ({
  ...{ account: '', evidence: [], pages: 1, interim: false },
  ...more,
})
const MAIN = { id: 'main', currency: 'EUR' }
const statement = (more: Partial<SourceStatement> = {}, index = 0) =>
  settleStatement(source({ opening: '100.00', closing: '74.00', ...more }), index, MAIN)

const of = (date: string, amount: string, more: RowSketch = {}) =>
  row(date, amount, 'x', { statement: 0, ...more })
const ROWS = [of('2026-03-01', '-30.00'), of('2026-03-02', '5.00'), of('2026-03-03', '-1.00')]

function check(
  rows: RowSketch[],
  settled: SettledStatement = statement(),
  occurrences: (number | undefined)[] = [],
) {
  const sums = sumStatements()
  sums.add(settle(rows), occurrences)
  return sums.check(settled)
}

describe('opening + rows = closing', () => {
  test('pages of one statement are one', () => {
    const pages = statement({ pages: 2, number: '7', from: '2026-03-01', through: '2026-03-31' })
    expect(check(ROWS, pages)).toEqual({
      ...{ index: 0, accountId: 'main', currency: 'EUR', isInterim: false },
      ...{ number: '7', from: '2026-03-01', to: '2026-03-31' },
      ...{ openingMinor: 10_000, closingMinor: 7_400 },
      ...{ rows: 3, sum: -2_600n, computed: 7_400n, difference: 0n, ok: true, explanations: [] },
    })
  })

  test('a difference is shown', () => {
    expect(check(ROWS, statement({ closing: '75.00' }))).toMatchObject({
      ...{ computed: 7_400n, difference: 100n, ok: false, explanations: [] },
    })
  })

  test.each<[string, Partial<SourceStatement>, number | undefined, string | undefined]>([
    ['on its last day', { through: '2026-03-31', closingDate: '2026-03-31' }, 10_000, undefined],
    ['on the only day that it names', { closingDate: '2026-03-31' }, 10_000, undefined],
    ['without a day', { through: '2026-03-31' }, 10_000, undefined],
    [
      'after its last row',
      { through: '2026-03-31', closingDate: '2026-03-03' },
      10_000,
      '2026-03-03',
    ],
    [
      'before its last row',
      { through: '2026-03-31', closingDate: '2026-03-02' },
      undefined,
      '2026-03-02',
    ],
    [
      'after its end',
      { through: '2026-03-31', closingDate: '2026-05-12' },
      undefined,
      '2026-05-12',
    ],
    ['without any day', {}, undefined, undefined],
  ])('the balance before its rows follows from one %s', (_, days, derivedMinor, closingDate) => {
    const settled = statement({ opening: undefined, ...days } as Partial<SourceStatement>)
    const checked = check(ROWS.toReversed(), settled)
    expect([checked.derivedMinor, checked.closingDate]).toEqual([derivedMinor, closingDate])
  })

  test('no balance before its rows follows from one that is too large, of an interim report, or before it began', () => {
    const most = { opening: undefined, closing: '90071992547409.91', through: '2026-03-31' }
    const sketches: Partial<SourceStatement>[] = [
      { ...most },
      { ...most, closing: '1.00', interim: true },
      { ...most, closing: '1.00', from: '2026-04-01', closingDate: '2026-03-31' },
    ] as never
    const derived = sketches.map((one) => check(ROWS, statement(one)).derivedMinor)
    expect(derived).toEqual([undefined, undefined, undefined])
    expect(check([], statement({ ...most, closing: '1.00' } as never)).derivedMinor).toBe(100)
  })

  test('piece by piece, each statement for itself', () => {
    const sums = sumStatements()
    for (const one of settle([...ROWS, of('2026-03-04', '9.00', { statement: 1 })])) {
      sums.add([one], [1])
    }
    sums.add(settle([row('2026-03-01', '1.00', 'of none')]), [1])
    expect(sums.check(statement())).toMatchObject({ rows: 3, sum: -2_600n })
    expect(sums.check(statement({}, 1))).toMatchObject({ rows: 1, sum: 900n })
    expect(sums.check(statement({ closing: '100.00' }, 2))).toMatchObject({ rows: 0, ok: true })
  })

  test('sums may be beyond the range of amounts', () => {
    const most = of('2026-03-01', '90071992547409.91')
    expect(check([most, most]).sum).toBe(18_014_398_509_481_982n)
  })

  test.each<[string, Partial<SourceStatement>, object]>([
    ['no opening', { closing: '5.00' }, { closingMinor: 500 }],
    ['no closing', { opening: '5.00' }, { openingMinor: 500, computed: -2_100n }],
    ['an interim report', { opening: '5.00', closing: '1.00', interim: true }, { isInterim: true }],
    ['another currency', { opening: '5.00', closing: '1.00', currency: 'USD' }, {}],
    ['the own currency', { opening: '5.00', currency: 'EUR' }, { openingMinor: 500 }],
    ['a balance that is no number', { opening: 'x', closing: '1.00' }, { closingMinor: 100 }],
  ])('%s: nothing to check', (_, balances, expected) => {
    const outcome = check(ROWS, settleStatement(source(balances), 0, MAIN))
    expect(outcome).toMatchObject({ rows: 3, sum: -2_600n, ...expected })
    expect(outcome).not.toHaveProperty('ok')
    expect(outcome).not.toHaveProperty('difference')
  })
})

describe('which rows move the account', () => {
  test.each([
    ...(['zero', 'otherSide', 'accountIgnored', 'outsideSpan', 'rule'] as const),
    undefined,
  ])('%s does', (ignored) => {
    const more = ignored === undefined ? {} : { ignored }
    expect(check([of('2026-03-01', '-26.00', more)])).toMatchObject({ rows: 1, ok: true })
  })

  test.each([
    ...(['opening', 'closing', 'turnover', 'notCompleted', 'pending', 'neutral'] as const),
    ...(['information', 'security', 'deleted', 'paidElsewhere', 'hold'] as const),
  ])('%s does not', (ignored) => {
    expect(check([...ROWS, of('2026-03-01', '-26.00', { ignored })])).toMatchObject({
      ...{ rows: 3, ok: true },
    })
  })

  test('a pending row does not, a row with an error does', () => {
    expect(check([...ROWS, of('2026-03-01', '-9.00', { pending: true })]).ok).toBe(true)
    const { date: _, ...undated } = of('', '-26.00')
    expect(check([undated])).toMatchObject({ rows: 1, ok: true })
  })
})

describe('what explains a difference', () => {
  const off = (closing: string) => statement({ closing })

  test('a row whose amount cannot be read', () => {
    const broken = of('2026-03-04', 'x')
    expect(check([...ROWS, broken], off('75.00')).explanations).toEqual([
      { at: 3, line: 5, kind: 'error', exact: 'x', explainsAll: false },
    ])
    const { amount: _, ...missing } = broken
    expect(check([...ROWS, missing], off('75.00')).explanations).toEqual([
      { at: 3, line: 5, kind: 'error', explainsAll: false },
    ])
  })

  test('a row that is rounded, with both numbers', () => {
    const up = of('2026-03-04', '-0.015', { format: 'ofx' })
    expect(check([...ROWS, up], off('73.99')).explanations).toEqual([
      { at: 3, line: 5, kind: 'rounded', minor: -2, exact: '-0.015', explainsAll: false },
    ])
  })

  test('a row that stands in the file twice', () => {
    const occurrences = [1, 1, 1, 2]
    const twice = [...ROWS, ROWS[1] as RowSketch]
    expect(check(twice, off('74.00'), occurrences).explanations).toEqual([
      { at: 3, line: 5, kind: 'duplicateInFile', minor: 500, explainsAll: true },
    ])
    expect(check(twice, off('75.00'), occurrences).explanations).toEqual([])
  })

  test('a row that was ignored', () => {
    const ignored = of('2026-03-04', '1.00', { ignored: 'neutral' })
    expect(check([...ROWS, ignored], off('75.00')).explanations).toEqual([
      { at: 3, line: 5, kind: 'ignored', minor: 100, explainsAll: true },
    ])
  })

  test('twenty are told, those that explain all first', () => {
    const broken = Array.from({ length: 30 }, () => of('2026-03-04', 'x'))
    const twin = of('2026-03-02', '5.00')
    const occurrences = [...Array.from({ length: 33 }, () => 1), 2]
    const { explanations } = check([...ROWS, ...broken, twin], off('74.00'), occurrences)
    expect(explanations).toHaveLength(20)
    expect(explanations[0]).toMatchObject({ kind: 'duplicateInFile', explainsAll: true })
  })

  test('a thousand are remembered', () => {
    const rows = Array.from({ length: 1_001 }, () => of('2026-03-04', '0.00', { ignored: 'hold' }))
    const last = of('2026-03-04', '-26.00', { ignored: 'hold' })
    expect(check([...rows, last]).explanations).toEqual([])
    expect(check([last])).toMatchObject({ ok: false, explanations: [{ kind: 'ignored' }] })
  })
})

describe('statements that follow each other', () => {
  const month = (number: number, opening?: string, closing?: string, more = {}) =>
    settleStatement(
      source({
        ...{ from: `2026-0${number}-01`, through: `2026-0${number}-28` },
        ...(opening === undefined ? {} : { opening }),
        ...(closing === undefined ? {} : { closing }),
        ...more,
      }),
      number,
      MAIN,
    )
  const stored = [
    { accountId: 'main', to: '2026-01-31', closingMinor: 100 },
    { accountId: 'main', to: '2026-02-28', closingMinor: 200 },
    { accountId: 'main', to: '2026-05-31', closingMinor: 900 },
    { accountId: 'other', to: '2026-02-28', closingMinor: 700 },
  ]

  test.each<[string, SettledStatement[], object[]]>([
    ['in the file, in any order', [month(4, '3.00', '4.00'), month(3, '2.00', '3.00')], []],
    [
      'one is missing in the file',
      [month(3, '2.00', '3.00'), month(4, '3.50', '4.00')],
      [{ accountId: 'main', index: 4, closingMinor: 300, openingMinor: 350 }],
    ],
    [
      'one is missing before the file',
      [month(3, '2.50', '3.00')],
      [{ accountId: 'main', index: 3, closingMinor: 200, openingMinor: 250 }],
    ],
    ['without an opening', [month(3, undefined, '3.00')], []],
    ['after one without a closing', [month(3, '2.00'), month(4, '9.00')], []],
    ['an interim report is none', [month(3, '9.00', '3.00', { interim: true })], []],
    ['the first one ever', [{ ...month(3, '9.00'), accountId: 'new' }], []],
    [
      'two without days, in the order of the file',
      [
        settleStatement(source({ opening: '9.00', closing: '8.00' }), 0, MAIN),
        settleStatement(source({ opening: '8.00' }), 1, MAIN),
      ],
      [],
    ],
    ['without days', [settleStatement(source({ opening: '9.00' }), 0, MAIN)], []],
    [
      'one that tells the day of its closing alone',
      [month(4, '3.00', '4.00'), month(3, '2.00', '3.00', { from: undefined })],
      [],
    ],
    [
      'two of one day, in the order of the file',
      [month(3, '2.00', '3.00'), { ...month(3, '3.00', '4.00'), index: 9 }],
      [],
    ],
  ])('%s', (_, statements, gaps) => {
    expect(findGaps(statements, stored)).toEqual(gaps)
  })
})

describe('the days that a statement tells the whole of', () => {
  const [first, fourth, fifth, last] = ['2026-03-01', '2026-03-04', '2026-03-05', '2026-03-31']
  test.each<[string, Partial<SourceStatement>, string | undefined, string[]]>([
    ['those that it names', { from: first, through: last }, fifth, [first, last]],
    [
      'not the first one, in the midst of which it begins',
      { from: fourth, through: last, startsWithin: true },
      fifth,
      [fifth, last],
    ],
    [
      'those after its opening balance',
      { openingDate: fourth, closingDate: last },
      last,
      [fifth, last],
    ],
    [
      'with that day where a row is on it',
      { openingDate: fourth, through: last },
      fourth,
      [fourth, last],
    ],
    ['one day', { openingDate: last, closingDate: last }, undefined, [last, last]],
    ['none of a report', { from: first, through: last, interim: true }, first, []],
    ['none that has no beginning', { through: last }, first, []],
    ['none that has no end', { openingDate: first }, first, []],
    ['none that ends before it begins', { openingDate: last, closingDate: fourth }, undefined, []],
  ])('%s', (_, statement, row, [from, through]) => {
    expect(statementPeriod(source(statement), row)).toEqual(from && { from, through })
  })
})
