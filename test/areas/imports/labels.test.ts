import { expect, it } from 'vitest'
import { previewImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, uploaded } from './importing.ts'

it('tags of a row become the own tags of these names, and unknown ones are told', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const holiday = await ok(createTag, { as: me, json: { name: 'Holiday' } })
  // A tag of somebody else is none of mine.
  await ok(createTag, { as: await newUser(), json: { name: 'Rome' } })
  const file = csv(
    [
      '2026-03-10,HOTEL,-90.00,"holiday, Rome"',
      '2026-03-11,TAXI,-9.00,Rome',
      '2026-03-12,TEA,-2.00,',
    ],
    'Date,Payee,Amount,Tags',
  )
  const { id } = await uploaded(me, file, { accountId: account.id })
  expect((await ok(previewImport, { as: me, id })).unmappedTags).toEqual([
    { name: 'Rome', rows: 2 },
  ])
  await committed(me, id)
  const { transactions } = await ok(listTransactions, { as: me })
  expect(transactions.map(({ payeeRaw, tagIds }) => [payeeRaw, tagIds])).toEqual([
    ['TEA', []],
    ['TAXI', []],
    ['HOTEL', [holiday.id]],
  ])
})

it('a part of a split has its own tags', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [trip, gift] = await Promise.all(
    ['Trip', 'Gift'].map((name) => ok(createTag, { as: me, json: { name } })),
  )
  const qif = `!Type:Bank\nD2026-03-10\nT-30.00\nPSHOP\nSFood/Trip\n$-10.00\nSHome/Gift\n$-20.00\n^\n`
  const { id } = await uploaded(me, qif, { accountId: account.id })
  await committed(me, id)
  const { transactions } = await ok(listTransactions, { as: me })
  expect(transactions[0]?.splits.map(({ amount, tagIds }) => [amount, tagIds])).toEqual([
    ['10.00', [trip?.id]],
    ['20.00', [gift?.id]],
  ])
})
