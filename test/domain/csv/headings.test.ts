import { describe, expect, test } from 'vitest'
import { readHeading } from '../../../src/domain/csv/words.ts'
import { booked, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('headings', () => {
  test.each([
    ['Amount (out)', 'debit', undefined],
    ['交易金额(收入)', 'credit', undefined],
    ['记账金额（支出）', 'debit', undefined],
    ['Amount (EUR)', 'amount', 'EUR'],
    ['Amount (不计收支)', 'amount', undefined],
    ['Balance (in)', 'balance', undefined],
    ['Дата i час', 'date', undefined],
    ['Cума списання', 'debit', undefined],
    ['Сума зарахування', 'credit', undefined],
    ['Дата w', undefined, undefined],
  ])('%s is %s in %s', (heading, role, currency) => {
    expect([readHeading(heading).role, readHeading(heading).currency]).toEqual([role, currency])
  })

  test('of two pairs of sides, the one that is filled counts', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount (in),Amount (out),Amount (in),Amount (out)',
        ...['2026-03-01,A,-,-,,1.50', '2026-03-02,B,-,-,2.50,'],
      ),
    )
    expect(rows.map(booked)).toEqual(['2026-03-01 -1.5', '2026-03-02 2.5'])
  })

  test('who sent a message is not the payee', () => {
    const { rows } = readCsv(lines('Date,Sender,Payee,Amount', '2026-03-01,Robin,Kiosk,-1.50'))
    expect(rows).toMatchObject([{ payeeRaw: 'Kiosk', description: 'Robin' }])
    const alone = readCsv(lines('Date,Sender,Amount', '2026-03-01,Robin,1.50', '2026-03-01,A,-1'))
    expect(alone.rows[0]).toMatchObject({ payeeRaw: 'Robin' })
  })
})

describe('columns that only their cells tell', () => {
  test('codes of currencies are the currency, if no other column is', () => {
    const file = (heading: string, cell: string) =>
      survey(lines(`Date,Text,Amount,Settled in${heading}`, `2026-03-01,A,-1.50,CNY${cell}`))
    expect(file('', '').reading.columns).toMatchObject({ currency: 3 })
    expect(file(',Currency', ',EUR')).toMatchObject({
      ...{ reading: { columns: { currency: 4 } }, unread: ['Settled in'] },
    })
    expect(file(',Paid in', ',EUR').unread).toEqual(['Settled in', 'Paid in'])
  })

  test('words for both directions are the direction, with a heading or without', () => {
    const rows = ['2026-05-04,A,18.20,O', '2026-05-07,B,2150.00,I']
    const headed = readCsv(lines('Date,Text,Amount,CD_flag', ...rows))
    expect(headed.rows.map(booked)).toEqual(['2026-05-04 -18.2', '2026-05-07 2150'])
    const found = survey(lines(...rows))
    expect(keysOf(found)).toEqual(['columns'])
    expect(found.questions[0]?.suggestion).toBe(
      '{"date":0,"amount":2,"direction":3,"description":1}',
    )
    // One word alone may mean anything.
    const [, other = ''] = rows
    expect(survey(lines('Date,Text,Amount,CD_flag', other)).unread).toEqual(['CD_flag'])
  })

  test('sides and balances without headings are told apart by what adds up', () => {
    const file = (...rows: string[]) => survey(lines(...rows)).questions[0]?.suggestion
    expect(
      file(
        '2026-06-14,A,45.10,,1204.90',
        '2026-06-13,B,,980.00,1250.00',
        '2026-06-11,C,130.00,,270.00',
      ),
    ).toBe('{"date":0,"debit":2,"credit":3,"balance":4,"description":1}')
    expect(file('2026-06-13,B,980.00,,1250.00', '2026-06-14,A,,45.10,1204.90')).toBe(
      '{"date":0,"debit":3,"credit":2,"balance":4,"description":1}',
    )
    expect(file('2026-06-13,B,9.50,20.00', '2026-06-14,A,-1.50,18.50')).toBe(
      '{"date":0,"amount":2,"balance":3,"description":1}',
    )
    expect(file('2026-06-13,B,9.50,20.00', '2026-06-14,A,1.50,18.50')).toBe(
      '{"date":0,"amount":2,"balance":3,"description":1}',
    )
  })
})

describe('dates without a year over the end of one', () => {
  const card = (title: string, ...dates: string[]) =>
    lines(title, 'Date,Text,Amount', ...dates.map((date) => `${date},A,-1.50`))
  const datesOf = (text: string, year?: number) =>
    readCsv(text, year === undefined ? {} : { year }).rows.map(({ date }) => date)

  test.each(['账单（2026年01月）', 'Statement of January 2026'])('%s tells both years', (title) => {
    const text = card(title, '12/28', '01/02', '01/28')
    expect(datesOf(text)).toEqual(['2025-12-28', '2026-01-02', '2026-01-28'])
    expect(datesOf(text, 2026)).toEqual(['2025-12-28', '2026-01-02', '2026-01-28'])
  })

  test('are of the year before where the answer is the later year', () => {
    const over = card('Statement', '11/28', '12/31', '01/02', '02/28')
    expect(keysOf(survey(over))).toEqual(['year'])
    expect(datesOf(over, 2026)).toEqual(['2025-11-28', '2025-12-31', '2026-01-02', '2026-02-28'])
    const within = card('Statement', '01/28', '12/31')
    expect(datesOf(within, 2026)).toEqual(['2026-01-28', '2026-12-31'])
  })
})

test('a quote that lacks its other one makes no second account', () => {
  const { survey: found, rows } = readCsv(
    lines(
      '"Account","Date","Text","Amount"',
      ...['"NL1","2026-03-01","A","-1.50"', 'NL1","2026-03-02","B","-2.50"'],
      '"-","2026-03-03","C","-3.50"',
    ),
  )
  expect(found.accounts.map(({ key }) => key)).toEqual(['NL1', ''])
  expect(rows.map(({ account }) => account)).toEqual(['NL1', 'NL1', ''])
})

test('a type of rows that is a word for sums is no shop', () => {
  const { rows } = readCsv(
    lines(
      'Date,Type,Text,Amount',
      '2026-03-01,Turnover,March,-1.50',
      '2026-03-01,Card,Total,-2.50',
    ),
  )
  expect(rows.map(booked)).toEqual(['turnover', '2026-03-01 -2.5'])
})
