import { expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { listTransactionVersions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, refusal } from './booking.ts'
import { adjustedOn } from './bulk.ts'

// A transaction that moves to another account shows in the past of both, to each reader as far as the accounts are known.

/** An adjustment that moved from one account to another, by the owner, and those who see both, the old or the new one. */
async function moved() {
  const me = await newUser()
  const [old, now] = [await newAccount(me), await newAccount(me)]
  const [both, ofOld, ofNew] = [await newUser(), await newUser(), await newUser()]
  for (const account of [old, now]) {
    await share(me, account, both)
  }
  await share(me, old, ofOld)
  await share(me, now, ofNew)
  const { id } = await book(me, old, { kind: 'adjustment', amount: '5', note: 'Hush' })
  await change(me, { id }, { note: 'Louder' })
  const json = {
    accountId: now.id,
    amount: '7',
    date: '2026-11-25',
    note: 'Here',
    description: 'd',
  }
  expect((await change(me, { id }, json)).status).toBe(200)
  await change(me, { id }, { amount: '9' })
  return { me, old, now, both, ofOld, ofNew, id }
}

const historyOf = (as: Principal, id: string) => call(listTransactionVersions, { as, id })

/** The fields of each version, as `[before, after]`, the last one first. */
const fieldsOf = ({ body }: Awaited<ReturnType<typeof historyOf>>) =>
  body.versions.map(({ changes }) =>
    Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
  )

const RAISED = { amount: ['7.00', '9.00'], signedAmount: ['7.00', '9.00'] }

it('shows in the histories of both accounts, each with its own balance', async () => {
  const { me, old, now, both, ofOld, ofNew, id } = await moved()
  const left = [
    [id, '2026-11-20', '-5.00', '0.00'],
    [id, '2026-11-20', '5.00', '5.00'],
  ]
  const came = [
    [id, '2026-11-25', '2.00', '9.00'],
    [id, '2026-11-25', '7.00', '7.00'],
  ]
  for (const as of [me, both]) {
    expect([await adjustedOn(as, old), await adjustedOn(as, now)]).toEqual([left, came])
  }
  expect([await adjustedOn(ofOld, old), await adjustedOn(ofOld, now)]).toEqual([left, []])
  expect([await adjustedOn(ofNew, old), await adjustedOn(ofNew, now)]).toEqual([[], came])
  expect([await balanceOf(me, old), await balanceOf(me, now)]).toEqual(['0.00', '9.00'])
  expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
})

it('tells whoever knows both accounts all of its past, with the move as one version', async () => {
  const { me, old, now, both, id } = await moved()
  for (const as of [me, both]) {
    expect(fieldsOf(await historyOf(as, id))).toEqual([
      RAISED,
      {
        accountId: [old.id, now.id],
        amount: ['5.00', '7.00'],
        signedAmount: ['5.00', '7.00'],
        date: ['2026-11-20', '2026-11-25'],
        description: ['', 'd'],
        note: ['Louder', 'Here'],
      },
      { note: ['Hush', 'Louder'] },
      expect.objectContaining({ accountId: [null, old.id], note: [null, 'Hush'] }),
    ])
  }
})

it('tells whoever knows the new account nothing of before', async () => {
  const { old, now, ofNew, id } = await moved()
  const found = await historyOf(ofNew, id)
  expect(fieldsOf(found)).toEqual([
    RAISED,
    {
      accountId: [null, now.id],
      currency: [null, 'EUR'],
      amount: [null, '7.00'],
      signedAmount: [null, '7.00'],
      date: [null, '2026-11-25'],
      description: [null, 'd'],
      note: [null, 'Here'],
    },
    {},
    {},
  ])
  expect(found.body.count).toBe(4)
  expect([old.id, 'Hush', 'Louder'].filter((word) => found.text.includes(word))).toEqual([])
})

it('is gone for whoever knows the old account alone', async () => {
  const { ofOld, id } = await moved()
  expect(refusal(await historyOf(ofOld, id))).toEqual([404, 'transactions.notFound'])
})

it('tells whoever saw it come and go back nothing of the time between', async () => {
  const { me, old, now, ofOld, id } = await moved()
  await change(me, { id }, { accountId: old.id, note: 'Back' })
  const found = await historyOf(ofOld, id)
  expect(fieldsOf(found)).toEqual([
    { accountId: [null, old.id], currency: [null, 'EUR'], note: [null, 'Back'] },
    {},
    {
      ...{ accountId: [old.id, null], currency: ['EUR', null], note: ['Louder', null] },
      ...{ amount: ['5.00', null], signedAmount: ['5.00', null], date: ['2026-11-20', null] },
    },
    { note: ['Hush', 'Louder'] },
    expect.objectContaining({ accountId: [null, old.id] }),
  ])
  // In quotes: a time may end in 7.00.
  expect([now.id, 'Here', '"7.00"'].filter((word) => found.text.includes(word))).toEqual([])
})

it('tells amounts in the currency of each account', async () => {
  const me = await newUser()
  const [euro, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const { id } = await book(me, euro, { amount: '12.30' })
  await change(me, { id }, { accountId: yen.id, amount: '2000' })
  const [version] = fieldsOf(await historyOf(me, id))
  expect(version).toEqual({
    accountId: [euro.id, yen.id],
    currency: ['EUR', 'JPY'],
    amount: ['12.30', '2000'],
    signedAmount: ['-12.30', '-2000'],
  })
  const json = { name: 'x', scopes: ['read' as const], accountIds: [yen.id] }
  const token = { accessToken: (await ok(createAccessToken, { as: me, json })).token }
  const seen = await historyOf(token, id)
  expect(fieldsOf(seen)).toEqual([
    {
      accountId: [null, yen.id],
      currency: [null, 'JPY'],
      amount: [null, '2000'],
      signedAmount: [null, '-2000'],
    },
    {},
  ])
  expect(seen.text.includes(euro.id)).toBe(false)
})
