import { expect, test } from 'vitest'
import { lines, readCsv, survey } from './read-csv.fixtures.ts'

test('of a balance, the balance after it and the amount between, the amount is told', () => {
  const { questions } = survey(
    lines(
      '500378157\tEUR\t20260301\t1000,00\t950,00\t20260301\t-50,00\tSEPA SHOP',
      '500378157\tEUR\t20260302\t950,00\t1950,50\t20260302\t1000,50\tSEPA PAY',
    ),
  )
  const suggested = JSON.parse(questions.find(({ key }) => key === 'columns')?.suggestion ?? '{}')
  expect(suggested).toMatchObject({ date: 2, amount: 6, balance: 4, valueDate: 5 })
})

test.each([
  ['CAD', '-12.30,'],
  ['USD', ',-12.30'],
])('a column for each currency is the amount in %s', (currency, cells) => {
  const { rows } = readCsv(
    lines(
      'Account Number,Transaction Date,Description 1,CAD$,USD$',
      `123-4,2026-03-13,TEA,${cells}`,
    ),
  )
  expect(rows).toMatchObject([{ amount: '-12.3', currency, errors: [] }])
})

test('headings are read in Hebrew', () => {
  const { rows } = readCsv(
    lines(
      'תאריך,תיאור,אסמכתא,חובה,זכות,יתרה בש"ח',
      '13/03/2026,קפה,77,12.30,,87.70',
      '14/03/2026,משכורת,78,,100.00,187.70',
    ),
  )
  expect(rows).toMatchObject([
    { date: '2026-03-13', amount: '-12.3', balance: '87.7', description: 'קפה' },
    { date: '2026-03-14', amount: '100', balance: '187.7' },
  ])
})
