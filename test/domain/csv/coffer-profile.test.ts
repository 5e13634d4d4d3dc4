import { expect, test } from 'vitest'
import { csvLine, guardCell, joinPath, joinTags } from '../../../src/domain/csv/writing.ts'
import { booked, readCsv } from './read-csv.fixtures.ts'

const COLUMNS =
  'id,kind,date,time,account,accountId,currency,amount,description,payee,payeeRaw,category,tags,status,reviewed,note,transferId,counterAccount,originalAmount,originalCurrency,rate,partOf,partAmount,externalId,importId'.split(
    ',',
  )

const NUMBERS = ['amount', 'partAmount', 'originalAmount', 'rate']

const table = (...records: Record<string, string>[]): string =>
  [
    csvLine(COLUMNS),
    ...records.map((record) =>
      csvLine(
        COLUMNS.map((column) => {
          const value = record[column] ?? ''
          return NUMBERS.includes(column) ? value : guardCell(value)
        }),
      ),
    ),
  ].join('')

const whole = {
  ...{ id: 'txn_a', kind: 'expense', date: '2026-03-19', account: 'Everyday', currency: 'EUR' },
  ...{ amount: '-12.30', status: 'cleared' },
}
const part = (amount: string, more: object = {}) => ({
  ...{ ...whole, id: `spl_${amount}`, kind: 'part', amount: '', partOf: 'txn_a' },
  ...{ partAmount: amount, ...more },
})

test('texts are as they were before they became cells', () => {
  const { rows, survey } = readCsv(
    table({
      ...{ ...whole, account: '=Everyday', description: '-2+3; "quoted"\nClosing balance' },
      ...{ payee: 'Shop', payeeRaw: "'TESCO", note: '@home', time: '18:45' },
      category: joinPath(['Food / drink', 'a\\b']),
      tags: joinTags(['one|two', '=three']),
      ...{ originalAmount: '13.50', originalCurrency: 'USD', rate: '0.9111', externalId: '0012' },
    }),
  )
  expect(survey.reading.builtIn).toBe('coffer')
  expect(survey.accounts).toEqual([
    { key: '=Everyday', name: '=Everyday', currency: 'EUR', line: 2 },
  ])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    ...{ account: '=Everyday', date: '2026-03-19', amount: '-12.3', currency: 'EUR' },
    ...{ description: '-2+3; "quoted"\nClosing balance', payeeRaw: "'TESCO", note: '@home' },
    ...{ category: ['Food / drink', 'a\\b'], tags: ['one|two', '=three'], errors: [] },
    ...{ original: { amount: '13.5', currency: 'USD', rate: '0.9111' } },
    bankId: { scheme: 'coffer', id: 'coffer:txn_a' },
  })
})

test('parts belong to the row above them, and those that are transfers to their other side', () => {
  const { rows } = readCsv(
    table(
      whole,
      part('-10.00', { category: 'Groceries', tags: 'trip', note: 'Food' }),
      part('-2.30', { transferId: 'spl_x', counterAccount: 'Savings' }),
      {
        ...{ ...whole, id: 'txn_b', kind: 'transfer', account: 'Savings', amount: '2.30' },
        ...{ transferId: 'spl_x', counterAccount: 'Everyday' },
      },
      { ...whole, id: 'txn_c', kind: 'transfer', amount: '-100.00', transferId: 'trf_c' },
      { ...part('-1.00', { category: 'Fees', note: 'Wire' }), kind: 'fee', partOf: 'txn_c' },
      { ...part('-0.50'), kind: 'fee', partOf: 'txn_c' },
      { ...whole, id: 'txn_d', externalId: 'bank-1' },
      // Of no transfer.
      { ...part('-1.00'), kind: 'fee', partOf: 'txn_d' },
    ),
  )
  expect(rows.map(booked)).toEqual([
    '2026-03-19 -12.3',
    '2026-03-19 2.3',
    '2026-03-19 -100',
    '2026-03-19 -12.3',
  ])
  expect(rows[0]?.parts).toEqual([
    { amount: '-10', category: ['Groceries'], tags: ['trip'], description: 'Food' },
    { amount: '-2.3', transfer: 'Savings', pair: 'spl_x' },
  ])
  expect(rows.map(({ transfer }) => transfer)).toEqual([
    undefined,
    { account: 'Everyday', pair: 'spl_x' },
    {
      ...{ account: '', pair: 'trf_c' },
      fees: [{ amount: '1', category: ['Fees'], description: 'Wire' }, { amount: '0.5' }],
    },
    undefined,
  ])
  // The fees are in the amount.
  expect(rows.slice(2).map(({ parts }) => parts)).toEqual([[], []])
  expect(rows[3]?.externalId).toBe('bank-1')
})

test('openings and void transactions are no bookings; pending and uncleared ones are told', () => {
  const { rows } = readCsv(
    table(
      { ...whole, kind: 'opening', amount: '250.00' },
      { ...whole, status: 'void', amount: '0.00' },
      part('-77.00'),
      { ...whole, id: 'txn_d', status: 'pending' },
      { ...whole, id: 'txn_e', status: 'uncleared' },
    ),
  )
  expect(rows.map((row) => row.ignored)).toEqual([
    ...['opening', 'notCompleted', undefined, undefined],
  ])
  expect(rows.map(({ pending, status }) => [pending, status]).slice(2)).toEqual([
    [true, undefined],
    [false, 'uncleared'],
  ])
})

test('a table that was sorted or changed says so instead of booking half of it', () => {
  const { rows } = readCsv(table(part('-10.00'), { ...whole, id: 'txn_z' }, part('-2.30'), whole))
  expect(rows.map(booked)).toEqual([
    ...['partsDoNotSum', '2026-03-19 -12.3', 'partsDoNotSum', '2026-03-19 -12.3'],
  ])
  const changed = readCsv(table(whole, part('-10.00'), part('-2.31'))).rows
  expect(changed.map(booked)).toEqual(['partsDoNotSum'])
})

test('columns and cells may be missing', () => {
  const { rows, survey } = readCsv(
    [
      csvLine(COLUMNS.slice(0, 14)),
      csvLine(['a', 'expense', '2026-03-19', '', '', '', 'EUR', '-1.50', '', '', '', '', '', '']),
    ].join(''),
  )
  expect(survey.accounts).toEqual([])
  expect(rows.map(booked)).toEqual(['2026-03-19 -1.5'])
  const other = readCsv(
    table({ ...whole, kind: 'transfer' }, { ...whole, id: 'txn_b', amount: 'x' }, part('-1.00')),
  ).rows
  expect(other.map(({ transfer }) => transfer)[0]).toBeUndefined()
  expect(other.map(booked)).toEqual(['2026-03-19 -12.3', 'money.malformed', 'partsDoNotSum'])
  const unread = readCsv(table({ ...whole, amount: 'x' }, part('-1.00'))).rows
  expect(unread.map(booked)).toEqual(['money.malformed'])
  expect(readCsv(table(whole, part('x'))).rows.map(booked)).toEqual(['money.malformed'])
})
