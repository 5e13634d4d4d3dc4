import { describe, expect, test } from 'vitest'
import { booked, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('whether money comes in or leaves', () => {
  test('a row without the word has the other direction where all words are of one', () => {
    const file = (...words: string[]) =>
      readCsv(
        lines('Date,Text,Amount,D/C', ...words.map((word) => `2026-03-13,A,1.50,${word}`)),
      ).rows.map(({ amount }) => amount)
    expect(file('CR', '')).toEqual(['1.5', '-1.5'])
    expect(file('DR', '')).toEqual(['-1.5', '1.5'])
  })

  test('an amount without a sign leaves where others have a plus, and none has a minus', () => {
    const file = (...amounts: string[]) =>
      readCsv(
        lines('Date,Text,Amount', ...amounts.map((amount) => `2026-03-13,A,${amount}`)),
      ).rows.map(({ amount }) => amount)
    expect(file('21.75', '+ 800.00', '9.00')).toEqual(['-21.75', '800', '-9'])
    expect(file('21.75', '800.00 CR', '0.00')).toEqual(['-21.75', '800', '0'])
    expect(file('21.75', '+800.00', '-9.00')).toEqual(['21.75', '800', '-9'])
    expect(file('+21.75', '+800.00')).toEqual(['21.75', '800'])
  })

  test('numbers under a heading for directions are amounts, and balances prove what follows', () => {
    const { survey, rows } = readCsv(
      lines(
        'Date;Text;In/Out;Sum',
        ...['2025-02-02;Shop;−100,00;900.00', '2025-02-02;Shop;-100,00;800.00'],
        '2025-02-13;Salary;1500,00;2300.00',
      ),
    )
    expect(rows.map(booked)).toEqual(['2025-02-02 -100', '2025-02-02 -100', '2025-02-13 1500'])
    expect(rows.map(({ balance }) => balance)).toEqual(['900', '800', '2300'])
    expect(survey.reading.columns).toEqual({ date: 0, description: 1, amount: 2, balance: 3 })
    const other = readCsv(
      lines('Date,Text,In/Out,Sum', '2025-02-02,A,-1.50,7', '2025-02-03,B,2.00,8'),
    )
    expect(other.survey).toMatchObject({ unread: ['Sum'], reading: { columns: { amount: 2 } } })
  })

  test('numbers under a heading for directions need no other column', () => {
    const alone = readCsv(lines('Date,Text,In/Out', '2026-03-01,A,-1.50', '2026-03-02,B'))
    expect(alone.rows.map(booked)).toEqual(['2026-03-01 -1.5', 'tooFewFields'])
    const odd = ['2026-03-01,A,-1.50,1.2.3', '2026-03-02,B,-2.50,4.5.6']
    expect(survey(lines('Date,Text,In/Out,Sum', ...odd)).unread).toEqual(['Sum'])
  })

  test('words that all are no direction are asked about', () => {
    const text = lines('Date,Text,Amount,D/C', '2026-03-13,A,1.50,X', '2026-03-14,B,2.50,Y')
    expect(keysOf(survey(text))).toEqual(['columns', 'sign'])
    const signed = text.replace('1.50', '-1.50')
    expect(keysOf(survey(signed))).toEqual([])
  })

  test.each(['-', '—', 'n/a', 'N/A', '----'])('a lone %s is an empty cell', (nothing) => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Debit,Credit,Balance',
        `2026-03-13,A,1.50,${nothing},${nothing}`,
        `2026-03-14,${nothing},${nothing},2.50,9.00`,
      ),
    )
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-14 2.5'])
    expect(rows.map(({ description }) => description)).toEqual(['A', undefined])
  })
})
