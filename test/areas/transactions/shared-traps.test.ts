import { expect, it } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { deleteShare, listShares } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { updateSplit } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  createValuation,
  deleteValuation,
  getValuation,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, close, newCategory, refusal } from './booking.ts'
import { unmatch } from '../transfers/matched.ts'

/** An owner with two accounts that a friend receives. */
async function household(wanted: NonNullable<Parameters<typeof share>[3]>) {
  const [owner, friend] = [await newUser(), await newUser()]
  const one = await newAccount(owner, { openingBalance: '100', openingDate: '2026-01-01' })
  const two = await newAccount(owner)
  await share(owner, one, friend, wanted)
  await share(owner, two, friend, wanted)
  return { owner, friend, one, two }
}

it('what its owner matched comes back as it was, whoever takes the transfer apart', async () => {
  const { owner, friend, one, two } = await household({ permission: 'write' })
  const category = await newCategory(owner)
  const from = await book(owner, one, { categoryId: category.id, note: 'Mine' })
  const to = await book(owner, two, { kind: 'income', description: 'Arrived' })
  const sides = { fromTransactionId: from.id, toTransactionId: to.id }
  const { id } = await ok(matchTransfer, { as: owner, json: sides })
  const parted = await unmatch(friend, { id })
  expect([parted.from.id, parted.to.id]).toEqual([from.id, to.id])
  expect(await ok(getTransaction, { as: owner, id: from.id })).toMatchObject({
    categoryId: category.id,
    note: 'Mine',
    description: '',
  })
  expect((await ok(getTransaction, { as: owner, id: to.id })).note).toBeNull()
})

it('who manages an account changes its opening balance, also where the booking is private', async () => {
  const { owner, friend, one } = await household({ permission: 'manage' })
  const { transactions } = await ok(listTransactions, { as: owner, query: { accountId: one.id } })
  for (const opening of transactions) {
    expect((await change(owner, opening, { private: true })).status).toBe(200)
  }
  const changed = { openingBalance: '200', openingDate: '2026-02-01' }
  expect(await ok(updateAccount, { as: friend, id: one.id, json: changed })).toMatchObject({
    ...changed,
    openingBalance: '200.00',
    balance: '200.00',
  })
  const [opening] = (await ok(listTransactions, { as: owner, query: { accountId: one.id } }))
    .transactions
  expect(opening).toMatchObject({ date: '2026-02-01', amount: '200.00', private: true })
  await ok(updateAccount, { as: friend, id: one.id, json: { openingBalance: '0' } })
  expect(await balanceOf(owner, one)).toBe('0.00')
  expect((await ok(listTransactions, { as: friend, query: { accountId: one.id } })).count).toBe(0)
})

it('who annotates says of what category a booking is, alone and in bulk, and moves no money', async () => {
  const { owner, friend, one, two } = await household({ permission: 'annotate' })
  const [food, fees] = [await newCategory(owner), await newCategory(owner)]
  const splits = [{ amount: '10' }, { amount: '2.30' }]
  const [whole, split] = [await book(owner, one), await book(owner, two, { splits })]
  const said = await change(friend, whole, { categoryId: food.id })
  expect([said.status, said.body.categoryId, said.body.version]).toEqual([200, food.id, 2])
  const [part] = split.splits
  const path = { id: split.id, lineId: part?.id ?? '' }
  const json = { categoryId: fees.id, note: 'Fee' }
  expect((await call(updateSplit, { as: friend, path, json })).status).toBe(200)
  const many = (changes: object) =>
    call(updateTransactions, { as: friend, json: { ids: [whole.id], changes, dryRun: false } })
  expect((await many({ categoryId: fees.id })).status).toBe(200)
  expect((await ok(getTransaction, { as: owner, id: whole.id })).categoryId).toBe(fees.id)
  for (const refused of [
    await many({ categoryId: food.id, status: 'cleared' }),
    await change(friend, whole, { categoryId: food.id, date: '2026-11-19' }),
    await call(updateSplit, { as: friend, path, json: { amount: '9' } }),
  ]) {
    expect([400, 403]).toContain(refused.status)
  }
  expect([await balanceOf(owner, one), await balanceOf(owner, two)]).toEqual(['87.70', '-12.30'])
  await close(one)
  expect(refusal(await change(friend, whole, { categoryId: food.id }))).toEqual([
    409,
    'transactions.accountClosed',
  ])
  expect(refusal(await many({ categoryId: food.id }))).toEqual([
    409,
    'transactions.accountClosed',
    'ids.0',
  ])
})

it('who books own rows only still says of what category others’ are, and a viewer says nothing', async () => {
  const { owner, friend, one } = await household({ permission: 'write', writeScope: 'own' })
  const category = await newCategory(owner)
  const row = await book(owner, one)
  expect((await change(friend, row, { categoryId: category.id })).status).toBe(200)
  const viewer = await newUser()
  await share(owner, one, viewer)
  const refused = await change(viewer, row, { categoryId: null })
  expect(refusal(refused)).toEqual([403, 'auth.rightNeeded'])
})

it('who manages an account changes nothing of it once it is not shared any more', async () => {
  const { owner, friend, one } = await household({ permission: 'manage' })
  const { shares } = await ok(listShares, { as: owner })
  const { id } = shares.find(({ resourceId }) => resourceId === one.id) ?? { id: '' }
  const service = serviceWith({ meanwhile: () => ok(deleteShare, { as: owner, id }) })
  const refused = await service.call(updateAccount, { as: friend, id: one.id, json: { note: 'x' } })
  expect(refusal(refused)).toEqual([404, 'accounts.notFound'])
})

it('who manages an account leaves its place to its owner', async () => {
  const { friend, one } = await household({ permission: 'manage' })
  const refused = await call(updateAccount, { as: friend, id: one.id, json: { order: 3 } })
  expect(refusal(refused)).toEqual([403, 'accounts.foldersAreOwn', 'order'])
})

it('a valuation keeps its private adjustment, and does not name it to others', async () => {
  const { owner, friend } = await household({ permission: 'write' })
  const flat = await newAccount(owner, { type: 'property' })
  await share(owner, flat, friend, { permission: 'write' })
  const json = { accountId: flat.id, date: '2026-06-30', value: '200' }
  const { id, transactionId } = await ok(createValuation, { as: owner, json })
  expect(
    (await change(owner, { id: transactionId ?? '' }, { private: true, description: 'Mine' }))
      .status,
  ).toBe(200)
  const told = await ok(updateValuation, { as: friend, id, json: { note: 'x', value: '250' } })
  expect(told).toMatchObject({ value: '250.00', balance: '250.00', transactionId: null })
  expect((await ok(getValuation, { as: friend, id })).transactionId).toBeNull()
  expect((await ok(getValuation, { as: owner, id })).transactionId).toBe(transactionId)
  await ok(deleteValuation, { as: owner, id })
  expect(await balanceOf(owner, flat)).toBe('0.00')
})

it('nobody hides the booking of somebody else by merging a private one into it', async () => {
  const { owner, friend, one } = await household({ permission: 'write', writeScope: 'own' })
  const theirs = await book(owner, one)
  const mine = await book(friend, one, { private: true })
  const merge = (keepId: string, dropId: string) =>
    call(mergeDuplicate, { as: friend, json: { keepId, dropId } })
  expect(refusal(await merge(theirs.id, mine.id))).toEqual([
    403,
    'transactions.privateIsOwn',
    'dropId',
  ])
  const another = await book(friend, one)
  expect((await merge(another.id, mine.id)).body).toMatchObject({ id: another.id, private: true })
})
