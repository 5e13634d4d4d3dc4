import { expect, it } from 'vitest'
import { updateAccount, closeAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { mergeCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  adjustBalance,
  deleteTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { eraseFromTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import {
  createValuation,
  deleteValuation,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, expenseOn, newCategory } from '../transactions/booking.ts'
import { eventsOfAll } from './events.ts'
import { flawsOfLog } from './replay.ts'
import { unmatch } from '../transfers/matched.ts'

// Each way in which money changes tells one event of each account's side, and the events make what is stored.

async function newBooks() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const yen = await newAccount(me, { currency: 'JPY' })
  let known = (await eventsOfAll(me)).length
  /** What was told since, `type id account version` of each event, once it is proved to make what is stored. */
  const told = async () => {
    expect(await flawsOfLog(me)).toEqual([])
    const events = (await eventsOfAll(me)).slice(known)
    known += events.length
    return events.map(({ type, id, accountId, version }) => [type, id, accountId, version])
  }
  return { me, one, two, yen, told }
}

const trash = (kind: 'transaction' | 'transfer', { id }: { id: string }) => ({ kind, id })

const everything = (categoryId: string, tagId: string) => ({
  ...{
    description: 'Lunch',
    payeeRaw: 'CAFE',
    note: 'With Ada',
    time: '12:30',
    externalId: 'bank-1',
  },
  ...{ originalAmount: '14', originalCurrency: 'USD', rate: '0.88', reviewed: true, private: true },
  ...{
    excludeFromReports: true,
    metadata: { seat: 4 },
    location: { lat: 53.3, lon: -6.2, name: 'Trinity' },
  },
  ...{ categoryId, tagIds: [tagId] },
})

it('one transaction: recorded, changed in all of its fields, emptied, moved, deleted, restored and erased', async () => {
  const { me, one, two, yen, told } = await newBooks()
  const [food, { id: tagId }] = [
    await newCategory(me),
    await ok(createTag, { as: me, json: { name: 'Trip' } }),
  ]
  const { id } = await book(me, one)
  expect(await told()).toEqual([['transaction.created', id, one.id, 1]])
  const { externalId: _, ...words } = everything(food.id, tagId)
  const nothing = Object.fromEntries(
    Object.keys(words).map((name) => [
      name,
      { description: '', reviewed: false, private: false, excludeFromReports: false, tagIds: [] }[
        name
      ] ?? null,
    ]),
  )
  const changes = [
    words,
    { amount: '20', date: '2026-01-01', status: 'cleared' as const },
    nothing,
    {},
    { kind: 'income' as const },
  ]
  for (const [at, json] of changes.entries()) {
    await ok(updateTransaction, { as: me, id, json })
    expect(await told()).toEqual([['transaction.updated', id, one.id, at + 2]])
  }
  await ok(updateTransaction, { as: me, id, json: { accountId: two.id, note: 'Moved' } })
  expect(await told()).toEqual([
    ['transaction.updated', id, one.id, 7],
    ['transaction.updated', id, two.id, 7],
  ])
  await ok(updateTransaction, { as: me, id, json: { accountId: yen.id, amount: '2000' } })
  expect(await told()).toEqual([
    ['transaction.updated', id, two.id, 8],
    ['transaction.updated', id, yen.id, 8],
  ])
  await ok(deleteTransaction, { as: me, id })
  expect(await told()).toEqual([['transaction.deleted', id, yen.id, 9]])
  await ok(restoreFromTrash, { as: me, path: trash('transaction', { id }) })
  expect(await told()).toEqual([['transaction.restored', id, yen.id, 10]])
  await ok(deleteTransaction, { as: me, id })
  await ok(eraseFromTrash, { as: me, path: trash('transaction', { id }) })
  expect(await told()).toEqual([
    ['transaction.deleted', id, yen.id, 11],
    ['transaction.erased', id, yen.id, 11],
  ])
})

it('parts', async () => {
  const { me, one, told } = await newBooks()
  const food = await newCategory(me)
  const { id } = await book(me, one, { amount: '10', kind: 'income' })
  const splits = [{ amount: '12', note: 'Cheese' }, { amount: '-2' }]
  const {
    splits: [part],
  } = await ok(replaceSplits, { as: me, id, json: { splits } })
  const path = { id, lineId: part?.id ?? '' }
  await ok(updateSplit, { as: me, path, json: { note: null } })
  await ok(updateTransaction, {
    as: me,
    id,
    json: { splits: [], kind: 'expense', categoryId: food.id },
  })
  expect(await told()).toEqual([
    ['transaction.created', id, one.id, 1],
    ...[2, 3, 4].map((version) => ['transaction.updated', id, one.id, version]),
  ])
})

it('many at once, on several accounts, with both legs of a transfer among them', async () => {
  const { me, one, two, told } = await newBooks()
  const [food, { id: tagId }] = [
    await newCategory(me),
    await ok(createTag, { as: me, json: { name: 'Trip' } }),
  ]
  const transactions = [
    expenseOn(one, everything(food.id, tagId)),
    expenseOn(two, { kind: 'adjustment', amount: '-5' }),
    expenseOn(two, { splits: [{ amount: '12', tagIds: [tagId] }, { amount: '0.30' }] }),
  ]
  const { results } = await ok(createTransactions, { as: me, json: { transactions } })
  const ids = results.map(({ transaction }) => transaction?.id ?? '')
  const accounts = [one.id, two.id, two.id]
  expect(await told()).toEqual(ids.map((id, at) => ['transaction.created', id, accounts[at], 1]))
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '1' }
  const { from, to } = await ok(createTransfer, { as: me, json })
  await told()
  const all = [...ids, from.id, to.id]
  const changes = { note: 'Many', status: 'cleared' as const, removeTagIds: [tagId] }
  await ok(updateTransactions, { as: me, json: { ids: all, changes } })
  const sides = [...accounts, one.id, two.id]
  expect(await told()).toEqual(all.map((id, at) => ['transaction.updated', id, sides[at], 2]))
  await ok(deleteTransactions, { as: me, json: { ids } })
  expect(await told()).toEqual(ids.map((id, at) => ['transaction.deleted', id, accounts[at], 3]))
})

it('a transfer: recorded, changed, moved at either end, deleted, restored and erased', async () => {
  const { me, one, two, yen, told } = await newBooks()
  const [food, fees] = [await newCategory(me), await newCategory(me)]
  const json = {
    ...{ fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' },
    ...{ fee: { amount: '1', categoryId: food.id }, description: 'Savings', note: 'Monthly' },
  }
  const { id, from, to } = await ok(createTransfer, { as: me, json })
  const both = (type: string, version: number, [left, right] = [one.id, two.id]) => [
    [`transaction.${type}`, from.id, left, version],
    [`transaction.${type}`, to.id, right, version],
  ]
  expect(await told()).toEqual(both('created', 1))
  const changes = [
    { amount: '50', fee: { amount: '1', categoryId: fees.id }, date: '2026-11-21' },
    { fee: null, note: null },
    { categoryId: food.id, fees: [{ amount: '2', note: 'a' }, { amount: '1' }] },
    { fees: [{ amount: '2', note: 'b', categoryId: food.id }], categoryId: fees.id },
  ]
  for (const [at, change] of changes.entries()) {
    await ok(updateTransfer, { as: me, id, json: change })
    expect(await told()).toEqual(both('updated', at + 2))
  }
  await ok(updateTransaction, { as: me, id: to.id, json: { status: 'cleared' } })
  expect(await told()).toEqual(both('updated', 6))
  await ok(updateTransfer, { as: me, id, json: { toAccountId: yen.id, toAmount: '8000' } })
  expect(await told()).toEqual([
    ['transaction.updated', from.id, one.id, 7],
    ['transaction.updated', to.id, two.id, 7],
    ['transaction.updated', to.id, yen.id, 7],
  ])
  await ok(updateTransfer, { as: me, id, json: { fromAccountId: two.id } })
  expect(await told()).toEqual([
    ['transaction.updated', from.id, one.id, 8],
    ['transaction.updated', from.id, two.id, 8],
    ['transaction.updated', to.id, yen.id, 8],
  ])
  const now: [string, string] = [two.id, yen.id]
  await ok(deleteTransfer, { as: me, id })
  expect(await told()).toEqual(both('deleted', 9, now))
  await ok(restoreFromTrash, { as: me, path: trash('transfer', { id }) })
  expect(await told()).toEqual(both('restored', 10, now))
  await ok(deleteTransfer, { as: me, id })
  await ok(eraseFromTrash, { as: me, path: trash('transfer', { id }) })
  expect(await told()).toEqual([...both('deleted', 11, now), ...both('erased', 11, now)])
})

it('two rows that become a transfer, which is changed and parted again', async () => {
  const { me, one, two, told } = await newBooks()
  const [food, { id: tagId }] = [
    await newCategory(me),
    await ok(createTag, { as: me, json: { name: 'Trip' } }),
  ]
  const left = await book(me, one, { ...everything(food.id, tagId), amount: '50' })
  const arrived = await book(me, two, { kind: 'income', amount: '48', status: 'reconciled' })
  await told()
  const sides = { fromTransactionId: left.id, toTransactionId: arrived.id }
  const matching = { ...sides, categoryId: food.id, fee: {}, force: true }
  const { id, from, to } = await ok(matchTransfer, { as: me, json: matching })
  expect(await told()).toEqual([
    ['transfer.matched', from.id, one.id, 1],
    ['transfer.matched', to.id, two.id, 1],
    ['transfer.matched', left.id, one.id, 2],
    ['transfer.matched', arrived.id, two.id, 2],
  ])
  const json = { amount: '60', note: 'Both', tagIds: [], date: '2026-12-01', force: true }
  await ok(updateTransfer, { as: me, id, json })
  await told()
  await ok(unmatchTransfer, { as: me, id, query: { force: 'true' } })
  expect(await told()).toEqual([
    ['transfer.unmatched', from.id, one.id, 2],
    ['transfer.unmatched', to.id, two.id, 2],
    ['transfer.unmatched', left.id, one.id, 3],
    ['transfer.unmatched', arrived.id, two.id, 3],
  ])
})

it('a transfer that never was two rows, parted', async () => {
  const { me, one, two, told } = await newBooks()
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' }
  const made = await ok(createTransfer, { as: me, json: { ...json, fee: { amount: '1' } } })
  await told()
  const { from, to } = await unmatch(me, made)
  expect(await told()).toEqual([
    ['transfer.unmatched', made.from.id, one.id, 1],
    ['transfer.unmatched', made.to.id, two.id, 1],
    ['transfer.unmatched', from.id, one.id, 1],
    ['transfer.unmatched', to.id, two.id, 1],
  ])
})

it('a duplicate that goes into another row', async () => {
  const { me, one, told } = await newBooks()
  const [food, { id: tagId }] = [
    await newCategory(me),
    await ok(createTag, { as: me, json: { name: 'Trip' } }),
  ]
  const keep = await book(me, one)
  const drop = await book(me, one, everything(food.id, tagId))
  await told()
  await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
  expect(await told()).toEqual([
    ['transaction.deleted', drop.id, one.id, 2],
    ['transaction.updated', keep.id, one.id, 2],
  ])
})

it('what a balance was adjusted by, and what an account was worth', async () => {
  const { me, one, told } = await newBooks()
  const balance = { balance: '70', date: '2026-11-20' }
  const { transaction } = await ok(adjustBalance, { as: me, id: one.id, json: balance })
  expect(await told()).toEqual([['transaction.created', transaction?.id, one.id, 1]])
  const { id: accountId } = await newAccount(me, { type: 'property' })
  const state = (date: string, value: string) =>
    ok(createValuation, { as: me, json: { accountId, date, value } })
  const later = await state('2026-12-31', '300')
  expect(await told()).toEqual([['transaction.created', later.transactionId, accountId, 1]])
  const earlier = await state('2026-06-30', '100')
  expect(await told()).toEqual([
    ['transaction.created', earlier.transactionId, accountId, 1],
    ['transaction.updated', later.transactionId, accountId, 2],
  ])
  await ok(updateValuation, { as: me, id: earlier.id, json: { value: '300' } })
  expect(await told()).toEqual([
    ['transaction.updated', earlier.transactionId, accountId, 2],
    ['transaction.deleted', later.transactionId, accountId, 3],
  ])
  await ok(deleteValuation, { as: me, id: earlier.id })
  const again = (await ok(listTransactions, { as: me, query: { accountId } })).transactions[0]
  expect(await told()).toEqual([
    ['transaction.deleted', earlier.transactionId, accountId, 3],
    ['transaction.created', again?.id, accountId, 1],
  ])
})

it('an account: opened, its opening balance changed and taken back, and closed', async () => {
  const { me, one, told } = await newBooks()
  const opening = { openingBalance: '50', openingDate: '2026-01-01' }
  const account = await newAccount(me, opening)
  const [booked] = (await ok(listTransactions, { as: me })).transactions
  const id = booked?.id ?? ''
  expect(await told()).toEqual([['transaction.created', id, account.id, 1]])
  const change = (json: object) => ok(updateAccount, { as: me, id: account.id, json })
  await change({ openingBalance: '60', openingDate: '2026-01-02' })
  expect(await told()).toEqual([['transaction.updated', id, account.id, 2]])
  await change({ openingBalance: '0' })
  expect(await told()).toEqual([['transaction.erased', id, account.id, 2]])
  await change({ openingBalance: '-20' })
  expect(await told()).toEqual([['transaction.created', id, account.id, 1]])
  await ok(closeAccount, { as: me, id: account.id, json: { transferTo: one.id } })
  const events = await told()
  expect(events.map(([type, , ...rest]) => [type, ...rest])).toEqual([
    ['transaction.created', one.id, 1],
    ['transaction.created', account.id, 1],
  ])
})

const ofTransfer = (categoryId: string) => ({
  ...{ categoryId, fees: [{ amount: '1' }, { amount: '1', categoryId }] },
})

it('labels of wholes, parts and fees, and of what is in the trash: merged, deleted and restored', async () => {
  const { me, one, two, told } = await newBooks()
  const [food, meals] = [await newCategory(me), await newCategory(me)]
  const named = (name: string) => ok(createPayee, { as: me, json: { name } })
  const [shop, mill] = [await named('Shop'), await named('Mill')]
  const tag = (name: string) => ok(createTag, { as: me, json: { name } })
  const [trip, work] = [await tag('Trip'), await tag('Work')]
  const said = { categoryId: food.id, payeeId: shop.id, tagIds: [trip.id] }
  const { categoryId: _, ...labels } = said
  const whole = await book(me, one, { ...said, tagIds: [trip.id, work.id] })
  const split = await book(me, two, {
    ...labels,
    splits: [{ amount: '12', ...said }, { amount: '0.30' }],
  })
  const gone = await book(me, one, said)
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' }
  const { from, to } = await ok(createTransfer, {
    as: me,
    json: { ...json, tagIds: [trip.id], ...ofTransfer(food.id) },
  })
  await ok(deleteTransaction, { as: me, id: gone.id })
  await told()
  const sides = (ids: string[]) => async () =>
    expect(
      (await told()).map(([type, id]) => `${type as string} ${id as string}`).toSorted(),
    ).toEqual(ids.map((id) => `transaction.updated ${id}`).toSorted())
  const all = [whole.id, split.id, gone.id, from.id, to.id]
  const [everywhere, withPayee] = [sides(all), sides([whole.id, split.id, gone.id])]
  await ok(mergeCategory, { as: me, id: meals.id, json: { categoryId: food.id } })
  await everywhere()
  await ok(mergePayees, { as: me, id: mill.id, json: { payeeIds: [shop.id] } })
  await withPayee()
  await ok(mergeTag, { as: me, id: work.id, json: { tagId: trip.id } })
  await everywhere()
  await ok(deleteTag, { as: me, id: work.id })
  await everywhere()
  await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: work.id } })
  await everywhere()
  await ok(restoreFromTrash, { as: me, path: trash('transaction', gone) })
  expect(await told()).toHaveLength(1)
})
