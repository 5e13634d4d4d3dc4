import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { negateDecimal, sumDecimals } from '../../../src/domain/bank-files/decimals.ts'
import { importJson } from '../../../src/areas/intake/imports/stored.contract.ts'
import { outcomeOfRows } from '../../../src/areas/intake/imports/reading/outcomes.rules.ts'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { settled, uploaded } from './importing.ts'

// What the answers to a question would book.

const FOLDER = join(import.meta.dirname, '../../support/field')

const upload = async (body: string | Buffer, fileName = 'a.csv') => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me, { currency: 'EUR' })
  return { me, sent: await uploaded(me, body, { fileName, accountId }) }
}

const csv = (...lines: string[]) => `${['Date,Payee,Amount', ...lines].join('\n')}\n`
const sums = (moneyIn: string, moneyOut: string) => [
  { currency: 'EUR', in: moneyIn, out: moneyOut },
]

it('each order of dates says which days it means', async () => {
  const { sent } = await upload(
    csv('03/04/2026,A,-42.10', '05/04/2026,B,-3.00', '07/04/2026,C,15.00', '31/31/2026,D,1.00'),
  )
  const shared = { rows: 3, errors: 1, sums: sums('15.00', '45.10') }
  expect(sent.questions).toMatchObject([
    {
      key: 'dateOrder',
      outcomes: [
        { option: 'DMY', from: '2026-04-03', to: '2026-04-07', ...shared },
        { option: 'MDY', from: '2026-03-04', to: '2026-07-04', ...shared },
      ],
    },
  ])
  const [stored] = await rows<{ questions: string }>(
    'SELECT questions FROM imports WHERE id = ?',
    sent.id,
  )
  // A backup holds them.
  const questions = JSON.parse(stored?.questions ?? '') as { outcomes: object[] }[]
  const isTaken = (all: unknown) => importJson['questions']?.(all, {})
  expect(isTaken(questions)).toBe(true)
  expect(isTaken([{ ...questions[0], outcomes: [{ option: 'DMY' }] }])).toBe(false)
})

it('each decimal mark says how much it means', async () => {
  const { sent } = await upload(csv('2026-04-03,A,"-1,234"', '2026-04-05,B,"2,500"'))
  const [question] = sent.questions
  expect(question?.key).toBe('decimal')
  expect(question?.outcomes.map((one) => [one.option, one.rows, one.errors, one.sums])).toEqual([
    ['.', 2, 0, sums('2500.00', '1234.00')],
    [',', 1, 1, sums('2.50', '0.00')],
  ])
})

it('the currency says what its rows become', async () => {
  const { sent } = await upload('Date,Payee,Amount,Currency\n2026-04-03,A,-1.00,USD\n')
  expect(sent.questions).toMatchObject([
    {
      key: 'currency',
      outcomes: [{ option: 'EUR', rows: 1, errors: 0, sums: sums('0.00', '1.00') }],
    },
  ])
})

it('another question takes the only currency that there is', async () => {
  const { sent } = await upload('Date,Payee,Amount,Currency\n03/04/2026,A,-1.00,USD\n')
  expect(sent.questions.map(({ key }) => key)).toEqual(['dateOrder', 'currency'])
  const shared = { rows: 1, errors: 0, sums: sums('0.00', '1.00') }
  expect(sent.questions[0]?.outcomes).toMatchObject([
    { option: 'DMY', from: '2026-04-03', ...shared },
    { option: 'MDY', from: '2026-03-04', ...shared },
  ])
})

it('says nothing where another question has no suggestion, of accounts, and of large files', async () => {
  const two = await upload(csv('03/04/2026,A,"-1,234"'))
  // What the locale suggests for one of them is taken for the other.
  expect(two.sent.questions.map(({ key, outcomes }) => [key, outcomes.length])).toEqual([
    ['dateOrder', 2],
    ['decimal', 0],
  ])
  const me = await newUser()
  const account = await uploaded(me, csv('2026-04-03,A,-1.00'), { fileName: 'a.csv' })
  expect(account.questions).toMatchObject([{ key: 'account', outcomes: [] }])
  const large = await upload(
    csv(...Array<string>(1900).fill(`03/04/2026,${'x'.repeat(140)},-1.00`)),
  )
  expect(large.sent.questions).toMatchObject([{ key: 'dateOrder', outcomes: [] }])
})

it('rows without a day or an amount, and with errors, are not booked', () => {
  const error = { code: 'amountMissing' as const, message: '' }
  const row = { date: '2026-04-03', minor: -100, currency: 'EUR', errors: [] }
  expect(
    outcomeOfRows([row, { ...row, errors: [error] }, { currency: 'EUR', errors: [] }]),
  ).toEqual({
    rows: 1,
    errors: 2,
    from: '2026-04-03',
    to: '2026-04-03',
    sums: sums('0.00', '1.00'),
  })
  expect(outcomeOfRows([])).toEqual({ rows: 0, errors: 0, from: null, to: null, sums: [] })
})

const asked = readdirSync(FOLDER).filter(
  // Its accounts are to be told, too.
  (name) => name.endsWith('.csv') && name !== 'csv-row-currency-against-answer.csv',
)

it.each(asked)('is what the answer comes to: %s', async (name) => {
  const { me, sent } = await upload(readFileSync(join(FOLDER, name)), name)
  const answer = async (answers: { key: string; suggestion: string | null }[]) => {
    const said = answers.filter(({ suggestion }) => suggestion !== null)
    const entries = said.map(({ key, suggestion }) => [
      key,
      key === 'columns' ? JSON.parse(suggestion ?? '') : suggestion,
    ])
    await ok(setImportMapping, { as: me, id: sent.id, json: Object.fromEntries(entries) })
    return settled(me, sent.id)
  }
  for (const { key, outcomes } of sent.questions) {
    for (const { option, sums: found, ...told } of outcomes) {
      const others = sent.questions.filter((one) => one.key !== key)
      const read = await answer([{ key, suggestion: option }, ...others])
      if (read.questions.length > 0) {
        await answer(read.questions)
      }
      const shown = await ok(listImportRows, { as: me, id: sent.id, query: { limit: 200 } })
      const bookable = shown.rows.filter(({ verdict }) => verdict !== 'ignored')
      const booked = bookable.filter(({ verdict }) => verdict !== 'error')
      const dates = booked.map(({ parsed }) => parsed.date ?? '').toSorted()
      const sum = sumDecimals(booked.map(({ parsed }) => parsed.amount ?? ''))
      const both = found.flatMap((one) => [one.in, negateDecimal(one.out)])
      expect({ ...told, sum: sumDecimals(both) }, `${key} ${option}`).toEqual({
        ...{ rows: booked.length, errors: bookable.length - booked.length },
        ...{ from: dates[0] ?? null, to: dates.at(-1) ?? null, sum },
      })
    }
  }
})
