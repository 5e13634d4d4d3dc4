import { expect, it } from 'vitest'
import { rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { book } from '../transactions/booking.ts'
import { backedUp, emptied, restored } from './restoring.ts'

const idsOf = ({ id }: { id: string }) =>
  rows<{ private: 0 | 1; bankId: string | null }>(
    `SELECT t.private, e.external_id AS bankId FROM transactions t
      JOIN entries e ON e.transaction_id = t.id AND e.line = 1
      WHERE t.owner_id = ? ORDER BY t.private, t.id`,
    id,
  )

/** An account on which its owner and two others have private rows with the same bank id, beside one for all. */
async function newSharedAccount() {
  const [me, friend, other] = [await newUser(), await newUser(), await newUser()]
  const account = await newAccount(me)
  await book(me, account, { externalId: 'bank-2' })
  await book(me, account, { externalId: 'bank-1', private: true })
  for (const one of [friend, other]) {
    await share(me, account, one, { permission: 'write' })
    await book(one, account, { externalId: 'bank-1', private: true })
  }
  return me
}

it('private rows of several authors with one bank id are restored for their owner', async () => {
  const me = await newSharedAccount()
  const before = await idsOf(me)
  expect(before.map(({ bankId }) => bankId)).toEqual(['bank-2', 'bank-1', 'bank-1', 'bank-1'])
  const { archive, hash } = await backedUp(me)
  await emptied(me)
  expect(await restored(me, archive)).toMatchObject({ state: 'done', contentHash: hash })
  expect(await idsOf(me)).toEqual(before)
})

it('elsewhere all of them are of one author, and the first of them keeps the bank id', async () => {
  const { archive } = await backedUp(await newSharedAccount())
  const other = await newUser()
  expect(await restored(other, archive)).toMatchObject({ state: 'done', error: null })
  expect(await idsOf(other)).toEqual([
    { private: 0, bankId: 'bank-2' },
    { private: 1, bankId: 'bank-1' },
    { private: 1, bankId: null },
    { private: 1, bankId: null },
  ])
  expect(await differencesOf(other)).toEqual([])
  const { hash } = await backedUp(other)
  const merged = await restored(other, archive, { mode: 'merge' })
  expect(merged).toMatchObject({ state: 'done', error: null, contentHash: hash })
})

it('a merge into no data gives the same', async () => {
  const { archive } = await backedUp(await newSharedAccount())
  const other = await newUser()
  const merged = await restored(other, archive, { mode: 'merge' })
  expect(merged).toMatchObject({ state: 'done', error: null })
  expect((await idsOf(other)).map(({ bankId }) => bankId)).toEqual([
    ...['bank-2', 'bank-1'],
    ...[null, null],
  ])
})
