import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, uploaded } from './importing.ts'

const HEADING = 'Date,Payee,Amount,Currency'
const inCurrencies = (...codes: string[]) =>
  csv(
    codes.map((code, at) => `2026-03-1${at},SHOP ${at},-${at + 1}.00,${code}`),
    HEADING,
  )

async function scene() {
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR' })
  const read = async (file: string) => uploaded(me, file, { accountId: account.id })
  const map = (id: string, json: object) => ok(setImportMapping, { as: me, id, json })
  const told = async (id: string) =>
    (await ok(listImportRows, { as: me, id })).rows.map(({ verdict, errors }) => [
      ...[verdict, errors[0]?.message],
    ])
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  return { me, account, read, map, told, balance }
}

describe('a file in another currency than its account', () => {
  it.each([
    ['a column', inCurrencies('USD', 'USD'), 'USD'],
    ['an unknown code', inCurrencies('BTC', 'BTC'), 'BTC'],
    ['a sign', inCurrencies('₽', '₽'), 'RUB'],
    [
      'the heading',
      csv(['2026-03-10,A,-1.00', '2026-03-11,B,-2.00'], 'Date,Payee,Amount (USD)'),
      'USD',
    ],
    ['the amounts', csv(['2026-03-10,A,USD -1.00', '2026-03-11,B,USD -2.00']), 'USD'],
    [
      'OFX',
      ofx([
        { id: '1', date: '2026-03-10', amount: '-1.00', name: 'A' },
        { id: '2', date: '2026-03-11', amount: '-2.00', name: 'B' },
      ]).replace('EUR', 'XYZ'),
      'XYZ',
    ],
  ])('is asked about: %s', async (_, file, currency) => {
    const { me, read, map, balance } = await scene()
    const { id, state, questions, accounts } = await read(file)
    expect([state, questions]).toMatchObject(['questions', [{ key: 'currency', options: ['EUR'] }]])
    expect(accounts).toMatchObject([{ currency }])
    expect(await map(id, { currency: 'EUR' })).toMatchObject({
      ...{ state: 'previewed', counts: { new: 2 }, mapping: { currency: 'EUR' } },
    })
    const { rows } = await ok(listImportRows, { as: me, id })
    expect(rows.map(({ warnings }) => warnings)).toEqual([['currencyDiffers'], ['currencyDiffers']])
    await committed(me, id)
    expect(await balance()).toBe('-3.00')
  })

  it('is not asked about rows of an account that has several', async () => {
    const { me, map, told } = await scene()
    const lines = [
      ...['2026-03-10,A,-1.00,USD,One', '2026-03-11,B,-2.00,EUR,One'],
      '2026-03-12,C,-3.00,USD,Two',
    ]
    const { id } = await uploaded(me, csv(lines, `${HEADING},Account`))
    await map(id, {
      ...{ accountMap: { One: 'create', Two: 'create' }, currency: 'EUR' },
      newAccounts: { One: { currency: 'EUR' } },
    })
    expect(await told(id)).toMatchObject([
      ['error', 'The row is in USD, but its account is in EUR.'],
      ['new', undefined],
      ['new', undefined],
    ])
  })

  it.each(['EUR', 'eur', '€', 'Euro', ''])('is not the one that says %j', async (code) => {
    const { me, read, balance } = await scene()
    const { id, state } = await read(inCurrencies(code, code))
    expect(state).toBe('previewed')
    await committed(me, id)
    expect(await balance()).toBe('-3.00')
  })

  it.each(['DEM', 'LTL'])('is not asked about one that has ended: %s', async (code) => {
    const { me, read, map, told, balance } = await scene()
    const { id, state } = await read(inCurrencies(code, code))
    const error = ['error', `The row is in ${code}, but its account is in EUR.`]
    expect([state, await told(id)]).toEqual(['previewed', [error, error]])
    await map(id, { currency: 'EUR' })
    expect(await told(id)).toEqual([error, error])
    expect((await committed(me, id)).counts).toMatchObject({ new: 0, error: 2 })
    expect(await balance()).toBe('0.00')
    const created = await uploaded(me, inCurrencies(code, code))
    await map(created.id, {
      accountMap: { '': 'create' },
      newAccounts: { '': { currency: 'EUR' } },
    })
    expect((await told(created.id)).map(([verdict]) => verdict)).toEqual(['error', 'error'])
  })

  it.each(['BTC', 'XYZ'])(
    'can be made an account in the currency that the user says: %s',
    async (code) => {
      const { me, map } = await scene()
      const { id } = await uploaded(me, inCurrencies(code, code))
      const made = await map(id, { accountMap: { '': 'create' } })
      expect(made).toMatchObject({ state: 'questions', questions: [{ key: 'currency' }] })
      expect(await map(id, { currency: 'EUR' })).toMatchObject({
        ...{ state: 'previewed', counts: { new: 2 } },
      })
      expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: 2 } })
    },
  )
})

it('rows in other currencies than their account are errors, whatever else the file says', async () => {
  const { me, read, told, balance } = await scene()
  const { id } = await read(inCurrencies('EUR', 'USD', 'DEM', 'EUR'))
  const errors = (code: string) => ['error', `The row is in ${code}, but its account is in EUR.`]
  const expected = [['new', undefined], errors('USD'), errors('DEM'), ['new', undefined]]
  expect(await told(id)).toEqual(expected)
  const headed = await read(
    `Account,1234\nCurrency,EUR\n\n${inCurrencies('EUR', 'USD', 'DEM', 'EUR')}`,
  )
  expect(await told(headed.id)).toEqual(expected)
  expect((await committed(me, id)).counts).toMatchObject({ new: 2, error: 2 })
  expect(await balance()).toBe('-5.00')
})

it('a file in several currencies is not asked about: one answer cannot be about all of them', async () => {
  const { me, account, map } = await scene()
  const other = await newAccount(me, { currency: 'EUR' })
  const lines = ['2026-03-10,A,-1.00,USD,One', '2026-03-11,B,-2.00,GBP,Two']
  const { id } = await uploaded(me, csv(lines, `${HEADING},Account`))
  const accountMap = { One: account.id, Two: other.id }
  expect(await map(id, { accountMap })).toMatchObject({
    ...{ state: 'previewed', questions: [], counts: { error: 2, new: 0 } },
  })
})
