import { describe, expect, test } from 'vitest'
import { rounds } from '../../support/rounds.ts'
import { triesTooManyRows } from '../bank-files/reading.ts'
import { booked, lines, readCsv } from './read-csv.fixtures.ts'

const HEAD = 'Date,Description,Amount,Balance,Note'

describe('records that do not fit their heading', () => {
  test('surplus fields without text are dropped', () => {
    const { rows } = readCsv(lines(HEAD, '2026-03-13,A,-1.50,,n,,,'))
    expect(rows[0]).toMatchObject({ amount: '-1.5', note: 'n', errors: [] })
    expect(Object.keys(rows[0]?.raw ?? {})).toHaveLength(5)
  })

  test('a delimiter within an unquoted text is taken for what it is', () => {
    const { rows } = readCsv(
      lines(HEAD, '2026-03-13,Smith, Jones, Co,-1.50,98.50,', '2026-03-14,B,-2.00,96.50,'),
    )
    expect(rows[0]).toMatchObject({
      description: 'Smith,Jones,Co',
      amount: '-1.5',
      balance: '98.5',
      warnings: ['unquotedDelimiter'],
      errors: [],
    })
    const short = readCsv(lines(HEAD, '2026-03-13,Smith, Jones,-1.50,98.50,', '2026-03-13,A,B,C,,'))
    expect(short.rows.map(booked)).toEqual(['2026-03-13 -1.5', 'money.malformed'])
  })

  test.each([
    ['a text in quotes is whole already', '2026-03-13,"Smith", Jones,-1.50,98.50,n'],
    ['nothing makes the other columns valid', '2026-03-13,A,-1.50,98.50,n,x'],
    ['another currency is none', '2026-03-13,A,B,C,D,E,F,G'],
  ])('else there is an error: %s', (_name, record) => {
    const { rows } = readCsv(lines(HEAD, record, '2026-03-14,B,-2.00,96.50,'))
    expect(rows.map(booked)).toEqual(['tooManyFields', '2026-03-14 -2'])
  })

  test('two ways to join are none', () => {
    const { rows } = readCsv(
      lines('Date,Description,Amount,Details', '2026-03-13,A,-1,B,2', '2026-03-14,C,-3,D'),
    )
    expect(rows.map(booked)).toEqual(['2026-03-13 -1', '2026-03-14 -3'])
    const open = readCsv(
      lines('Description,Amount,Details,Date', 'A,1,2,B,2026-03-13', 'C,-3,D,2026-03-14'),
    )
    expect(open.rows.map(booked)).toEqual(['tooManyFields', '2026-03-14 -3'])
  })

  test('missing fields are empty where they are optional', () => {
    const { rows } = readCsv(lines(HEAD, '2026-03-13,A,-1.50', '2026-03-14,B'))
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', 'tooFewFields'])
    expect(rows[1]?.errors[0]?.message).toBe('The row has 2 of 5 fields.')
  })

  test('text below a row goes on with its description', () => {
    const { rows } = readCsv(
      lines(
        HEAD,
        '2026-03-13,A,-1.50,,',
        ',more,,,',
        ',and more,,,',
        '2026-03-14,B,-2,,',
        '',
        ',x,,,',
      ),
    )
    expect(rows.map(({ description, ignored }) => [description, ignored])).toEqual([
      ['A more and more', undefined],
      ['B', undefined],
      [undefined, 'empty'],
      ['x', 'information'],
    ])
    expect(rows[0]?.text).toBe('A more and more')
    const empty = readCsv(lines(HEAD, '2026-03-13,,-1.50,,', ',text,,,'))
    expect(empty.rows[0]?.description).toBe('text')
  })

  test('a description goes on no longer than a field may be', () => {
    const more = ',more text,,,\n'.repeat(rounds(20_000, 400_000))
    const { rows } = readCsv(`${HEAD}\n2026-03-13,A,-1.50,,\n${more}2026-03-14,B,-2,,\n`)
    expect(rows.map(({ warnings }) => warnings)).toEqual([['textCut'], []])
    expect(rows[0]?.description?.length).toBe(9_991)
  })

  test('empty lines and lines that are no rows are counted', () => {
    const { rows } = readCsv(
      lines(HEAD, '2026-03-13,A,-1.50,,', '', ',,,,', ',,,100.00,', '2026-03-14,B,-2,,'),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      'empty',
      'empty',
      'information',
      '2026-03-14 -2',
    ])
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6])
  })
})

describe('warnings and bounds', () => {
  test('an unclosed quote, and text after a closing one', () => {
    const { rows } = readCsv(
      lines(HEAD, '2026-03-13,"A,-1.50,,', '2026-03-14,"B" x,-2,,', '2026-03-15,C,-3,,'),
    )
    expect(rows.map(({ warnings }) => warnings)).toEqual([
      ['unclosedQuote'],
      ['textAfterQuote'],
      [],
    ])
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-14 -2', '2026-03-15 -3'])
  })

  test('bad characters are shown as such, and the identity has them as they are', () => {
    const { rows } = readCsv(lines(HEAD, '2026-03-13,A\u0000B\ud800,-1.50,,'))
    expect(rows[0]).toMatchObject({
      description: 'A\ufffdB\ufffd',
      text: 'A\u0000B\ud800',
      warnings: ['badCharacters'],
    })
    expect(rows[0]?.raw['Description']).toBe('A\ufffdB\ufffd')
  })

  test('fields and lines that are too long are errors of their rows', () => {
    const { rows } = readCsv(
      lines(
        HEAD,
        `2026-03-13,${'x'.repeat(10_001)},-1.50,,`,
        `2026-03-14,A,-2,,${'y'.repeat(70_000)}`,
        `2026-03-15,B,-3,,${',x'.repeat(300)}`,
        '2026-03-16,C,-4,,',
      ),
    )
    expect(rows.map(booked)).toEqual([
      'fieldTooLong',
      'lineTooLong',
      'tooManyFields',
      '2026-03-16 -4',
    ])
    expect(rows[0]).toMatchObject({ date: '2026-03-13', amount: '-1.5' })
  })

  test('a heading named __proto__ is a heading', () => {
    const columns = { date: 0, amount: 2 }
    const { rows } = readCsv(lines('Date,__proto__,Amount,Amount,', '2026-03-13,x,-1.50,-1,y'), {
      columns,
    })
    expect(Object.entries(rows[0]?.raw ?? {})).toEqual([
      ['Date', '2026-03-13'],
      ['__proto__', 'x'],
      ['Amount', '-1.50'],
      ['Amount (4)', '-1'],
      ['Column 5', 'y'],
    ])
  })

  test('cells are data', () => {
    const { rows } = readCsv(lines(HEAD, '2026-03-13,=cmd|x,-1.50,,'))
    expect(rows[0]?.description).toBe('=cmd|x')
  })

  test('errors show at most 100 characters of a cell', () => {
    const { rows } = readCsv(lines(HEAD, `2026-03-13,A,${'z'.repeat(500)},,`, '2026-03-14,B,-2,,'))
    expect(rows[0]?.errors[0]?.message).toBe(`"${'z'.repeat(100)}…" is no amount.`)
  })
})

describe('a file that breaks off', () => {
  test.each([
    ['within a quote', '2026-03-14,"B', 'lastRecordCut'],
    ['before the amount', '2026-03-14,B', 'tooFewFields'],
    ['within the amount column', '2026-03-14,B,', 'amountMissing'],
  ])('%s says so', (_name, last, code) => {
    const { rows, items } = readCsv(`${HEAD}\n2026-03-13,A,-1.50,,\n${last}`)
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', code])
    expect(rows[1]?.warnings).toContain('lastRecordCut')
    expect(items).toContainEqual({ is: 'warning', warning: { code: 'lastRecordCut', line: 3 } })
  })

  test('a whole last row, and a faulty one that is whole, do not', () => {
    for (const text of [
      `${HEAD}\n2026-03-13,A,-1.50,,`,
      `${HEAD}\n2026-03-13,A,-1,,\n2026-03-13,A\n`,
    ]) {
      expect(readCsv(text).items.filter(({ is }) => is === 'warning')).toEqual([])
    }
  })
})

test.runIf(triesTooManyRows('csv survey'))('rows have a bound', () => {
  const row = '2026-03-13,A,-1.50\n'
  const tooMany = `Date,Text,Amount\n${row.repeat(200_001)}`
  expect(() => readCsv(tooMany)).toThrow(expect.objectContaining({ code: 'imports.tooManyRows' }))
})

test('accounts have a bound', () => {
  const accounts = Array.from({ length: 101 }, (_, index) => `2026-03-13,A${index},-1.50`)
  const text = lines('Date,Account,Amount', ...accounts)
  expect(() => readCsv(text)).toThrow(expect.objectContaining({ code: 'imports.tooManyAccounts' }))
})
