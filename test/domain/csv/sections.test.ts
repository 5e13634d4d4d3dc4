import { describe, expect, test } from 'vitest'
import type { CsvRecord } from '../../../src/domain/csv/records.ts'
import { readPreamble } from '../../../src/domain/csv/preamble.ts'
import { rounds } from '../../support/rounds.ts'
import { booked, lines, readCsv, survey } from './read-csv.fixtures.ts'

const records = (...all: string[][]): CsvRecord[] =>
  all.map((cells, index) => ({ line: index + 1, cells, quoted: 0, warnings: [] }))

describe('the lines above a heading', () => {
  test.each([
    [
      [['IBAN:', 'DE02 1203 0000 0000 2020 51']],
      { iban: 'DE02120300000000202051', number: 'DE02 1203 0000 0000 2020 51' },
    ],
    [
      [['Konto: DE02120300000000202051']],
      { iban: 'DE02120300000000202051', number: 'DE02120300000000202051' },
    ],
    [[['Account number', '', '12-34']], { number: '12-34' }],
    [[['Account: My savings']], { name: 'My savings' }],
    [[['Account holder', 'Ann']], { name: 'Ann' }],
    [[['Currency', 'eur']], { currency: 'EUR' }],
    [[['Currency', 'Euros']], {}],
    [
      [
        ['Opening balance:', '1,000.00'],
        ['Closing balance', '-5'],
      ],
      { opening: '1,000.00', closing: '-5' },
    ],
    [[['Kontostand vom 31.03.2026:', '98,50 EUR']], {}],
    [[['Kontostand am 31.03.2026:', '98,50 EUR']], { closing: '98,50 EUR' }],
    [
      [['Period', '01.03.2026 - 31.03.2026']],
      { from: '01.03.2026', through: '31.03.2026', year: 2026, month: 3 },
    ],
    [
      [['From 03/01/2026 to 03/02/2026']],
      { from: '03/01/2026', through: '03/02/2026', year: 2026 },
    ],
    [
      [['起始时间：[2026-03-01 00:00:00] 终止时间：[2026-03-31 23:59:59]']],
      { from: '2026-03-01', through: '2026-03-31', year: 2026, month: 3 },
    ],
    [[['Statement March 2026']], { year: 2026, month: 3 }],
    [[['Statement 03/2026'], ['Statement 04/2027']], { year: 2026, month: 3 }],
    [[['Statement 2026-12']], { year: 2026, month: 12 }],
    [[['Statement 2026-13'], ['Hello 2026'], ['Balance']], {}],
  ])('%j', (cells, facts) => {
    expect(readPreamble(records(...cells))).toEqual(facts)
  })

  test('only the first period counts, and dates without a year say none', () => {
    const facts = readPreamble(
      records(['Period 01.03.2026 - 31.03.2026'], ['Earlier 01.02.2026 - 28.02.2026']),
    )
    expect(facts).toMatchObject({ from: '01.03.2026', year: 2026 })
    expect(readPreamble(records(['Days 30.12. - 31.12. 12:00'])).year).toBeUndefined()
  })
})

describe('a heading that comes again', () => {
  const text = lines(
    'Account: DE02120300000000202051',
    'Date,Text,Amount,Balance',
    '13.03.2026,A,-1.50,98.50',
    '14.03.2026,B,-2.50,96.00',
    '',
    'Card: 1234 xxxx xxxx 5678,,,',
    'Date,Text,Amount,Balance',
    '12.03.2026,C,5.00,105.00',
    '13.03.2026,D,-5.00,100.00',
  )

  test('begins a section with an account of its own', () => {
    const { rows, survey: found, items } = readCsv(text)
    expect(found.accounts.map(({ key }) => key)).toEqual([
      'DE02120300000000202051',
      '1234 xxxx xxxx 5678',
    ])
    expect(rows.map((row) => [row.account, booked(row)])).toEqual([
      ['DE02120300000000202051', '2026-03-13 -1.5'],
      ['DE02120300000000202051', '2026-03-14 -2.5'],
      ['DE02120300000000202051', 'empty'],
      ['DE02120300000000202051', 'information'],
      ['1234 xxxx xxxx 5678', '2026-03-12 5'],
      ['1234 xxxx xxxx 5678', '2026-03-13 -5'],
    ])
    expect(
      items.flatMap((item) => (item.is === 'statementEnd' ? [item.statement] : [])),
    ).toMatchObject([
      { account: 'DE02120300000000202051', opening: '100', closing: '96' },
      { account: '1234 xxxx xxxx 5678', opening: '100', closing: '100' },
    ])
    expect(rows[4]?.statement).toBe(1)
  })

  test('the same file in small pieces says the same', () => {
    // More than a piece that is read at once.
    const padded = `${text}${'15.03.2026,X,-1.00,99.00\n'.repeat(rounds(3_000, 9_000))}`
    expect(readCsv(padded, {}, 977).items).toEqual(readCsv(padded).items)
    expect(survey(padded, {}, 977)).toEqual(survey(padded))
  })

  test('with a column of accounts, the column says whose the rows are', () => {
    const { rows, survey: found } = readCsv(
      lines(
        'Account,Date,Text,Amount',
        'A,13.03.2026,x,-1',
        'Account,Date,Text,Amount',
        'B,13.03.2026,x,-1',
      ),
    )
    expect(rows.map(({ account }) => account)).toEqual(['A', 'B'])
    expect(found.accounts.map(({ key }) => key)).toEqual(['A', 'B'])
  })
})

describe('statements', () => {
  const statementsOf = (...text: string[]) =>
    readCsv(lines(...text)).items.flatMap((item) =>
      item.is === 'statementEnd' ? [item.statement] : [],
    )

  test('of a file that runs down', () => {
    expect(
      statementsOf(
        'Date,Text,Amount,Balance',
        '15.03.2026,C,-1,96',
        '14.03.2026,B,-2,97',
        '13.03.2026,A,-1,99',
      ),
    ).toMatchObject([{ account: '', opening: '100', closing: '96', pages: 1, interim: false }])
  })

  test('what the preamble says is taken first', () => {
    expect(
      statementsOf(
        'Period 01.03.2026 - 31.03.2026',
        'Opening balance: 50.00',
        'Closing balance: nothing',
        'Currency: EUR',
        'Date,Text,Amount,Balance',
        '13.03.2026,A,-1.00,99.00',
      ),
    ).toMatchObject([
      { opening: '50', closing: '99', from: '2026-03-01', through: '2026-03-31', currency: 'EUR' },
    ])
  })

  test('opening and closing lines are those of the statement', () => {
    expect(
      statementsOf(
        'Date,Text,Amount,Balance',
        '01.03.2026,Opening balance,,100.00',
        '01.03.2026,Opening balance,0,90.00',
        '13.03.2026,A,-1.00,',
        '31.03.2026,Closing balance,99.00,',
        '31.03.2026,Closing balance,,',
      ),
    ).toMatchObject([{ opening: '100', closing: '99' }])
  })

  test('balances of some bookings only prove nothing', () => {
    const { items } = readCsv(
      lines('Date,Text,Amount,Balance', '2026-03-01,A,-1.50,10.00', '2026-03-02,B,-2.50,'),
    )
    const end = items.find((item) => item.is === 'statementEnd')
    expect(end).not.toHaveProperty('statement.opening')
    expect(end).not.toHaveProperty('statement.closing')
  })

  test('balances that do not follow from each other prove nothing', () => {
    expect(
      statementsOf(
        'Date,Text,Amount,Balance',
        '13.03.2026,A,-1,50',
        '14.03.2026,B,-2,70',
        '15.03.2026,C,-2,90',
        '16.03.2026,D,-2,123456789012345678.12345',
      ),
    ).toEqual([{ account: '', evidence: [], pages: 1, interim: false }])
  })
})

test('a line sep=; is obeyed and skipped', () => {
  const { rows, survey: found } = readCsv(lines('sep=;', 'Date;Text;Amount', '2026-03-13;a,b,c;-1'))
  expect(found.reading.delimiter).toBe(';')
  expect(rows.map(({ line, description }) => [line, description])).toEqual([[3, 'a,b,c']])
  const headless = survey(lines('sep=;', '2026-03-13;a,b,c;-1,50'))
  expect(headless.reading).toMatchObject({ headerLine: 0, skipLines: 1 })
  expect(headless.sample).toHaveLength(1)
})

test('a column of IBANs beside the own one above the heading is of the other sides', () => {
  const own = 'DE02120300000000202051'
  const read = (above: string[], ...ibans: string[]) => {
    const { rows, items } = readCsv(
      lines(
        ...above,
        'Date,Text,IBAN,Amount',
        ...ibans.map((iban, at) => `2026-03-${13 + at},A,${iban},-1`),
      ),
    )
    const accounts = items.flatMap((item) => (item.is === 'account' ? [item.account.key] : []))
    return [accounts, rows.map(({ counterAccount = '' }) => counterAccount)]
  }
  const above = [`Account:,${own}`, '']
  const [one, other] = ['GB82WEST12345698765432', 'FR1420041010050500013M02606']
  expect(read(above, one)).toEqual([[own], [one]])
  expect(read(above, one, own, other)).toEqual([[own], [one, own, other]])
  expect(read(above, own, own)).toEqual([[own], ['', '']])
  // Without an own one above: an account is on each row of its file.
  expect(read([], one, '')).toEqual([[''], [one, '']])
  expect(read([], one, one)).toEqual([[one], ['', '']])
  // Sections of two accounts, each below its heading.
  const again = [`2026-03-13,A,${own},-1`, 'Date,Text,IBAN,Amount', `2026-03-14,A,${one},-2`]
  const { rows } = readCsv(lines(...above, 'Date,Text,IBAN,Amount', ...again))
  expect(rows.map(({ account }) => account)).toEqual([own, one])
})
