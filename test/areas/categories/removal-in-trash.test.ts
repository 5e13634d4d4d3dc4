import { expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  updateCategory,
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, newCategory, refusal } from '../transactions/booking.ts'

/** A category that a transaction in the trash has, and another one. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const { id } = await book(me, account, { categoryId: food.id })
  await ok(deleteTransaction, { as: me, id })
  return { me, account, food, home, id }
}

const categoryOf = async (id: string) =>
  (
    await rows<{ category_id: string | null }>(
      'SELECT category_id FROM unbooked_entries WHERE transaction_id = ? AND line = 2',
      id,
    )
  )[0]?.category_id

/** What the log says of the only change of a transaction. */
const told = async (id: string) => {
  const [only, ...more] = await rows<{ content: string }>(
    "SELECT content FROM log_entries WHERE type = 'transaction.updated' AND resource_id = ?",
    id,
  )
  expect(more).toEqual([])
  return JSON.parse(only?.content ?? 'null')
}

it('goes as if it were unused, and comes off what is in the trash', async () => {
  const { me, food, id } = await newBooks()
  await ok(deleteCategory, { as: me, id: food.id })
  expect(await categoryOf(id)).toBeNull()
  expect(await told(id)).toEqual({ before: { categoryId: food.id }, after: { categoryId: null } })
  expect(await differencesOf(me)).toEqual([])
})

it('hands what is in the trash over with the rest', async () => {
  const { me, account, food, home, id } = await newBooks()
  const live = await book(me, account, { categoryId: food.id })
  await ok(mergeCategory, { as: me, id: home.id, json: { categoryId: food.id } })
  expect(await categoryOf(id)).toBe(home.id)
  const moved = { before: { categoryId: food.id }, after: { categoryId: home.id } }
  expect([await told(live.id), await told(id)]).toEqual([moved, moved])
  expect(await differencesOf(me)).toEqual([])
})

it('keeps its kind while the trash has lines of that kind', async () => {
  const { me, food } = await newBooks()
  const answer = await call(updateCategory, { as: me, id: food.id, json: { kind: 'income' } })
  expect(refusal(answer)).toEqual([409, 'categories.kindStays', 'kind'])
})

it('is not taken off lines that came into the trash meanwhile', async () => {
  const { me, account, food, id } = await newBooks()
  const service = serviceWith({
    meanwhile: async () => {
      const late = await book(me, account, { categoryId: food.id })
      await ok(deleteTransaction, { as: me, id: late.id })
    },
  })
  const answer = await service.call(deleteCategory, { as: me, id: food.id })
  expect(refusal(answer)).toEqual([409, 'request.conflict'])
  expect(await categoryOf(id)).toBe(food.id)
})

it('is not for a token that does not see all accounts of its lines in the trash', async () => {
  const { me, food, id } = await newBooks()
  const seen = await newAccount(me)
  const { token } = await ok(createAccessToken, {
    as: me,
    json: { name: 'x', scopes: ['categories.write', 'accounts.read'], accountIds: [seen.id] },
  })
  const as = { accessToken: token } as TestUser
  expect(refusal(await call(deleteCategory, { as, id: food.id }))).toEqual([
    403,
    'auth.accountHidden',
  ])
  expect(await categoryOf(id)).toBe(food.id)
})
