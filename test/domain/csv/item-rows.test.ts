import { expect, test } from 'vitest'
import { readCsv } from './read-csv.fixtures.ts'

const HEAD = 'Booking date;Currency;Debit;Credit;Individual amount;Balance;Description1'
const order = (amount: string, text = 'Order') => `2025-07-24;CHF;${amount};;;628.20;${text}`
const item = (amount: string, text: string) => `;;;;${amount};;${text}`

const shown = (...lines: string[]) =>
  readCsv(`${[HEAD, ...lines].join('\n')}\n`).rows.map((row) => [
    row.description,
    row.ignored ?? row.amount,
    row.parts.map(({ amount, description }) => `${amount} ${description}`),
  ])

test('amounts of items below an order are its parts', () => {
  expect(
    shown(
      order('-35.40', 'Shop'),
      order('-1310.00'),
      item('-110.00', 'Insurance'),
      item("-1'200.00", 'Tax'),
      order('-3.00', 'Pair'),
      item('-1.00', ''),
      item('-2.00', ''),
      order('-61.80', 'Last'),
    ),
  ).toEqual([
    ['Shop', '-35.4', []],
    ['Order', '-1310', ['-110 Insurance', '-1200 Tax']],
    ['Pair', '-3', ['-1 undefined', '-2 undefined']],
    ['Last', '-61.8', []],
  ])
})

test('they are lines like others where they do not sum to the amount, or are none', () => {
  expect(
    shown(
      item('-1.00', 'Above all'),
      order('-310.00'),
      item('-110.00', 'One'),
      item('-1,5', 'Two'),
      item('-200.00', 'Three'),
      order('-5.00', 'Other'),
      item('-4.00', 'Four'),
      item('x', 'Five'),
    ),
  ).toEqual([
    ['Above all', 'information', []],
    ['Order', '-310', []],
    ['One', 'information', []],
    ['Two', 'information', []],
    ['Three', 'information', []],
    ['Other', '-5', []],
    ['Four', 'information', []],
    ['Five', 'information', []],
  ])
})

test('their column is not said to be unread', () => {
  const text = `${[HEAD, order('-1.00'), item('-1.00', 'One')].join('\n')}\n`
  expect(readCsv(text).survey.unread).not.toContain('Individual amount')
})
