import { expect, test } from 'vitest'
import type { Reading } from '../../../src/domain/bank-files/format.ts'
import { csvFormat } from '../../../src/domain/csv/csv.ts'
import { triesTooManyRows } from '../bank-files/reading.ts'
import { booked, itemsOf, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

test('a mapping by hand may use both an amount and sides', () => {
  const reading: Reading = {
    format: 'csv',
    headerLine: 1,
    columns: { date: 0, amount: 1, debit: 2, credit: 3, note: [] },
    dateOrder: 'YMD',
    decimal: '.',
  }
  const items = itemsOf(
    lines('a,b,c,d', '2026-03-13,,1,', '2026-03-13,-2,,', '2026-03-13,,,3'),
    reading,
  )
  const amounts = items.flatMap((item) => (item.is === 'row' ? [item.row.amount] : []))
  expect(amounts).toEqual(['-1', '-2', '3'])
})

test('a file is recognised by its heading, or by its delimiters', () => {
  expect(csvFormat.recognises(lines('Date,Text,Amount', '2026-03-13,A,-1'))).toBe(0.9)
  expect(csvFormat.recognises(lines('1;2026-03-13;x', '2;2026-03-14;y'))).toBe(0.5)
  expect(csvFormat.recognises(lines('Hello there', 'my dear, friend', 'how', 'are', 'you'))).toBe(
    0.2,
  )
  expect(csvFormat.recognises('hello')).toBe(0)
})

const rowsUnder = (text: string, reading: Reading) =>
  itemsOf(text, reading).flatMap((item) => (item.is === 'row' ? [item.row] : []))

test('a reading that says little is read as far as that goes', () => {
  const none = rowsUnder(lines('a,b', '2026-03-13,1'), { format: 'csv' })
  expect(none.map(booked)).toEqual(['information'])
  const some: Reading = { format: 'csv', columns: { date: 0, amount: 1, description: 2 } }
  const text = lines(
    'Opening balance: 5,,',
    'a,b,c',
    '2026-03-13,-1,x',
    '13.03.2026,-2,y',
    '2026-03-13,-3,x,"y"',
  )
  expect(rowsUnder(text, { ...some, headerLine: 2 }).map(booked)).toEqual([
    '2026-03-13 -1',
    'dateInvalid',
    'tooManyFields',
  ])
  expect(rowsUnder(lines('a,b,c', '2026-03-13,-1,x,y'), some)[0]?.description).toBe('x,y')
})

test('without headings, errors and ids name no column', () => {
  const rows = rowsUnder(lines('2026-03-13;x;7'), {
    format: 'csv',
    delimiter: ';',
    headerLine: 0,
    columns: { date: 0, amount: 1, bankId: 2 },
  })
  expect(rows[0]).toMatchObject({
    errors: [{ code: 'money.malformed', message: '"x" is no amount.' }],
    bankId: { scheme: 'csv:', id: '7' },
  })
})

test('surplus fields belong to a payee where there is no description, and to nothing else', () => {
  const payee = lines(
    'Date,Payee,Amount,Currency',
    '2026-03-13,Smith, Co,-1.50,EUR',
    '2026-03-13,A,B,-2,??',
  )
  expect(readCsv(payee, { currency: 'EUR' }).rows.map(booked)).toEqual([
    '2026-03-13 -1.5',
    'tooManyFields',
  ])
  const none = lines('Date,Amount', '2026-03-13,-1.50,x')
  expect(readCsv(none).rows.map(booked)).toEqual(['tooManyFields'])
})

const OF_ACCOUNTS: Reading = { format: 'csv', columns: { account: 0, date: 1, amount: 2 } }

test('the bound of accounts holds without a survey', () => {
  const accounts = Array.from({ length: 101 }, (_, index) => `A${index},2026-03-13,-1`)
  expect(() => itemsOf(lines('a,b,c', ...accounts), OF_ACCOUNTS)).toThrow(
    expect.objectContaining({ code: 'imports.tooManyAccounts' }),
  )
})

test.runIf(triesTooManyRows('csv'))('the bound of rows holds without a survey', () => {
  const many = `a,b,c\n${'A,2026-03-13,-1\n'.repeat(200_001)}`
  expect(() => itemsOf(many, OF_ACCOUNTS)).toThrow(
    expect.objectContaining({ code: 'imports.tooManyRows' }),
  )
})

test('long texts between the rows are looked through as far as 200 lines', () => {
  const between = Array.from({ length: 250 }, (_, index) => `Note ${index},,`)
  const text = lines(
    'Date,Text,Amount',
    '2026-03-13,A,-1',
    ...between,
    'Date,Text,Amount',
    '2026-03-14,B,-2',
  )
  const { rows } = readCsv(text)
  expect(rows).toHaveLength(252)
  expect(csvFormat.read({ format: 'csv' }).push('')).toEqual([])
})

test('columns may be named by their headings, wherever these are', () => {
  const text = lines('My bank', 'Tag;Wert;Wozu', '2026-03-13;-1;x', '2026-03-14;-2;y')
  const columns = { date: 'TAG', amount: 'Wert', description: ['Wozu'] }
  const { rows } = readCsv(text, { columns, delimiter: ';', dateOrder: 'YMD' })
  expect(rows.map((row) => `${booked(row)} ${row.description}`)).toEqual([
    '2026-03-13 -1 x',
    '2026-03-14 -2 y',
  ])
  // A heading that no record has leads nowhere.
  const lost = survey(text, { columns: { ...columns, date: 'Nowhere' }, delimiter: ';' })
  expect(keysOf(lost)).toContain('columns')
})
