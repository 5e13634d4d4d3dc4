import { expect, it } from 'vitest'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  listTransactionLinks,
  createTransactionLink,
} from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { createValuation } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from './booking.ts'

// What other operations do to a transaction shows in its history, and leaves its links sound.

/** Each version as `[action, { field: [before, after] }]`, the last one first. */
const told = async (as: Principal, id: string) =>
  (await ok(listTransactionVersions, { as, id })).versions.map(({ action, changes }) => [
    action,
    Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
  ])

const everything = expect.objectContaining({ kind: [null, 'expense'], amount: [null, '12.30'] })
const nothing = expect.objectContaining({ kind: ['expense', null], amount: ['12.30', null] })

it('a change of many, the trash and the way back', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [one, other] = [await book(me, account), await book(me, account)]
  const json = { ids: [one.id, other.id], changes: { note: 'Trip', date: '2026-11-21' } }
  await ok(updateTransactions, { as: me, json })
  await ok(deleteTransaction, { as: me, id: one.id })
  await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: one.id } })
  expect(await told(me, one.id)).toEqual([
    ['transaction.restored', everything],
    ['transaction.deleted', nothing],
    ['transaction.updated', { date: ['2026-11-20', '2026-11-21'], note: [null, 'Trip'] }],
    ['transaction.created', everything],
  ])
})

it('two that become one', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const keep = await book(me, account)
  const drop = await book(me, account, { note: 'Seen' })
  await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
  const [merged] = await told(me, keep.id)
  expect(merged).toEqual(['transaction.updated', { note: [null, 'Seen'] }])
  await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: drop.id } })
  expect((await told(me, drop.id)).map(([action]) => action)).toEqual([
    'transaction.restored',
    'transaction.deleted',
    'transaction.created',
  ])
})

it('a match and its end', async () => {
  const me = await newUser()
  const [account, target] = [await newAccount(me), await newAccount(me)]
  const left = await book(me, account)
  const arrived = await book(me, target, { kind: 'income' })
  const json = { fromTransactionId: left.id, toTransactionId: arrived.id }
  const { id, from } = await ok(matchTransfer, { as: me, json })
  expect(await told(me, from.id)).toMatchObject([
    ['transfer.matched', { kind: [null, 'transfer'] }],
  ])
  await ok(unmatchTransfer, { as: me, id })
  expect(await told(me, left.id)).toEqual([
    ['transfer.unmatched', everything],
    ['transfer.matched', nothing],
    ['transaction.created', everything],
  ])
})

it('a valuation', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { type: 'property' })
  const json = { accountId: id, date: '2026-11-01', value: '1000' }
  const { transactionId } = await ok(createValuation, { as: me, json })
  expect(await told(me, transactionId ?? '')).toMatchObject([
    ['transaction.created', { kind: [null, 'adjustment'], amount: [null, '1000.00'] }],
  ])
})

it('links come back with what is restored', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const expense = await book(me, account)
  const income = await book(me, account, { kind: 'income', amount: '5' })
  const refundOf = { kind: 'refundOf' as const, transactionId: expense.id }
  const { body } = await call(createTransactionLink, { as: me, id: income.id, json: refundOf })
  await ok(deleteTransaction, { as: me, id: expense.id })
  expect((await ok(listTransactionLinks, { as: me, id: income.id })).count).toBe(0)
  await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: expense.id } })
  expect((await ok(listTransactionLinks, { as: me, id: income.id })).links).toEqual([body])
})

it('duplicates that are linked with more than one of them stay two', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [keep, drop] = [await book(me, account), await book(me, account)]
  const income = await book(me, account, { kind: 'income', amount: '20' })
  for (const { id } of [keep, drop]) {
    const json = { kind: 'refundOf' as const, transactionId: id, amount: '10' }
    await ok(createTransactionLink, { as: me, id: income.id, json })
  }
  const second = await book(me, account, { kind: 'income', amount: '2' })
  const more = { kind: 'refundOf' as const, transactionId: drop.id }
  await ok(createTransactionLink, { as: me, id: second.id, json: more })
  await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
  // The first income's link is there already, the second's goes over: 12.00 of 12.30.
  expect((await ok(listTransactionLinks, { as: me, id: keep.id })).summary.linked).toBe('12.00')
  const third = await book(me, account)
  const refund = await book(me, account, { kind: 'income', amount: '1' })
  const json = { kind: 'reimburses' as const, transactionId: third.id }
  await ok(createTransactionLink, { as: me, id: refund.id, json })
  const again = { keepId: keep.id, dropId: third.id }
  const refused = await call(mergeDuplicate, { as: me, json: again })
  expect(refusal(refused)).toEqual([409, 'transactions.linkedAmount'])
})

it('a transfer that became less than what its row is linked with is not unmatched', async () => {
  const me = await newUser()
  const [account, target] = [await newAccount(me), await newAccount(me)]
  const left = await book(me, account)
  const arrived = await book(me, target, { kind: 'income' })
  const refund = await book(me, account, { kind: 'income', amount: '9' })
  const json = { kind: 'refundOf' as const, transactionId: left.id }
  await ok(createTransactionLink, { as: me, id: refund.id, json })
  const match = { fromTransactionId: left.id, toTransactionId: arrived.id }
  const { id } = await ok(matchTransfer, { as: me, json: match })
  await ok(updateTransfer, { as: me, id, json: { amount: '8' } })
  const unmatch = () => call(unmatchTransfer, { as: me, id })
  expect(refusal(await unmatch())).toEqual([409, 'transfers.linkedAmount'])
  await ok(updateTransfer, { as: me, id, json: { amount: '9' } })
  expect((await unmatch()).status).toBeLessThan(300)
  expect((await ok(getTransaction, { as: me, id: left.id })).amount).toBe('9.00')
  expect(await rows('SELECT 1 FROM transaction_links WHERE target_id = ?', left.id)).toHaveLength(1)
})
