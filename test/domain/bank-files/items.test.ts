import { describe, expect, test } from 'vitest'
import { BankIds } from '../../../src/domain/bank-files/bank-ids.ts'
import { yearOfDigits, readDay, readIsoDay } from '../../../src/domain/bank-files/dates.ts'
import { formatOf, formats, recogniseFormats } from '../../../src/domain/bank-files/formats.ts'
import { Items } from '../../../src/domain/bank-files/items.ts'
import { LineCutter } from '../../../src/domain/bank-files/lines.ts'
import { joinedTexts, newRow, rowError } from '../../../src/domain/bank-files/rows.ts'
import { TransferPairs } from '../../../src/domain/bank-files/transfer-pairs.ts'

describe('days', () => {
  test.each([
    [['2026', '02', '28'], { date: '2026-02-28', isRepaired: false }],
    [['2026', '02', '30'], { date: '2026-02-28', isRepaired: true }],
    [['2024', '02', '31'], { date: '2024-02-29', isRepaired: true }],
    [['2026', '02', '32'], undefined],
    [['2026', '13', '30'], undefined],
    [['0000', '01', '01'], undefined],
  ])('%j', ([year = '', month = '', day = ''], expected) => {
    expect(readDay(year, month, day)).toEqual(expected)
  })

  test.each([
    ['2026-03-01', '2026-03-01'],
    [' 2026-03-01T23:00:00-11:00', '2026-03-01'],
    ['2026-03-011', undefined],
    ['1.3.2026', undefined],
  ])('%j', (text, date) => {
    expect(readIsoDay(text)?.date).toBe(date)
  })

  test('years of two digits have a century', () => {
    expect(['00', '69', '70', '99'].map(yearOfDigits)).toEqual(['2000', '2069', '1970', '1999'])
  })
})

describe('lines', () => {
  const read = (...parts: string[]) => {
    const lines = new LineCutter()
    return [...parts.flatMap((part) => lines.push(part)), ...lines.end()].map(
      ({ number, text }) => `${number} ${text}`,
    )
  }

  test('end in three ways, wherever pieces end', () => {
    const expected = ['1 a', '2 b', '3 ', '4 c', '5 d']
    expect(read('a\nb\r\n\rc\nd')).toEqual(expected)
    expect(read('a', '\nb\r', '', '\n', '\r', 'c\n', 'd')).toEqual(expected)
    expect(read('a\r', 'b')).toEqual(['1 a', '2 b'])
    expect(read()).toEqual([])
  })

  test('are cut where they are too long', () => {
    const long = 'x'.repeat(70_000)
    expect(read(`${long}\nb`)).toEqual([`1 ${long.slice(0, 65_536)}`, '2 b'])
    expect(read(long, long, '\nb')).toEqual([`1 ${long.slice(0, 65_536)}`, '2 b'])
  })
})

describe('bank ids', () => {
  test('that come twice are found by a survey, and passed over by a reader', () => {
    const survey = new BankIds()
    survey.choose(['a', 'a', 'b', undefined, '', 'NonRef'])
    survey.choose(['a'])
    survey.startScope()
    survey.choose(['b'])
    expect(survey.repeated()).toEqual(['a'])
    const reader = new BankIds(survey.repeated())
    expect(reader.choose(['', 'a', 'b'])).toBe('b')
    expect(reader.choose(['b'])).toBe('b')
    expect(reader.choose(['a', 'NOTPROVIDED'])).toBeUndefined()
  })
})

describe('items', () => {
  test('show no characters that nobody can see, and identify rows by them', () => {
    const items = new Items()
    const row = newRow(1, '')
    row.description = 'a\u0000b\ud800'
    row.text = row.description
    row.note = 'tab\tand\r\nlines'
    row.raw = { a: '\u0001' }
    row.metadata = { b: '\u0002' }
    row.parts = [{ amount: '1', description: '\u0003' }, { amount: '1' }]
    items.row(row)
    expect(items.take()).toMatchObject([
      {
        row: {
          description: 'a\ufffdb\ufffd',
          text: 'a\u0000b\ud800',
          note: 'tab\tand\r\nlines',
          raw: { a: '\ufffd' },
          metadata: { b: '\ufffd' },
          parts: [{ description: '\ufffd' }, { amount: '1' }],
          warnings: ['badCharacters'],
        },
      },
    ])
    expect(items.take()).toEqual([])
  })

  test('are 200,000 rows of a file at most', () => {
    const items = new Items()
    for (let line = 1; line <= 200_000; line += 1) {
      items.row(newRow(line, ''))
      items.take()
    }
    expect(items.rows).toBe(200_000)
    expect(() => items.row(newRow(1, ''))).toThrow(
      expect.objectContaining({ code: 'imports.tooManyRows' }),
    )
  })

  test('cut long texts, and no character', () => {
    const items = new Items()
    const row = newRow(1, '')
    row.description = `${'x'.repeat(9_999)}😀y`
    row.note = 'y'.repeat(10_000)
    items.row(row)
    expect(row.description).toBe('x'.repeat(9_999))
    expect(row.note).toHaveLength(10_000)
    expect(row.warnings).toEqual(['textCut'])
  })

  test.each([
    ['1969-12-31', undefined, true],
    ['1970-01-01', undefined, false],
    ['2030-01-01', undefined, false],
    ['2026-03-09', '2026-03-02', false],
    ['2026-03-10', '2026-03-02', true],
  ])('of %s on %s are unlikely: %s', (date, today, isUnlikely) => {
    const items = new Items(today === undefined ? {} : { today })
    const row = newRow(1, '')
    row.date = date
    items.row(row)
    expect(row.warnings).toEqual(isUnlikely ? ['dateUnlikely'] : [])
  })

  test('keep what is ignored for another reason than zero', () => {
    const items = new Items({ zeroRows: 'ignore' })
    const row = newRow(1, '')
    row.amount = '0'
    row.ignored = 'deleted'
    items.row(row)
    expect(row.ignored).toBe('deleted')
  })
})

test('errors show the first hundred characters of a cell', () => {
  expect(rowError.dateInvalid('D', ` ${'x'.repeat(200)}`).message).toBe(
    `"${'x'.repeat(100)}…" is not a date of the calendar.`,
  )
})

test('texts are joined, equal ones once', () => {
  expect(joinedTexts('a', undefined, '', 'b', 'a')).toBe('a b')
})

test('sides of transfers are paired in their order', () => {
  const pairs = new TransferPairs()
  const first = pairs.keyOf('A', 'B', '2026-03-01', '-5')
  const second = pairs.keyOf('A', 'B', '2026-03-01', '-5')
  expect(first).not.toBe(second)
  expect(pairs.keyOf('B', 'A', '2026-03-01', '5')).toBe(first)
  expect(pairs.keyOf('B', 'A', '2026-03-01', '5')).toBe(second)
  expect(pairs.keyOf('B', 'A', '2026-03-01', '-5')).not.toBe(first)
})

describe('formats', () => {
  test.each([
    [
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
      ['camt'],
    ],
    ['OFXHEADER:100\n', ['ofx']],
    ['!Type:Bank\n', ['qif']],
    [':20:X\n:25:1\n', ['mt940']],
    ['{"format":"coffer","version":1}', ['coffer']],
    // Cells of a table may have marks of other formats.
    ['Date,Amount,Text\n2026-03-01,-1,<OFX>\n', ['ofx', 'csv']],
    ['{"categories":[{"date":"a,b","amount":1},{"date":"c,d","amount":2}]}', ['csv']],
    ['{"budget":{', ['ynab']],
    [':20:X\n!Type:Bank\n', ['qif', 'mt940']],
    ['Date,Amount\n', ['csv']],
    ['', []],
  ])('are told by the beginning %#', (head, keys) => {
    expect(recogniseFormats(head).map(({ format }) => format.key)).toEqual(keys)
  })

  test('are found by their keys', () => {
    expect(formats.map(({ key }) => formatOf(key))).toEqual(formats)
  })

  test('show the first rows in their survey', () => {
    const surveyor = formatOf('mt940')?.survey({})
    surveyor?.push(`:20:X\n${':61:260301D1,NTRF\n:86:text\n'.repeat(25)}`)
    const survey = surveyor?.end()
    expect(survey?.sample).toHaveLength(20)
    expect(survey?.sample[0]).toEqual(['2026-03-01', '-1', '', 'text'])
  })
})
