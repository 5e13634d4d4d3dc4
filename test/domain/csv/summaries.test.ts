import { expect, test } from 'vitest'
import { booked, lines, readCsv } from './read-csv.fixtures.ts'

test('rows that are no bookings are told by their words', () => {
  const { rows } = readCsv(
    lines(
      'Date,Description,Amount,Status',
      '2026-03-01,Opening balance,100.00,',
      '2026-03-13,A,-1.50,DECLINED',
      '2026-03-13,Total,-1.50,',
      '2026-03-31,Saldo 31.03.2026,98.50,',
      'Turnover,,1.50,',
      '2026-03-31,Total debits,-1.50,',
      ',Total,-1.50,',
      '2026-03-31,Total,,',
      '2026-03-13,TOTAL PARIS 123 STATION,-40.00,',
    ),
  )
  expect(rows.map(booked)).toEqual([
    'opening',
    'notCompleted',
    '2026-03-13 -1.5',
    'closing',
    'turnover',
    'turnover',
    'turnover',
    'turnover',
    '2026-03-13 -40',
  ])
})

test.each(['Total', 'TOTAL', 'SUMMA', 'Всего', '合計', 'Grand total', 'Turnover', 'Kaive'])(
  'a shop called %s is a shop where the row has a date and an amount',
  (name) => {
    const { rows } = readCsv(
      lines(
        'Date,Payee,Description,Amount',
        `2026-03-13,${name},Fuel,-40.00`,
        `2026-03-14,${name},,-41.00`,
        `2026-03-15,,${name},-42.00`,
        `,${name},,-43.00`,
      ),
    )
    expect(rows.map(booked)).toEqual([
      ...['2026-03-13 -40', '2026-03-14 -41', '2026-03-15 -42', 'turnover'],
    ])
  },
)
