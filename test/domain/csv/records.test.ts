import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordReader, type CsvRecord, type CsvDialect } from '../../../src/domain/csv/records.ts'
import { limit, rounds, SEED } from '../../support/rounds.ts'

const COMMAS: CsvDialect = { delimiter: ',', quote: '"' }

function records(text: string, dialect = COMMAS, piece = text.length): CsvRecord[] {
  const reader = recordReader(dialect)
  const found: CsvRecord[] = []
  for (let at = 0; at < text.length; at += piece) {
    found.push(...reader.push(text.slice(at, at + piece)))
  }
  return [...found, ...reader.end()]
}

const cells = (text: string, dialect = COMMAS) => records(text, dialect).map((one) => one.cells)
const lines = (text: string) => records(text).map(({ line }) => line)

describe('line ends', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['CR CR LF', '\r\r\n'],
  ])('%s', (_name, end) => {
    const text = ['a,b', '1,2', '3,4', ''].join(end)
    expect(cells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
    expect(lines(text)).toEqual([1, 2, 3])
  })

  test('a last line without an end, and empty lines', () => {
    expect(cells('a,b\n\n1,2')).toEqual([['a', 'b'], [''], ['1', '2']])
    expect(lines('a,b\n\n1,2')).toEqual([1, 2, 3])
    expect(cells('a\r')).toEqual([['a']])
    expect(cells('a\r\r')).toEqual([['a'], ['']])
    expect(cells('')).toEqual([])
  })

  test('a byte order mark is no text', () => {
    expect(cells('\ufeffa,b')).toEqual([['a', 'b']])
  })
})

describe('quotes', () => {
  test.each([
    ['"a,b",c', ['a,b', 'c']],
    ['"a ""b"" c",d', ['a "b" c', 'd']],
    ['"a \\"b\\" c",d', ['a "b" c', 'd']],
    ['"C:\\",d', ['C:\\', 'd']],
    ['"C:\\"', ['C:\\']],
    ['"",x', ['', 'x']],
    ['  "a" , b ', ['a', 'b']],
    ['a "quoted" word,b', ['a "quoted" word', 'b']],
    ['abc",d', ['abc"', 'd']],
    ['"a', ['"a']],
  ])('%s', (text, fields) => {
    expect(cells(text)).toEqual([fields])
  })

  test.each([
    [String.raw`"C:\""Bills"" 1",d`, [String.raw`C:\"Bills" 1`, 'd']],
    [String.raw`"a \""",b`, [String.raw`a \"`, 'b']],
    [String.raw`"a \"""`, [String.raw`a \"`]],
    [String.raw`"\""a"`, [String.raw`\"a`]],
    [String.raw`"a \"",b`, ['a "', 'b']],
    [String.raw`"a \""`, ['a "']],
    [String.raw`"a \"b\"",c`, ['a "b"', 'c']],
    [String.raw`"a \"""b",c`, ['a ""b', 'c']],
    [String.raw`"a\""""b",c`, [String.raw`a\""b`, 'c']],
    [String.raw`"\"a","\"\""`, ['"a', '""']],
    [String.raw`'a \''b',c`, [String.raw`a \'b`, 'c']],
  ])('behind a backslash: %s', (text, fields) => {
    const dialect = text.startsWith('"') ? COMMAS : { delimiter: ',', quote: "'" }
    expect(records(text, dialect)).toMatchObject([{ cells: fields, warnings: [] }])
    // Wherever a piece of it ends.
    const before = 'x'.repeat(8_192)
    for (let at = 1; at <= text.length; at += 1) {
      const [record] = records(`${before},${text}`, dialect, before.length + at)
      expect(record?.cells).toEqual([before, ...fields])
    }
  })

  test('fields that are quoted are told', () => {
    expect(records('a,"b",c')[0]?.quoted).toBe(0b10)
    const many = records(`${'a,'.repeat(40)}"b\nb"\nc`)
    expect(many[0]?.quoted).not.toBe(0)
    expect(many[1]?.line).toBe(3)
  })

  test('a single quote, and none', () => {
    expect(cells("'a,b',c", { delimiter: ',', quote: "'" })).toEqual([['a,b', 'c']])
    expect(cells('"a,b', { delimiter: ',', quote: '' })).toEqual([['"a', 'b']])
  })

  test('tabs delimit and are no white space before a quote then', () => {
    expect(cells('a\t"b"\t \t"c\td"', { delimiter: '\t', quote: '"' })).toEqual([
      ['a', 'b', '', 'c\td'],
    ])
  })

  test('fields of several lines count as these lines', () => {
    const found = records('a,b\n"one\ntwo\r\nthree",2\n3,4')
    expect(found.map(({ line }) => line)).toEqual([1, 2, 5])
    expect(found[1]?.cells[0]).toBe('one\ntwo\r\nthree')
  })

  test('text after a closing quote is appended', () => {
    const [record] = records('"a" b,"c"  ,d')
    expect(record).toMatchObject({ cells: ['ab', 'c', 'd'], warnings: ['textAfterQuote'] })
  })

  test('a quote that is not closed within 50 lines is a character', () => {
    const text = `1,"open,2\n${'x,y,z\n'.repeat(60)}`
    const found = records(text)
    expect(found).toHaveLength(61)
    expect(found[0]).toMatchObject({ cells: ['1', '"open', '2'], warnings: ['unclosedQuote'] })
    expect(found[60]).toMatchObject({ line: 61, warnings: [] })
  })

  test('a quote that is not closed within 64 Ki characters is a character', () => {
    const found = records(`1,"open\n${'x'.repeat(40_000)}\n${'x'.repeat(40_000)}"\n2,3`)
    expect(found).toHaveLength(4)
    expect(found[0]).toMatchObject({ cells: ['1', '"open'], warnings: ['unclosedQuote'] })
  })

  test('a quote that would be closed by the opening one of another line is a character', () => {
    const found = records('"1","open\n"2","b"\n"3","c"')
    expect(found.map((one) => one.cells)).toEqual([
      ['1', '"open'],
      ['2', 'b'],
      ['3', 'c'],
    ])
  })

  test('a last record that is cut within a quote says so', () => {
    const found = records('1,a\n2,"b')
    expect(found[1]).toMatchObject({
      cells: ['2', '"b'],
      error: 'lastRecordCut',
      warnings: ['unclosedQuote', 'lastRecordCut'],
    })
    expect(records('1,"a\n2,b')[0]?.error).toBeUndefined()
    expect(records('1,"a\r2,b')[0]?.error).toBeUndefined()
  })
})

describe('bounds', () => {
  test('200 fields', () => {
    const [record] = records(Array.from({ length: 201 }, (_, index) => index).join())
    expect(record?.cells).toHaveLength(200)
    expect(record?.error).toBe('tooManyFields')
  })

  test('10,000 characters of a field', () => {
    const [record] = records(`a,${'x'.repeat(10_001)},b`)
    expect(record).toMatchObject({ cells: ['a', 'x'.repeat(10_000), 'b'], error: 'fieldTooLong' })
    expect(records(`"${'x'.repeat(10_000)}"`)[0]?.error).toBeUndefined()
  })

  test.each([1_000, 70_000, 1_000_000])('64 Ki characters of a line, in pieces of %i', (piece) => {
    const long = `${'ab,'.repeat(100)}${'x'.repeat(300_000)},z`
    const found = records(`${long}\n1,2\r\n${long}\r\n3,4\n${long}`, COMMAS, piece)
    expect(found.map(({ line, error }) => [line, error])).toEqual([
      [1, 'lineTooLong'],
      [2, undefined],
      [3, 'lineTooLong'],
      [4, undefined],
      [5, 'lineTooLong'],
    ])
    expect(found[0]?.cells).toHaveLength(101)
    expect(found[0]?.cells[100]).toBe('x'.repeat(10_000))
  })

  test('a record of many long quoted fields', () => {
    const field = `"${`${'y'.repeat(2_000)}\n`.repeat(30)}"`
    const found = records(`${Array.from({ length: 6 }, () => field).join()}\n1,2`)
    expect(found[0]).toMatchObject({ error: 'lineTooLong' })
    expect(found.at(-1)).toMatchObject({ cells: ['1', '2'], line: 182 })
  })
})

test('control characters and halves of characters are told', () => {
  const found = records('a,b\n\u0000,c\nd,e\nf\ud800,g')
  expect(found.map(({ warnings }) => warnings)).toEqual([
    [],
    ['badCharacters'],
    [],
    ['badCharacters'],
  ])
})

test(`the pieces of the text do not matter (COFFER_SEED=${SEED})`, () => {
  const letter = fc.constantFrom('a', '1', ',', '"', '\n', '\r', ' ', '\\', '\ud83d', '\ude00')
  fc.assert(
    fc.property(
      fc.array(letter, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (parts, size) => {
        // Long enough for pieces to be read on their own.
        const text = `${parts.join('')}\n${'pad,ding\n'.repeat(4_000)}${parts.join('')}`
        expect(records(text, COMMAS, size * 3_000)).toEqual(records(text))
      },
    ),
    { numRuns: rounds(15, 200), seed: SEED },
  )
})

test('time is linear, however the quotes stand', () => {
  const length = rounds(100_000, 400_000)
  const hostile = [
    '"'.repeat(length),
    ',"'.repeat(length / 2),
    '"a\n'.repeat(length / 3),
    '\\"'.repeat(length / 2),
    `"${'""'.repeat(length / 2)}`,
    '"a\n\n'.repeat(length / 4),
    ' '.repeat(length),
    '\r'.repeat(length),
  ]
  // Of the processor, not of the clock: others may use it meanwhile.
  const begun = process.cpuUsage()
  for (const text of hostile) {
    expect(records(text, COMMAS, 5_000).length).toBeGreaterThan(0)
  }
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(limit(length / 20))
})
