import { describe, expect, test } from 'vitest'
import { booked, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('dates', () => {
  test('the booking date is the date, the other one is kept', () => {
    const { rows } = readCsv(
      lines(
        'Wertstellung,Buchungstag,Text,Betrag',
        '2026-03-15,2026-03-13,A,-1.50',
        '2026-03-16,,B,-2',
      ),
    )
    expect(rows[0]).toMatchObject({ date: '2026-03-13', metadata: { valueDate: '2026-03-15' } })
    expect(rows[1]).toMatchObject({ date: '2026-03-16', metadata: {} })
  })

  test('of a booking and a transaction date, the booking date', () => {
    const { rows } = readCsv(
      lines('Transaction Date,Posted Date,Text,Amount', '2026-03-11,2026-03-13,A,-1.50'),
    )
    expect(rows[0]).toMatchObject({ date: '2026-03-13', metadata: { valueDate: '2026-03-11' } })
  })

  test('missing and invalid ones are errors', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount',
        '13.03.2026,A,-1.50',
        ',B,-2',
        '30.02.2026,C,-3',
        '2026-03-13,D,-4',
      ),
      { dateOrder: 'DMY' },
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      'dateMissing',
      'dateInvalid',
      'dateInvalid',
    ])
    expect(rows[2]?.errors).toEqual([
      { code: 'dateInvalid', column: 'Date', message: '"30.02.2026" is no date in the order DMY.' },
    ])
  })

  test('far away ones are unlikely', () => {
    const text = lines(
      'Date,Text,Amount',
      '1969-12-31,A,-1.5',
      '2026-03-20,B,-2',
      '2026-03-21,C,-3',
    )
    expect(readCsv(text).rows.map(({ warnings }) => warnings)).toEqual([['dateUnlikely'], [], []])
    const { rows } = readCsv(text, { today: '2026-03-13' })
    expect(rows.map(({ warnings }) => warnings)).toEqual([['dateUnlikely'], [], ['dateUnlikely']])
  })

  test('times stand with the date or in a column', () => {
    const own = readCsv(
      lines('Date,Time,Text,Amount', '2026-03-13,12:30,A,-1.50', '2026-03-13,noon,B,-2'),
    )
    expect(own.rows.map(({ time }) => time)).toEqual(['12:30:00', undefined])
  })

  test('without a year they take that of the period', () => {
    const file = (...above: string[]) =>
      lines(...above, 'Date,Text,Amount', '12/30,A,-1.50', '01/02,B,-2')
    expect(readCsv(file('Period:,2025-12-16 - 2026-01-15', '')).rows.map(booked)).toEqual([
      '2025-12-30 -1.5',
      '2026-01-02 -2',
    ])
    expect(readCsv(file('Statement January 2026')).rows.map(booked)).toEqual([
      '2025-12-30 -1.5',
      '2026-01-02 -2',
    ])
    expect(survey(file()).questions).toEqual([
      {
        key: 'year',
        options: [],
        evidence: [
          { line: 2, raw: '12/30' },
          { line: 3, raw: '01/02' },
        ],
      },
    ])
    expect(readCsv(file(), { year: 2026 }).rows.map(booked)).toEqual([
      '2026-12-30 -1.5',
      '2026-01-02 -2',
    ])
  })
})

test('a period whose month is not certain gives the year alone', () => {
  const { rows, survey: found } = readCsv(
    lines('From 03/01/2026 to 03/02/2026', 'Date,Text,Amount', '02/28,A,-1.50'),
  )
  expect(found.reading.month).toBeUndefined()
  expect(rows.map(booked)).toEqual(['2026-02-28 -1.5'])
})

test('rows without a date are shown without one where the year is asked for', () => {
  const headless = survey(lines('-1,50;A;30.12.', '-2,50;B'), { delimiter: ';' })
  expect(headless.questions.find(({ key }) => key === 'year')?.evidence).toEqual([
    { line: 1, raw: '30.12.' },
    { line: 2, raw: '' },
  ])
})

describe('amounts', () => {
  test('what is none is an error', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount',
        '2026-03-13,A,-1.50',
        '2026-03-13,B,1e5',
        '2026-03-13,C,"2,50"',
        '2026-03-13,D,',
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      'money.malformed',
      'amountStyleMixed',
      'amountMissing',
    ])
    expect(rows[2]?.errors[0]).toEqual({
      code: 'amountStyleMixed',
      column: 'Amount',
      message: '"2,50" has another decimal mark than the other amounts.',
    })
  })

  test('have as many digits as their currency', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount,Currency',
        '2026-03-13,A,-3.77000,EUR',
        '2026-03-13,B,-12.345,EUR',
        '2026-03-13,C,-100.0,JPY',
        '2026-03-13,D,-100.5,JPY',
        '2026-03-13,E,1.2345,',
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -3.77',
      'money.tooManyDigits',
      '2026-03-13 -100',
      'money.tooManyDigits',
      '2026-03-13 1.2345',
    ])
  })

  test('name their currency in the cell, the heading or a column', () => {
    const { rows } = readCsv(
      lines('Date,Text,Amount', '2026-03-13,A,-1.50 EUR', '2026-03-13,B,$ -2'),
    )
    expect(rows.map(({ currency }) => currency)).toEqual(['EUR', undefined])
    const heading = readCsv(lines('Date,Text,Amount (CHF)', '2026-03-13,A,-1.50'))
    expect(heading.rows[0]?.currency).toBe('CHF')
    const mixed = readCsv(lines('Date,Text,Amount,Currency', '2026-03-13,A,-1.50 EUR,USD'))
    expect(mixed.rows.map(booked)).toEqual(['currencyMismatch'])
    const known = readCsv(lines('Date,Text,Amount', '2026-03-13,A,-1.50'), { currency: 'SEK' })
    expect(known.rows[0]?.currency).toBe('SEK')
  })

  test('of zero book nothing, unless that is asked for', () => {
    const text = lines('Date,Text,Amount', '2026-03-13,A,0.00', '2026-03-13,B,-1.50')
    expect(readCsv(text).rows.map(booked)).toEqual(['zero', '2026-03-13 -1.5'])
    expect(readCsv(text, { zeroRows: 'book' }).rows.map(booked)).toEqual([
      '2026-03-13 0',
      '2026-03-13 -1.5',
    ])
  })

  test('in a foreign currency are kept beside those of the account', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount,Currency,Original Amount,Original Currency,Exchange Rate',
        '2026-03-13,A,-1.50,EUR,-1.65,USD,1.1',
        '2026-03-13,B,-2,EUR,-2,EUR,',
        '2026-03-13,C,-3,EUR,-4.50,,',
        '2026-03-13,D,-4,EUR,-5,CHF,',
      ),
    )
    expect(rows.map(({ original }) => original)).toEqual([
      { amount: '-1.65', currency: 'USD', rate: '1.1' },
      undefined,
      undefined,
      { amount: '-5', currency: 'CHF' },
    ])
    expect(rows[2]?.metadata).toEqual({ originalAmount: '-4.5' })
  })
})

describe('signs', () => {
  test('debit and credit columns', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Debit,Credit',
        '2026-03-13,A,1.50,',
        '2026-03-13,B,-2.50,0',
        '2026-03-13,C,,3',
        '2026-03-13,D,,-4',
        '2026-03-13,E,5,6',
        '2026-03-13,F,,',
        '2026-03-13,G,x,',
        '2026-03-13,H,0.00,0.00',
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      '2026-03-13 -2.5',
      '2026-03-13 3',
      '2026-03-13 -4',
      'bothSides',
      'amountMissing',
      'money.malformed',
      'zero',
    ])
  })

  test.each([
    ['Debit/Credit', 'debit', 'credit'],
    ['D/C', 'D', 'C'],
    ['Af Bij', 'Af', 'Bij'],
    ['Direction', 'outflow', 'inflow'],
    ['收/支', '支出', '收入'],
    ['D/K', 'D', 'K'],
    ['Direction', 'O', 'I'],
    ['Soll/Haben', 'S', 'H'],
    ['Direction', '-', '+'],
  ])('an amount and a direction: %s %s %s', (heading, out, into) => {
    const { rows } = readCsv(
      lines(
        `Date,Text,Amount,${heading}`,
        `2026-03-13,A,1.50,${out}`,
        `2026-03-13,B,2.50,${into}`,
        '2026-03-13,C,3.50,不计收支',
        '2026-03-13,D,4.50,',
        `2026-03-13,E,-5.50,${out}`,
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      '2026-03-13 2.5',
      'neutral',
      '2026-03-13 4.5',
      '2026-03-13 5.5',
    ])
  })

  test('words that mean no direction book nothing, and unknown ones are errors', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount,D/C',
        '2026-03-13,A,1.50,D',
        '2026-03-13,B,2.50,/',
        '2026-03-13,C,3.50,what',
      ),
    )
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', 'neutral', 'directionUnknown'])
  })

  test('one side alone is a direction', () => {
    const { rows } = readCsv(lines('Date,Text,Credit', '2026-03-13,A,1.50', '2026-03-13,B,'))
    expect(rows.map(booked)).toEqual(['2026-03-13 1.5', 'amountMissing'])
    expect(rows[1]?.errors[0]?.column).toBeUndefined()
  })

  test('a direction beside signed amounts says the same again', () => {
    const { rows, survey: found } = readCsv(
      lines('Date,Text,Amount,D/C', '2026-03-13,A,-1.50,D', '2026-03-13,B,2.50,C'),
    )
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-13 2.5'])
    expect(found.reading.columns).toMatchObject({ type: 3 })
    expect(found.reading.columns?.direction).toBeUndefined()
  })

  test('words of a type column are a direction where there is no other', () => {
    const { rows } = readCsv(
      lines('Date,Text,Amount,Type', '2026-03-13,A,1.50,Debit', '2026-03-13,B,2.50,Credit'),
    )
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-13 2.5'])
  })

  test('one column without a negative amount is asked for', () => {
    const text = lines('Date,Text,Amount', '2026-03-13,A,1.50', '2026-03-13,B,2.50')
    expect(survey(text).questions).toEqual([
      {
        key: 'sign',
        options: ['asIs', 'reversed'],
        evidence: [
          { line: 2, raw: '1.50' },
          { line: 3, raw: '2.50' },
        ],
      },
    ])
    expect(readCsv(text, { sign: 'reversed' }).rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      '2026-03-13 -2.5',
    ])
    // A plus says that the others would have a minus.
    expect(readCsv(text.replace('1.50', '+1.50')).rows[0]?.amount).toBe('1.5')
  })

  test.each([
    ['up', ['A,10.00,110.00', 'B,-5.00,105.00', 'C,-5.00,100.00'], 'asIs'],
    ['down', ['C,-5.00,100.00', 'B,-5.00,105.00', 'A,10.00,110.00'], 'asIs'],
    ['up, reversed', ['A,-10.00,110.00', 'B,5.00,105.00', 'C,5.00,100.00'], 'reversed'],
    ['down, reversed', ['C,5.00,100.00', 'B,5.00,105.00', 'A,-10.00,110.00'], 'reversed'],
    ['up, all positive', ['A,10.00,90.00', 'B,5.00,85.00', 'C,5.00,80.00'], 'reversed'],
  ])('the chain of balances decides: %s', (_name, rows, sign) => {
    const text = lines('Date,Text,Amount,Balance', ...rows.map((row) => `2026-03-13,${row}`))
    expect(readCsv(text).survey.reading.sign).toBe(sign)
  })

  test('a broken chain decides nothing', () => {
    const rows = [
      'A,10.00,1.00',
      'B,5.00,2.00',
      '"B","7,50",3.00',
      'C,5.00,x',
      'D,5.00,90071992547409920.01',
      'E,1,2',
    ]
    const text = lines('Date,Text,Amount,Balance', ...rows.map((row) => `2026-03-13,${row}`))
    expect(survey(text).questions.map(({ key }) => key)).toEqual(['sign'])
  })

  test('the chain tells signs of two columns and of directions, too', () => {
    const sides = readCsv(
      lines(
        'Date,Text,Debit,Credit,Balance',
        '2026-03-13,A,,10.00,110',
        '2026-03-13,B,5.00,,105',
        '2026-03-13,C,5,,100',
      ),
    )
    expect(sides.rows.map(({ amount }) => amount)).toEqual(['10', '-5', '-5'])
    const words = readCsv(
      lines(
        'Date,Text,Amount,D/C,Balance',
        '2026-03-13,A,10,C,110',
        '2026-03-13,B,5.00,D,105',
        '2026-03-13,C,5,D,100',
      ),
    )
    expect(words.rows.map(({ amount }) => amount)).toEqual(['10', '-5', '-5'])
  })

  test('a fee with a sign of its own is added', () => {
    const { rows } = readCsv(
      lines(
        'Date,Text,Amount,Fee,Balance',
        '2026-03-13,A,100.00,-3.00,97.00',
        '2026-03-13,B,-50.00,1.50,48.50',
        '2026-03-13,C,-8.00,0,40.50',
        '2026-03-13,D,0,-0.50,40.00',
      ),
    )
    expect(rows.map(({ amount }) => amount)).toEqual(['97', '-48.5', '-8', '-0.5'])
    expect(rows[3]?.parts).toEqual([])
  })
})

describe('other columns', () => {
  test('a second payee column is text, and empty tags are none', () => {
    const { rows } = readCsv(
      lines('Date,Payee,Merchant,Amount,Tags', '2026-03-13,Ann,Shop,-1.50,"a,,b"'),
    )
    expect(rows[0]).toMatchObject({ payeeRaw: 'Ann', description: 'Shop', tags: ['a', 'b'] })
  })

  test('rows may end early', () => {
    const { rows } = readCsv(lines('Date,Amount,Text', '2026-03-13,-1.50', '2026-03-14,2.50,B'))
    expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-14 2.5'])
  })

  test('an account that the preamble names', () => {
    const { items } = readCsv(
      lines('Account: My savings', 'Date,Text,Amount', '2026-03-13,A,-1.50'),
    )
    expect(items[0]).toEqual({ is: 'account', account: { key: 'My savings', name: 'My savings' } })
  })

  test('each has its field', () => {
    const { rows } = readCsv(
      lines(
        'Transaction ID,Date,Payee,Description,Details,Amount,Category,Subcategory,Tags,Notes,Reference,Type,IBAN of payee,Counterparty IBAN,Status',
        'x1,2026-03-13,Shop,Text,Text,-1.50,Food,Market,"#a, b;c",Mine,R1,Card,,DE02,Pending',
      ),
    )
    expect(rows[0]).toMatchObject({
      bankId: { scheme: 'csv:transactionid', id: 'x1' },
      payeeRaw: 'Shop',
      description: 'Text',
      category: ['Food', 'Market'],
      tags: ['a', 'b', 'c'],
      note: 'Mine',
      counterAccount: 'DE02',
      metadata: { reference: 'R1', type: 'Card' },
      pending: true,
      text: 'x1 Shop Text Text R1 Card DE02',
    })
  })

  test('accounts are told by IBAN, number and name, and a lone IBAN of each row is the other one', () => {
    const { rows, items } = readCsv(
      lines(
        'Account,Date,Text,Amount',
        'DE02 1203 0000 0000 2020 51,2026-03-13,A,-1',
        '12-34 56,2026-03-13,B,-2',
        'Savings,2026-03-13,C,-3',
      ),
    )
    expect(items.flatMap((item) => (item.is === 'account' ? [item.account] : []))).toEqual([
      { key: 'DE02 1203 0000 0000 2020 51', iban: 'DE02120300000000202051' },
      { key: '12-34 56', number: '12-34 56' },
      { key: 'Savings', name: 'Savings' },
    ])
    expect(rows.map(({ account }) => account)).toEqual([
      'DE02 1203 0000 0000 2020 51',
      '12-34 56',
      'Savings',
    ])
    const other = readCsv(
      lines(
        'Date,Text,IBAN,Amount',
        '2026-03-13,A,DE1,-1',
        '2026-03-13,B,DE2,-2',
        '2026-03-13,C,DE3,-3',
      ),
    )
    expect(other.rows.map(({ counterAccount }) => counterAccount)).toEqual(['DE1', 'DE2', 'DE3'])
    const second = readCsv(lines('Account,IBAN,Date,Text,Amount', 'Mine,DE1,2026-03-13,A,-1'))
    expect(second.rows[0]).toMatchObject({ account: 'Mine', counterAccount: 'DE1' })
  })

  test('headings that mean two things are told by what stands below', () => {
    const valuta = readCsv(lines('Dato,Tekst,Beløb,Valuta', '2026-03-13,A,-1,DKK'))
    expect(valuta.rows[0]).toMatchObject({ currency: 'DKK', amount: '-1' })
    const rate = readCsv(
      lines('Date,Text,Amount,Currency,Original Amount,Kurs', '2026-03-13,A,-1,EUR,-2,USD'),
    )
    expect(rate.rows[0]?.original).toEqual({ amount: '-2', currency: 'USD' })
    const only = readCsv(lines('Valuta,Text,Betrag', '2026-03-13,A,-1'))
    expect(only.rows.map(booked)).toEqual(['2026-03-13 -1'])
  })

  test('an amount beside debit and credit is left out, one beside a single side is taken', () => {
    const both = readCsv(
      lines('Date,Text,Amount,Debit,Credit', '2026-03-13,A,1,1,', '2026-03-13,B,2,,2'),
    )
    expect(both.rows.map(({ amount }) => amount)).toEqual(['-1', '2'])
    const one = readCsv(lines('Date,Text,Amount,Debit', '2026-03-13,A,-1,1'))
    expect(one.rows[0]?.amount).toBe('-1')
  })
})
