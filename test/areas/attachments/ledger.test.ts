import { expect, it } from 'vitest'
import { deleteAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  matchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { file } from './filing.ts'
import { unmatch } from '../transfers/matched.ts'

const on = ({ id }: { id: string }) => ({ query: { linkKind: 'transaction', linkId: id } })
const countOf = async (as: Principal, { id }: { id: string }) =>
  (await ok(getTransaction, { as, id })).attachmentCount

it('transactions tell how many files they have, and are looked for by that', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [bare, filed] = [await book(me, account), await book(me, account)]
  expect(filed.attachmentCount).toBe(0)
  const [one] = [await file(me, on(filed)), await file(me, on(filed))]
  expect([await countOf(me, bare), await countOf(me, filed)]).toEqual([0, 2])
  const find = async (query: Record<string, string>) =>
    (await ok(listTransactions, { as: me, query })).transactions.map(({ id }) => id)
  expect(await find({ hasAttachment: 'true' })).toEqual([filed.id])
  expect(await find({ hasAttachment: 'false', accountId: account.id })).toEqual([bare.id])
  const changed = await ok(updateTransaction, { as: me, id: filed.id, json: { note: 'x' } })
  expect(changed.attachmentCount).toBe(2)
  await ok(deleteAttachment, { as: me, id: one.id })
  expect(await countOf(me, filed)).toBe(1)
})

it('files stay with what two transactions become, and with what is left of that', async () => {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me)]
  const [keep, drop] = [await book(me, account), await book(me, account)]
  await file(me, on(keep))
  await file(me, on(drop))
  const json = { keepId: keep.id, dropId: drop.id }
  expect(await ok(mergeDuplicate, { as: me, json })).toMatchObject({ attachmentCount: 2 })
  expect(await countOf(me, keep)).toBe(2)
  const arrived = await book(me, other, { kind: 'income' })
  await file(me, on(arrived))
  const matched = await ok(matchTransfer, {
    as: me,
    json: { fromTransactionId: keep.id, toTransactionId: arrived.id },
  })
  expect([matched.from.attachmentCount, await countOf(me, matched.to)]).toEqual([3, 3])
  const parted = await unmatch(me, matched)
  expect(parted.from).toMatchObject({ id: keep.id, attachmentCount: 3 })
  expect([await countOf(me, parted.from), await countOf(me, parted.to)]).toEqual([3, 0])
})

it('both legs of a transfer have the files of the transfer', async () => {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me)]
  const json = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20', amount: '5' }
  const { from, to } = await ok(createTransfer, { as: me, json })
  await file(me, on(from))
  expect([await countOf(me, from), await countOf(me, to)]).toEqual([1, 1])
})
