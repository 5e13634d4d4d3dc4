import { expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { csv, uploaded } from './importing.ts'

it('a row shows its parts, and what it is a transfer to', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const file = `!Type:Bank
D28/2'26
T-150.00
PShop
SFood:Sweets
ESome cake
$-50.00
S[Savings]
$-100.00
^
D27/2'26
T-7.5
PMove
L[Savings]
^
`
  const { id } = await uploaded(me, file, { accountId: account.id })
  const { rows } = await ok(listImportRows, { as: me, id })
  const part = { description: null, category: null, tags: [], fee: false, transfer: null }
  expect(rows.map(({ parsed }) => parsed)).toMatchObject([
    {
      ...{ amount: '-150.00', transfer: null, tags: [], original: null },
      parts: [
        { ...part, amount: '-50.00', description: 'Some cake', category: ['Food', 'Sweets'] },
        { ...part, amount: '-100.00', transfer: 'Savings' },
      ],
    },
    { amount: '-7.50', transfer: 'Savings', parts: [] },
  ])
})

it('a row shows its tags, its fee, and its amount in another currency', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const file = csv(
    [
      '2026-03-13,BREAD,-2.00,0.00,100.00,,,,',
      '2026-03-14,HOTEL,-20.00,0.40,79.60,-21.8,USD,0.917,Trip;Work',
      '2026-03-15,TEA,-1.00,0.00,78.60,,,,',
    ],
    'Date,Payee,Amount,Fee,Balance,Original amount,Original currency,Exchange rate,Tags',
  )
  const { id } = await uploaded(me, file, { accountId: account.id })
  const [, hotel, tea] = (await ok(listImportRows, { as: me, id })).rows
  expect(hotel?.parsed).toMatchObject({
    ...{ amount: '-20.40', currency: 'EUR', tags: ['Trip', 'Work'] },
    original: { amount: '-21.80', currency: 'USD', rate: '0.917' },
    parts: [
      { amount: '-20.00', fee: false },
      { amount: '-0.40', fee: true },
    ],
  })
  expect(tea?.parsed).toMatchObject({ amount: '-1.00', tags: [], original: null, parts: [] })
})

it('a row that cannot be booked shows parts and amounts as they are written', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const file = "!Type:Bank\nD28/2'26\nT-150.00\nPShop\nSFood\n$-50.00\nSFun\n$-90.00\n^\n"
  const { id } = await uploaded(me, file, { accountId: account.id })
  const json = { dateOrder: 'DMY' as const }
  expect((await ok(setImportMapping, { as: me, id, json })).counts).toMatchObject({ error: 1 })
  const [row] = (await ok(listImportRows, { as: me, id })).rows
  expect(row?.parsed.parts.map(({ amount }) => amount)).toEqual(['-50.00', '-90.00'])
})
