import { expect, it } from 'vitest'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { createPayee, getPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  deleteCategory,
  getCategoryUsage,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { call, ok } from '../../support/api.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { bringBack, dropTransaction } from '../trash/trashing.ts'
import { balanceOf, book, newCategory, refusal } from './booking.ts'
import { newCashBack } from './parts.fixtures.ts'

it.each(['expense', 'income'] as const)(
  'takes the category of a part of an %s along when that is merged, deleted and restored, on both sides',
  async (kind) => {
    const { me, whole, part, leg } = await newCashBack()
    await ok(updateTransaction, { as: me, id: whole.id, json: { kind } })
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const path = { id: whole.id, lineId: part.id }
    await ok(updateSplit, { as: me, path, json: { categoryId: one.id } })
    const categories = async () => {
      const [found, other] = [
        await ok(getTransaction, { as: me, id: whole.id }),
        await ok(getTransaction, { as: me, id: leg.id }),
      ]
      return [found.splits[1]?.categoryId, other.categoryId]
    }
    expect(await ok(getCategoryUsage, { as: me, id: one.id })).toMatchObject({ lineCount: 1 })
    await ok(mergeCategory, { as: me, id: two.id, json: { categoryId: one.id } })
    expect(await categories()).toEqual([two.id, two.id])
    expect(await flawsOfLog(me)).toEqual([])
    const three = await newCategory(me)
    await ok(deleteCategory, { as: me, id: two.id, query: { reassignTo: three.id } })
    expect(await categories()).toEqual([three.id, three.id])
    await bringBack(me, 'category', two.id)
    expect(await categories()).toEqual([two.id, two.id])
    await dropTransaction(me, whole)
    await ok(deleteCategory, { as: me, id: two.id })
    await bringBack(me, 'transaction', whole.id)
    expect(await categories()).toEqual([null, null])
    await bringBack(me, 'category', two.id)
    expect(await categories()).toEqual([two.id, two.id])
    const query = { categoryId: two.id }
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ id }) => id).toSorted()).toEqual([whole.id, leg.id])
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  },
)

it('takes tags and payees along, which the leg tells nobody of', async () => {
  const { me, whole, part } = await newCashBack()
  const [one, two] = [
    await ok(createTag, { as: me, json: { name: 'One' } }),
    await ok(createTag, { as: me, json: { name: 'Two' } }),
  ]
  await ok(updateTransaction, { as: me, id: whole.id, json: { tagIds: [one.id] } })
  const path = { id: whole.id, lineId: part.id }
  await ok(updateSplit, { as: me, path, json: { tagIds: [one.id] } })
  await ok(mergeTag, { as: me, id: two.id, json: { tagId: one.id } })
  await ok(deleteTag, { as: me, id: two.id })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('is not what a payee was paid', async () => {
  const { me, whole } = await newCashBack()
  const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
  await ok(updateTransaction, { as: me, id: whole.id, json: { payeeId: payee.id } })
  expect(await ok(getPayee, { as: me, id: payee.id })).toMatchObject({
    totals: [{ currency: 'EUR', paid: '7.00', received: '0.00', transactionCount: 1 }],
  })
  const { transactions } = await ok(listTransactions, { as: me, query: { payeeId: payee.id } })
  expect(transactions.map(({ id }) => id)).toEqual([whole.id])
})

it('goes over to the duplicate that is kept, and is not lost with the one that is dropped', async () => {
  const { me, everyday, wallet, whole, bought, part, leg } = await newCashBack()
  const tag = await ok(createTag, { as: me, json: { name: 'Tag' } })
  const splits = [
    { id: bought.id, amount: '4' },
    { id: part.id, amount: '30', note: 'Cash' },
    { amount: '3', tagIds: [tag.id] },
  ]
  await ok(replaceSplits, { as: me, id: whole.id, json: { splits } })
  const parted = await book(me, everyday, {
    amount: '37',
    splits: [{ amount: '30' }, { amount: '7' }],
  })
  const lost = { keepId: parted.id, dropId: whole.id }
  expect(refusal(await call(mergeDuplicate, { as: me, json: lost }))).toEqual([
    ...[409, 'transactions.hasTransferPart', 'dropId'],
  ])
  const plain = await book(me, everyday, { amount: '37' })
  const json = { keepId: plain.id, dropId: whole.id }
  const kept = await ok(mergeDuplicate, { as: me, json })
  expect(kept.splits).toMatchObject([
    { amount: '4.00' },
    { amount: '30.00', note: 'Cash', transfer: { accountId: wallet.id } },
    { amount: '3.00', tagIds: [tag.id] },
  ])
  expect(await balanceOf(me, wallet)).toBe('30.00')
  for (const dropId of [leg.id, `${plain.id}-5`]) {
    const wrong = await call(mergeDuplicate, { as: me, json: { keepId: parted.id, dropId } })
    expect([400, 404, 409]).toContain(wrong.status)
  }
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})
