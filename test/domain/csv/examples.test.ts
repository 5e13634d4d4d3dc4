import { describe, expect, test } from 'vitest'
import { sumDecimals } from '../../../src/domain/bank-files/decimals.ts'
import { booked, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('example 1: marks and orders', () => {
  test('thousands by the mark of the column', () => {
    const { rows } = readCsv(
      lines(
        'Buchungstag;Verwendungszweck;Betrag',
        '13.04.2026;Miete;-236,48',
        '14.04.2026;Lohn;1.488,69',
        '15.04.2026;Auto;-1.000',
      ),
    )
    expect(rows.map(({ amount }) => amount)).toEqual(['-236.48', '1488.69', '-1000'])
  })

  test('what excludes neither is asked, with the lines', () => {
    const found = survey(lines('Date,Text,Amount', '03/04/2026,A,1.000', '05/04/2026,B,-2.500'))
    expect(found.questions).toEqual([
      {
        key: 'dateOrder',
        options: ['DMY', 'MDY'],
        evidence: [
          { line: 2, raw: '03/04/2026' },
          { line: 3, raw: '05/04/2026' },
        ],
      },
      {
        key: 'decimal',
        options: ['.', ','],
        evidence: [
          { line: 2, raw: '1.000' },
          { line: 3, raw: '-2.500' },
        ],
      },
    ])
  })

  test('a third date settles the order of all', () => {
    const file = lines(
      'Date,Text,Amount',
      '03/04/2026,A,1.50',
      '05/04/2026,B,-2.50',
      '13/04/2026,C,-3',
    )
    expect(readCsv(file).rows.map(booked)).toEqual([
      '2026-04-03 1.5',
      '2026-04-05 -2.5',
      '2026-04-13 -3',
    ])
  })

  test('an answer is taken for the whole file', () => {
    const file = lines('Date,Text,Amount', '03/04/2026,A,1.000', '05/04/2026,B,-2.500')
    const { rows } = readCsv(file, { dateOrder: 'MDY', decimal: ',' })
    expect(rows.map(booked)).toEqual(['2026-03-04 1000', '2026-05-04 -2500'])
  })
})

test('example 2: preamble and continuation', () => {
  const { rows, survey: found } = readCsv(
    lines(
      'Account details for:,Savings 12-34',
      '',
      'Date,Value date,Description,Withdrawals (SGD),Deposits (SGD)',
      '18/04/2018,18/04/2018,POS PURCHASE,7.80,',
      ',,KOPITIAM 22,,',
      '17/04/2018,17/04/2018,INTEREST,,0.52',
    ),
  )
  expect(
    rows.map(({ line, amount, currency, description }) => [line, amount, currency, description]),
  ).toEqual([
    [4, '-7.8', 'SGD', 'POS PURCHASE KOPITIAM 22'],
    [6, '0.52', 'SGD', 'INTEREST'],
  ])
  expect(sumDecimals(rows.map(({ amount = '0' }) => amount))).toBe('-7.28')
  expect(found.accounts).toEqual([
    { key: 'Savings 12-34', number: 'Savings 12-34', currency: 'SGD', line: 4 },
  ])
  expect(rows.every(({ account }) => account === 'Savings 12-34')).toBe(true)
})

describe('example 3: directions', () => {
  test('a credit card whose charges are positive', () => {
    const file = lines(
      'Date,Description,Amount',
      '2026-03-01,GROCER,36.33',
      '2026-03-02,BOOKS,12.00',
      '2026-03-03,FUEL,40.00',
      '2026-03-04,CINEMA,15.00',
      '2026-03-05,CAFE,4.00',
      '2026-03-06,PAYMENT THANK YOU,-500.00',
    )
    const found = survey(file)
    expect(found.questions).toMatchObject([
      { key: 'sign', options: ['asIs', 'reversed'], suggestion: 'reversed' },
    ])
    const { rows } = readCsv(file, { sign: 'reversed' })
    expect([rows[0]?.amount, rows[5]?.amount]).toEqual(['-36.33', '500'])
  })

  test('Revolut: the balance moves by the amount and the fee', () => {
    const { rows, survey: found } = readCsv(
      lines(
        'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
        'TOPUP,Current,2026-03-01 10:00:00,2026-03-01 10:00:05,Top-up,324.50,0.00,EUR,COMPLETED,324.50',
        'ATM,Current,2026-03-02 10:00:00,2026-03-02 11:00:00,Cash,-42.18,0.42,EUR,COMPLETED,281.90',
        'CARD_PAYMENT,Current,2026-03-03 10:00:00,,Shop,-5.00,0.00,EUR,REVERTED,',
        'CARD_PAYMENT,Current,2026-03-04 10:00:00,,Shop,-6.00,0.00,EUR,PENDING,',
        'EXCHANGE,Current,2026-03-05 10:00:00,2026-03-05 10:00:00,Odd,-7.00,-0.50,EUR,COMPLETED,',
      ),
    )
    expect(found.reading.builtIn).toBe('revolut')
    expect(rows[1]).toMatchObject({
      amount: '-42.6',
      parts: [{ amount: '-42.18' }, { amount: '-0.42', fee: true }],
      time: '11:00:00',
      date: '2026-03-02',
    })
    expect(rows[0]?.parts).toEqual([])
    expect(rows[4]?.amount).toBe('-7.5')
    expect(rows[2]?.ignored).toBe('notCompleted')
    // Where no booking date is filled, the other date is taken.
    expect(rows[3]).toMatchObject({ pending: true, date: '2026-03-04' })
  })

  test('the same without a known bank: the chain of balances tells', () => {
    const file = (second: string) =>
      lines('Date,Text,Amount,Fee,Balance', '2026-03-13,A,24.50,0,2000.00', second)
    const beside = readCsv(file('2026-03-14,B,-42.18,0.42,1957.40'))
    expect(beside.rows[1]).toMatchObject({ amount: '-42.6' })
    const inside = readCsv(file('2026-03-14,B,-35.50,0.10,1964.50'))
    expect(inside.rows[1]).toMatchObject({ amount: '-35.5', parts: [], metadata: { fee: '0.1' } })
    expect(inside.survey.reading.fee).toBe('inside')
  })

  test('Wise: the fee is inside', () => {
    const { rows } = readCsv(
      lines(
        'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees',
        'CARD-1,13-03-2026,-35.50,EUR,Card transaction,,1964.50,,,,,,,A shop,1234,,,,0.10',
        ',11-03-2026,1.00,EUR,No id,,,,,,,,,,,,,,0',
        'BALANCE-7,12-03-2026,2000.00,EUR,Converted 2200 USD,,2000.00,USD,EUR,0.909,,,,,,,,,0',
      ),
    )
    expect(rows[0]).toMatchObject({ amount: '-35.5', payeeRaw: 'A shop', parts: [] })
    expect(rows[0]?.transfer).toBeUndefined()
    expect(rows[2]?.transfer).toEqual({ account: '', pair: 'wise:BALANCE-7' })
    expect(rows[2]?.bankId).toEqual({ scheme: 'csv:transferwiseid', id: 'BALANCE-7' })
  })
})

test('nothing is asked of a file that says everything', () => {
  expect(keysOf(survey(lines('Date,Text,Amount', '2026-03-13,A,-1.50')))).toEqual([])
})
