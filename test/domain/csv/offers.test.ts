import { describe, expect, test } from 'vitest'
import { booked, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

const offered = (...rows: string[]) =>
  survey(lines(...rows)).questions.find(({ key }) => key === 'columns')?.suggestion

describe('columns are suggested', () => {
  test('if every row can be read with them', () => {
    const good = ['2026-03-01,Shop,-1.50', '2026-03-02,Shop,2.50', '2026-03-31,Total,1.00']
    expect(offered(...good)).toBe('{"date":0,"amount":2,"description":1}')
    expect(offered(...good, '2026-03-03,Shop,')).toBeUndefined()
    expect(offered('Day,What,Sum', 'soon,Shop,-1.50')).toBeUndefined()
    expect(offered('pending,Shop,-1.50', '2026-03-02,Shop,2.50')).toBeUndefined()
  })

  test('if they are all that is needed', () => {
    const members = 'Date,Description,Coût,Devise,Lou,Max'
    const rows = ['2026-03-11,Pizza,7.20,EUR,3.60,-3.60', '2026-03-12,Bus,20.00,EUR,-10.00,10.00']
    const found = survey(lines(members, ...rows))
    expect(keysOf(found)).toEqual(['columns'])
    expect(found.questions[0]).not.toHaveProperty('suggestion')
  })

  test('if the balances fit', () => {
    const file = (heading: string, balance: string) =>
      offered(heading, '2026-03-01,Shop,-1.50,10.00', `2026-03-02,Shop,2.50,${balance}`)
    const unknown = 'Date,Merkmal,Amount,Balance'
    expect(file(unknown, '12.50')).toBeDefined()
    expect(file(unknown, '7.50')).toBeDefined()
    expect(file(unknown, '12.00')).toBeUndefined()
    const withFee = lines(
      'Date,Merkmal,Amount,Balance,Fee',
      ...['2026-03-01,A,-1.50,10.00,0.00', '2026-03-02,B,2.50,12.00,0.50'],
    )
    expect(offered(withFee)).toBeDefined()
  })

  test('if no rows could be the parts of the one above', () => {
    const whole = '2026-03-01,*,-4.50'
    const parts = ['2026-03-01,-,-1.50', '2026-03-01,-,-3.00']
    expect(offered('Date,Merkmal,Amount', whole, ...parts)).toBeUndefined()
    expect(
      offered('Date,Merkmal,Amount', whole, ...parts.map((one) => one.replace('01', '02'))),
    ).toBeDefined()
    const sides = [whole.replace(',-4', ',,4'), ...parts.map((one) => one.replace(',-1', ',,1'))]
    expect(offered('Date,Merkmal,In,Out', ...sides.map((one) => one.replace('-3', ',3')))).toBe(
      undefined,
    )
  })
})

test('one side alone may be suggested', () => {
  const rows = ['2026-03-01,A,1.50', '2026-03-01,B,2.50', '2026-03-01,C,4.00']
  expect(offered('Date,Merkmal,Debit', ...rows)).toBeDefined()
})

describe('what a built-in profile knows', () => {
  const chase = (...dates: string[]) =>
    lines(
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      ...dates.map((date) => `DEBIT,${date},SHOP,-1.50,ACH,,`),
    )

  test('is the order of days, if the days of the file agree', () => {
    expect(readCsv(chase('03/04/2026', '05/06/2026')).rows.map(booked)).toEqual([
      '2026-03-04 -1.5',
      '2026-05-06 -1.5',
    ])
    expect(survey(chase('13/04/2026')).reading.dateOrder).toBe('DMY')
    expect(survey(chase('03/04/2026'), { dateOrder: 'DMY' }).reading.dateOrder).toBe('DMY')
    expect(survey(chase('')).reading.dateOrder).toBe('MDY')
    expect(keysOf(survey(lines('Date,Text,Amount', '03/04/2026,A,-1')))).toEqual(['dateOrder'])
  })

  test('is that an account is a credit card, as a title may say', () => {
    const typeOf = (text: string) => survey(text).accounts[0]?.type
    expect(typeOf(chase('03/04/2026'))).toBeUndefined()
    const card = 'Transaction Date,Post Date,Description,Category,Type,Amount,Memo'
    expect(typeOf(lines(card, '03/01/2026,03/02/2026,SHOP,Food,Sale,-1.50,'))).toBe('creditCard')
    const plain = ['Date,Text,Amount', '2026-03-01,A,-1']
    expect(typeOf(lines('Credit card statement', ...plain))).toBe('creditCard')
    expect(typeOf(lines('信用卡对账单', ...plain))).toBe('creditCard')
    expect(typeOf(lines('Statement', ...plain))).toBeUndefined()
  })
})

test('MyExpenses lists the parts of a row below it', () => {
  const { rows } = readCsv(
    lines(
      'Split transaction,Date,Payer/Payee,Income,Expense,Category,Subcategory,Notes',
      '-,2026-03-01,Alone,0,1.00,,,',
      '*,2026-03-02,Market,0,4.50,,,',
      '-,2026-03-02,,0,1.50,Food,Bread,Rye',
      '-,2026-03-02,,0,3.00,,,',
      '*,2026-03-03,Shop,0,2.00,,,',
      '-,2026-03-03,,x,2.00,,,',
    ),
  )
  expect(rows.map(booked)).toEqual(['2026-03-01 -1', '2026-03-02 -4.5', 'money.malformed'])
  expect(rows.map(({ parts }) => parts)).toEqual([
    [],
    [{ amount: '-1.5', category: ['Food', 'Bread'], description: 'Rye' }, { amount: '-3' }],
    [{ amount: '0' }],
  ])
})

test('MyExpenses says the same in German', () => {
  const { rows } = readCsv(
    lines(
      'Mehrteilige Buchung;Datum;Empfänger/Zahler;Einnahme;Ausgabe;Kategorie;Unterkategorie;Notizen',
      ...['*;16.08.22;Markt;0;4,50;;;', '-;16.08.22;;0;1,50;Essen;;', '-;16.08.22;;0;3,00;;;'],
    ),
  )
  expect(rows).toMatchObject([
    { amount: '-4.5', parts: [{ amount: '-1.5', category: ['Essen'] }, { amount: '-3' }] },
  ])
})
