import { describe, expect, it } from 'vitest'
import {
  getCategory,
  updateCategory,
  deleteCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createPayee,
  deletePayee,
  getPayee,
  updatePayee,
} from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, getTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  getTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { emptyTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { overheardDatabase, scansIn } from '../../support/plans.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { depthsOf, newBranch, newCategory } from '../categories/trees.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { change, refusal, tripsOf } from '../transactions/booking.ts'
import {
  bringBack,
  dropTransaction,
  erase,
  idsIn,
  newBooks,
  purgeNow,
  stored,
  tokenFor,
  trashOf,
} from './trashing.ts'

const newTag = (as: Principal, name = 'Trip') => ok(createTag, { as, json: { name } })
const newPayee = (as: Principal, name: string, more: object = {}) =>
  ok(createPayee, { as, json: { name, ...more } })

const without = <Row extends { version: number; updatedAt: string }>({
  version: _version,
  updatedAt: _updated,
  ...rest
}: Row) => rest

const lastChange = async (as: Principal, id: string) =>
  (await ok(listTransactionVersions, { as, id })).versions[0]

describe('a tag', () => {
  it('comes back on everything that had it and is still there', async () => {
    const { me, spend } = await newBooks()
    const tag = await newTag(me)
    const [whole, part, trashed, gone] = [
      await spend({ tagIds: [tag.id] }),
      await spend({ splits: [{ amount: '4', tagIds: [tag.id] }, { amount: '1' }] }),
      await spend({ tagIds: [tag.id] }),
      await spend({ tagIds: [tag.id] }),
    ]
    await dropTransaction(me, trashed)
    await dropTransaction(me, gone)
    const before = without(await ok(getTag, { as: me, id: tag.id }))
    await ok(deleteTag, { as: me, id: tag.id })
    await erase(me, 'transaction', gone.id)
    expect(await trashOf(me, { kind: 'tag' })).toMatchObject({
      count: 1,
      items: [{ kind: 'tag', id: tag.id, name: 'Trip', amount: null }],
    })
    const answer = await bringBack(me, 'tag', tag.id)
    expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
    expect(without(await ok(getTag, { as: me, id: tag.id }))).toEqual({
      ...before,
      transactionCount: 3,
    })
    expect(await ok(getTransaction, { as: me, id: whole.id })).toMatchObject({
      tagIds: [tag.id],
      version: 3,
    })
    expect((await ok(getTransaction, { as: me, id: part.id })).splits[0]?.tagIds).toEqual([tag.id])
    expect(await lastChange(me, whole.id)).toMatchObject({
      action: 'transaction.updated',
      changes: [{ field: 'tagIds', before: [], after: [tag.id] }],
    })
    expect(await idsIn(me)).toEqual([trashed.id])
  })

  it('is refused while another one has its name, and to others', async () => {
    const { me, one } = await newBooks()
    const tag = await newTag(me)
    const [token, whole] = [await tokenFor(me, [one]), await tokenFor(me)]
    await ok(deleteTag, { as: me, id: tag.id })
    const other = await newTag(me, 'TRIP')
    expect(refusal(await bringBack(me, 'tag', tag.id))).toEqual([409, 'trash.nameTaken'])
    expect([await idsIn(token), await idsIn(whole)]).toEqual([[], [tag.id]])
    for (const as of [token, await newUser()]) {
      expect(refusal(await bringBack(as, 'tag', tag.id))).toEqual([404, 'trash.notFound'])
      expect(refusal(await erase(as, 'tag', tag.id))).toEqual([404, 'trash.notFound'])
    }
    expect(refusal(await bringBack(me, 'payee', tag.id))).toEqual([404, 'trash.notFound'])
    await ok(deleteTag, { as: me, id: other.id })
    expect((await bringBack(me, 'tag', tag.id)).status).toBe(200)
  })

  it('is brought back once by ten at a time', async () => {
    const { me, spend } = await newBooks()
    const tag = await newTag(me)
    await spend({ tagIds: [tag.id] })
    await ok(deleteTag, { as: me, id: tag.id })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bringBack(me, 'tag', tag.id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([])
  })
})

describe('a payee', () => {
  it('comes back with aliases, usual category, and the links that are still where they went', async () => {
    const { me, spend } = await newBooks()
    const food = await newCategory(me)
    const other = await newPayee(me, 'Other')
    const payee = await newPayee(me, 'Shop', {
      aliases: ['SHOP 1', 'SHOP 2'],
      defaultCategoryId: food.id,
      note: 'x',
    })
    const [kept, moved] = [await spend({ payeeId: payee.id }), await spend({ payeeId: payee.id })]
    const mine = await spend({ payeeId: other.id })
    const before = without(await ok(getPayee, { as: me, id: payee.id }))
    await ok(deletePayee, { as: me, id: payee.id, query: { reassignTo: other.id } })
    await change(me, moved, { payeeId: null })
    await ok(updatePayee, { as: me, id: other.id, json: { note: 'y' } })
    await bringBack(me, 'payee', payee.id)
    const after = without(await ok(getPayee, { as: me, id: payee.id }))
    expect({ ...after, totals: [] }).toEqual({
      ...before,
      totals: [],
      lastUsedAt: after.lastUsedAt,
    })
    const payeeOf = async ({ id }: { id: string }) =>
      (await ok(getTransaction, { as: me, id })).payeeId
    expect([await payeeOf(kept), await payeeOf(moved), await payeeOf(mine)]).toEqual([
      payee.id,
      null,
      other.id,
    ])
    expect(await lastChange(me, kept.id)).toMatchObject({
      changes: [{ field: 'payeeId', before: other.id, after: payee.id }],
    })
  })

  it('comes back without what somebody else has now, or what is gone', async () => {
    const me = await newUser()
    const food = await newCategory(me)
    const payee = await newPayee(me, 'Shop', {
      aliases: ['SHOP 1', 'SHOP 2'],
      defaultCategoryId: food.id,
    })
    await ok(deletePayee, { as: me, id: payee.id })
    await ok(deleteCategory, { as: me, id: food.id })
    await newPayee(me, 'Other', { aliases: ['shop 1'] })
    await bringBack(me, 'payee', payee.id)
    expect(await ok(getPayee, { as: me, id: payee.id })).toMatchObject({
      defaultCategoryId: null,
      aliases: ['SHOP 2'],
    })
  })

  it('takes nothing from a link that changed between reading and writing', async () => {
    const { me, spend } = await newBooks()
    const [payee, other] = [await newPayee(me, 'Shop'), await newPayee(me, 'Other')]
    const expense = await spend({ payeeId: payee.id })
    await ok(deletePayee, { as: me, id: payee.id, query: { reassignTo: other.id } })
    const service = serviceWith({ meanwhile: () => change(me, expense, { payeeId: null }) })
    const path = { kind: 'payee', id: payee.id }
    const answer = await service.call(restoreFromTrash, { as: me, path })
    expect(refusal(answer)).toEqual([409, 'trash.changedMeanwhile'])
    expect((await bringBack(me, 'payee', payee.id)).status).toBe(200)
  })
})

describe('a category', () => {
  it('comes back with lines, children and payees that are still where they went', async () => {
    const { me, spend, move, two } = await newBooks()
    const top = await newCategory(me, { name: 'Top' })
    const food = await newCategory(me, { name: 'Food', parentId: top.id })
    const home = await newCategory(me, { name: 'Home' })
    const [child, strayed] = await Promise.all([
      newCategory(me, { parentId: food.id }),
      newCategory(me, { parentId: food.id }),
    ])
    const payee = await newPayee(me, 'Shop', { defaultCategoryId: food.id })
    await spend({ categoryId: food.id, status: 'reconciled' })
    await spend({ splits: [{ amount: '4', categoryId: food.id }, { amount: '1' }] })
    await move(two, { fee: { amount: '1', categoryId: food.id } })
    const trashed = await spend({ categoryId: food.id })
    await dropTransaction(me, trashed)
    const before = await stored(me)
    await ok(deleteCategory, { as: me, id: food.id, query: { reassignTo: home.id } })
    const late = await spend({ categoryId: home.id })
    await ok(updateCategory, { as: me, id: strayed.id, json: { parentId: null } })
    const answer = await bringBack(me, 'category', food.id)
    expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
    await dropTransaction(me, late)
    await erase(me, 'transaction', late.id)
    expect(await stored(me)).toEqual(before)
    expect(await ok(getCategory, { as: me, id: food.id })).toMatchObject({ parentId: top.id })
    const parents = [child.id, strayed.id].map(
      async (id) => (await ok(getCategory, { as: me, id })).parentId,
    )
    expect(await Promise.all(parents)).toEqual([food.id, null])
    expect(await ok(getPayee, { as: me, id: payee.id })).toMatchObject({
      defaultCategoryId: food.id,
    })
    const depths = await depthsOf(me)
    expect(depths.kept).toEqual(depths.true)
    expect(await differencesOf(me)).toEqual([])
  })

  it('comes back on what lost it in the trash, wherever that is now, and at the top without its parent', async () => {
    const { me, spend } = await newBooks()
    const [top, food] = await newBranch(me, 2)
    const [one, two] = [
      await spend({ categoryId: food?.id ?? null }),
      await spend({ categoryId: food?.id ?? null }),
    ]
    await dropTransaction(me, one)
    await dropTransaction(me, two)
    await ok(deleteCategory, { as: me, id: food?.id ?? '' })
    await ok(deleteCategory, { as: me, id: top?.id ?? '' })
    await bringBack(me, 'transaction', one.id)
    await bringBack(me, 'category', food?.id ?? '')
    await bringBack(me, 'transaction', two.id)
    for (const { id } of [one, two]) {
      expect(await ok(getTransaction, { as: me, id })).toMatchObject({ categoryId: food?.id })
    }
    expect(await ok(getCategory, { as: me, id: food?.id ?? '' })).toMatchObject({ parentId: null })
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes no line that became one of the other kind between reading and writing', async () => {
    const { me, spend } = await newBooks()
    const food = await newCategory(me)
    const spent = await spend({ categoryId: food.id })
    await dropTransaction(me, spent)
    await ok(deleteCategory, { as: me, id: food.id })
    await bringBack(me, 'transaction', spent.id)
    const service = serviceWith({ meanwhile: () => change(me, spent, { kind: 'income' }) })
    const answer = await service.call(restoreFromTrash, {
      as: me,
      path: { kind: 'category', id: food.id },
    })
    expect(refusal(answer)).toEqual([409, 'trash.changedMeanwhile'])
    expect((await bringBack(me, 'category', food.id)).status).toBe(200)
    expect((await ok(getTransaction, { as: me, id: spent.id })).categoryId).toBeNull()
  })

  it('comes back on 5,000 lines', async () => {
    const { me, one } = await newBooks()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)'
    await rows(
      `${numbers} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
       SELECT printf('txn_%s%05d', ?1, i), ?2, 'expense', '2026-11-02', 'user', ?2, 0, 0 FROM n`,
      one.id.slice(4, 25),
      me.id,
    )
    for (const [line, end, sign, category] of [
      [1, 'account', -1, null],
      [2, 'expense', 1, food.id],
    ] as const) {
      await rows(
        `${numbers} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, category_id)
         SELECT printf('txn_%s%05d', ?1, i), ?3, ?2, ?7, ?4, '2026-11-02', ?5, 'EUR', 'cleared', ?6 FROM n`,
        one.id.slice(4, 25),
        me.id,
        line,
        end,
        sign,
        category,
        one.id,
      )
    }
    const before = await stored(me)
    await ok(deleteCategory, { as: me, id: food.id, query: { reassignTo: home.id } })
    expect((await bringBack(me, 'category', food.id)).status).toBe(200)
    expect(await stored(me)).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is refused beside a thousand others', async () => {
    const me = await newUser()
    const food = await newCategory(me)
    await ok(deleteCategory, { as: me, id: food.id })
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO categories (id, owner_id, name, name_key, kind, depth, created_at, updated_at)
       SELECT 'cat_' || i || ?1, ?1, i, i, 'expense', 1, 0, 0 FROM n`,
      me.id,
    )
    expect(refusal(await bringBack(me, 'category', food.id))).toEqual([
      409,
      'trash.tooManyCategories',
    ])
  })

  it('is refused where its name is taken, or the tree would become too deep', async () => {
    const me = await newUser()
    const food = await newCategory(me, { name: 'Food' })
    await ok(deleteCategory, { as: me, id: food.id })
    await newCategory(me, { name: 'FOOD' })
    expect(refusal(await bringBack(me, 'category', food.id))).toEqual([409, 'trash.nameTaken'])
    const [top, mid] = await newBranch(me, 3)
    await ok(deleteCategory, { as: me, id: mid?.id ?? '', query: { reassignTo: top?.id ?? '' } })
    const deep = await newBranch(me, 3)
    await ok(updateCategory, {
      as: me,
      id: top?.id ?? '',
      json: { parentId: deep.at(-1)?.id ?? '' },
    })
    expect(refusal(await bringBack(me, 'category', mid?.id ?? ''))).toEqual([
      409,
      'trash.placeTaken',
    ])
  })
})

it('reads no table whole for any of them', async () => {
  const { me, spend } = await newBooks()
  const { database, heard } = overheardDatabase()
  const service = serviceWith({ env: { DB: database } })
  const [tag, food, home] = [await newTag(me), await newCategory(me), await newCategory(me)]
  const [shop, other] = [await newPayee(me, 'Shop'), await newPayee(me, 'Other')]
  await spend({ categoryId: food.id, tagIds: [tag.id], payeeId: shop.id })
  await ok(deleteTag, { as: me, id: tag.id })
  await ok(deletePayee, { as: me, id: shop.id, query: { reassignTo: other.id } })
  await ok(deleteCategory, { as: me, id: food.id, query: { reassignTo: home.id } })
  for (const [kind, { id }] of Object.entries({ tag, payee: shop, category: food })) {
    const { status } = await service.call(restoreFromTrash, { as: me, path: { kind, id } })
    expect(status).toBe(200)
  }
  expect(await scansIn(heard)).toEqual([])
})

it('goes for good one by one, with all of the trash, or after 30 days', async () => {
  const me = await newUser()
  const tags = await Promise.all(['a', 'b', 'c', 'd'].map((name) => newTag(me, name)))
  for (const { id } of tags) {
    await ok(deleteTag, { as: me, id })
  }
  const [one, old] = tags
  const answer = await erase(me, 'tag', one?.id ?? '')
  expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
  await rows('UPDATE trashed_rows SET deleted_at = 1 WHERE id = ?', old?.id)
  await purgeNow()
  expect(await trashOf(me)).toMatchObject({ count: 2 })
  expect((await call(emptyTrash, { as: me })).status).toBe(200)
  expect(await trashOf(me)).toMatchObject({ count: 0 })
})
