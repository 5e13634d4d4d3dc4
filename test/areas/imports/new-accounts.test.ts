import { describe, expect, it } from 'vitest'
import {
  previewImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { cardOfx, committed, csv, ofx, uploaded } from './importing.ts'

const ROW = { id: '1', date: '2026-03-10', amount: '-12.30', name: 'TESCO' }

const accountsOf = async (as: Principal) =>
  (await ok(getUserAccounts, { as })).accounts.map(({ name, type, currency, balance }) => [
    ...[name, type, currency, balance],
  ])

describe('the question of the account', () => {
  it('offers a new account with name, type and currency, which the answer may change', async () => {
    const me = await newUser()
    const own = await newAccount(me, { name: 'Everyday' })
    const sent = await uploaded(me, csv(['2026-03-10,TESCO,-12.30', '2026-03-13,TEA,-2.00']))
    expect(sent.questions).toMatchObject([
      {
        key: 'account',
        options: [own.id, 'create'],
        choices: [
          {
            ...{ option: own.id, foreign: null },
            ...{ name: 'Everyday', type: 'checking', currency: 'EUR' },
          },
          {
            ...{ option: 'create', foreign: '' },
            ...{ name: 'Account', type: 'checking', currency: 'EUR' },
          },
        ],
      },
    ])
    const answer = (wanted: { name?: string; type?: 'savings'; currency?: string }) =>
      ok(setImportMapping, {
        ...{ as: me, id: sent.id },
        json: { accountId: 'create', newAccounts: { '': wanted } },
      })
    // What is not said is as it was offered, or said before.
    const answered = await answer({ name: 'Rainy days', type: 'savings' })
    expect(answered).toMatchObject({ state: 'previewed', questions: [] })
    await answer({ currency: 'CHF' })
    const { accounts } = await ok(previewImport, { as: me, id: sent.id })
    expect(accounts).toMatchObject([{ accountName: 'Rainy days', balanceAfter: '-14.30' }])
    await committed(me, sent.id)
    expect(await accountsOf(me)).toContainEqual(['Rainy days', 'savings', 'CHF', '-14.30'])
    const wrong = await call(setImportMapping, {
      ...{ as: me, id: sent.id },
      json: { newAccounts: { '': { type: 'piggyBank' } } } as never,
    })
    expect([wrong.status, wrong.error.field]).toEqual([400, 'newAccounts..type'])
  })

  it('suggests a credit card for the file of one', async () => {
    const me = await newUser()
    const sent = await uploaded(me, cardOfx([ROW]))
    expect(sent.questions).toMatchObject([
      { key: 'account', choices: [{ option: 'create', type: 'creditCard', currency: 'EUR' }] },
    ])
    await ok(setImportMapping, { as: me, id: sent.id, json: { accountId: 'create' } })
    await committed(me, sent.id)
    expect(await accountsOf(me)).toEqual([['12345678', 'creditCard', 'EUR', '-12.30']])
  })

  it('comes together with all others that the file leaves open', async () => {
    const me = await newUser()
    const rows = ['03/04/2026;1.000;\u00f1', '05/04/2026;2.500;Bar', '06/04/2026;3.000;Tea']
    const bytes = Uint8Array.from(rows.join('\n'), (letter) => letter.charCodeAt(0))
    const sent = await uploaded(me, bytes)
    const keys = sent.questions.map(({ key }) => key)
    expect(keys.toSorted()).toEqual([
      ...['account', 'columns', 'dateOrder', 'decimal', 'encoding', 'sign'],
    ])
    const json = {
      accountId: 'create' as const,
      dateOrder: 'DMY' as const,
      decimal: ',' as const,
      sign: 'reversed' as const,
      columns: { date: 0, amount: 1, description: 2 },
      encoding: 'windows-1252',
      newAccounts: { '': { currency: 'EUR' } },
    }
    const answered = await ok(setImportMapping, { as: me, id: sent.id, json })
    expect(answered).toMatchObject({ state: 'previewed', questions: [], counts: { new: 3 } })
  })
})

it('a card file for an account that is no card, and the other way, is warned of', async () => {
  const me = await newUser()
  const card = await newAccount(me, { name: 'Card', type: 'creditCard' })
  const checking = await newAccount(me, { name: 'Everyday' })
  const warningsOf = async (text: string, accountId: string) =>
    (await uploaded(me, text, { accountId, again: 'true' }))['warnings']
  expect(await warningsOf(cardOfx([ROW]), card.id)).toEqual([])
  expect(await warningsOf(ofx([ROW]), checking.id)).toEqual([])
  const warning = { code: 'accountTypeDiffers', accountId: checking.id, accountName: 'Everyday' }
  expect(await warningsOf(cardOfx([ROW]), checking.id)).toMatchObject([
    { ...warning, fileType: 'creditCard', accountType: 'checking' },
  ])
  expect(await warningsOf(ofx([ROW]), card.id)).toMatchObject([
    { code: 'accountTypeDiffers', fileType: 'checking', accountType: 'creditCard' },
  ])
})
