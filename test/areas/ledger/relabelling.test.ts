import { expect, it } from 'vitest'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { shareAccountToGroup } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer, getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newGroup } from '../groups/groups.ts'
import { book, change, newCategory, refusal } from '../transactions/booking.ts'
import { match, newHalves, unmatch } from '../transfers/matched.ts'

// Deletions, merges and restorations of categories, payees and tags tell of each transaction that they change.

const newTag = (as: Principal, name: string) => ok(createTag, { as, json: { name } })
const newPayee = (as: Principal, name: string) => ok(createPayee, { as, json: { name } })

interface Logged {
  type: string
  resourceType: string
  id: string
  accountId: string | null
  ownerId: string
  groupId: string | null
  version: number
  content: string | null
}

/** The events of the commit that told this of that, without the first. */
async function toldWith(type: string, id: string) {
  const [head, ...others] = await rows<Logged>(
    `SELECT l.type, l.resource_type AS resourceType, l.resource_id AS id, l.account_id AS accountId,
        l.owner_id AS ownerId, l.group_id AS groupId, l.version, l.content
      FROM log_entries o JOIN log_entries l ON l.commit_number = o.commit_number
      WHERE o.type = ? AND o.resource_id = ? ORDER BY l.number`,
    type,
    id,
  )
  expect([head?.type, head?.id]).toEqual([type, id])
  return others.map(({ content, ...event }) => ({
    ...event,
    content: JSON.parse(content ?? 'null'),
  }))
}

const updated = {
  type: 'transaction.updated',
  resourceType: 'transaction',
  groupId: null,
}

/** A user with two accounts, and a transfer between them with a fee of that category. */
async function newBooks() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const move = (more: object) =>
    ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: one.id,
        toAccountId: two.id,
        date: '2026-11-20',
        amount: '100',
        ...more,
      },
    })
  return { me, one, two, move }
}

it('tells of a category on wholes, on parts, on the fee of a transfer, and in the trash', async () => {
  const { me, one, two, move } = await newBooks()
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const whole = await book(me, one, { categoryId: food.id })
  const split = await book(me, one, {
    splits: [{ amount: '2.30', categoryId: food.id }, { amount: '10' }],
  })
  const transfer = await move({ fee: { amount: '1', categoryId: food.id } })
  const trashed = await book(me, one, { categoryId: food.id })
  await ok(deleteTransaction, { as: me, id: trashed.id })
  await ok(mergeCategory, { as: me, id: home.id, json: { categoryId: food.id } })

  const events = await toldWith('category.merged', food.id)
  const [line] = split.splits.map(({ id }) => Number(id.split('-')[1]))
  const event = { ...updated, accountId: one.id, ownerId: me.id, version: 2 }
  const pair = (tell: (categoryId: string) => object) => ({
    before: tell(food.id),
    after: tell(home.id),
  })
  expect(events).toHaveLength(5)
  expect(events).toEqual(
    expect.arrayContaining([
      { ...event, id: whole.id, content: pair((categoryId) => ({ categoryId })) },
      {
        ...event,
        id: split.id,
        content: pair((categoryId) => ({ splits: [{ line, categoryId }] })),
      },
      {
        ...event,
        id: transfer.from.id,
        content: pair((categoryId) => ({ fees: [{ line: 5, categoryId }] })),
      },
      // It does not show the fee, and has a new version.
      { ...event, id: transfer.to.id, accountId: two.id, content: null },
      { ...event, id: trashed.id, version: 3, content: pair((categoryId) => ({ categoryId })) },
    ]),
  )
  expect((await ok(getTransaction, { as: me, id: split.id })).version).toBe(2)
  expect((await ok(getTransfer, { as: me, id: transfer.id })).version).toBe(2)
})

it('tells of a category that comes off what is in the trash, and back on it', async () => {
  const { me, one } = await newBooks()
  const food = await newCategory(me)
  const { id } = await book(me, one, { categoryId: food.id })
  await ok(deleteTransaction, { as: me, id })
  await ok(deleteCategory, { as: me, id: food.id })
  await ok(restoreFromTrash, { as: me, path: { kind: 'category', id: food.id } })
  const event = { ...updated, id, accountId: one.id, ownerId: me.id }
  const [has, lacks] = [{ categoryId: food.id }, { categoryId: null }]
  expect(await toldWith('category.deleted', food.id)).toEqual([
    { ...event, version: 3, content: { before: has, after: lacks } },
  ])
  expect(await toldWith('category.restored', food.id)).toEqual([
    { ...event, version: 4, content: { before: lacks, after: has } },
  ])
})

it('tells both accounts of a tag of a transfer, and the group of the one that it sees', async () => {
  const { me, one, two, move } = await newBooks()
  const group = await newGroup(me)
  await ok(shareAccountToGroup, { as: me, id: two.id, json: { groupId: group.id } })
  const [trip, work] = [await newTag(me, 'Trip'), await newTag(me, 'Work')]
  const { from, to } = await move({ tagIds: [trip.id] })
  await ok(mergeTag, { as: me, id: work.id, json: { tagId: trip.id } })
  await ok(deleteTag, { as: me, id: work.id })

  const event = { ...updated, ownerId: me.id }
  const sides = (version: number, content: object) => [
    { ...event, id: from.id, accountId: one.id, version, content },
    { ...event, id: to.id, accountId: two.id, groupId: group.id, version, content },
  ]
  expect(await toldWith('tag.merged', trip.id)).toEqual(
    sides(2, { before: { tagIds: [trip.id] }, after: { tagIds: [work.id] } }),
  )
  expect(await toldWith('tag.deleted', work.id)).toEqual(
    sides(3, { before: { tagIds: [work.id] }, after: { tagIds: [] } }),
  )
})

it('tells of a whole and its parts in one event, and what is private as such', async () => {
  const { me, one } = await newBooks()
  const trip = await newTag(me, 'Trip')
  const { id, splits } = await book(me, one, {
    tagIds: [trip.id],
    private: true,
    splits: [{ amount: '2.30', tagIds: [trip.id] }, { amount: '10' }],
  })
  await ok(deleteTag, { as: me, id: trip.id })
  await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: trip.id } })
  const line = Number(splits[0]?.id.split('-')[1])
  const [has, lacks] = [[trip.id], []].map((tagIds) => ({ tagIds, splits: [{ line, tagIds }] }))
  const event = { ...updated, id, accountId: one.id, ownerId: me.id }
  expect(await toldWith('tag.deleted', trip.id)).toEqual([
    { ...event, version: 2, content: { before: has, after: lacks, private: true } },
  ])
  expect(await toldWith('tag.restored', trip.id)).toEqual([
    { ...event, version: 3, content: { before: lacks, after: has, private: true } },
  ])
})

it('tells of rows that are matched, and of the transfer that stands for them', async () => {
  const { me, one, two, out, into } = await newHalves()
  const shop = await newPayee(me, 'Shop')
  const mill = await newPayee(me, 'Mill')
  const [from, to] = [await out({ payeeId: shop.id }), await into()]
  const { body } = await match(me, from, to)
  await ok(deletePayee, { as: me, id: shop.id, query: { reassignTo: mill.id } })
  await ok(restoreFromTrash, { as: me, path: { kind: 'payee', id: shop.id } })

  const ids = async (type: string) =>
    (await toldWith(type, shop.id)).map(({ id, accountId }) => [id, accountId]).toSorted()
  const all = [
    [from.id, one.id],
    [body.from.id, one.id],
    [body.to.id, two.id],
  ].toSorted()
  expect([await ids('payee.deleted'), await ids('payee.restored')]).toEqual([all, all])
  await unmatch(me, body)
  expect((await ok(getTransaction, { as: me, id: from.id })).payeeId).toBe(shop.id)
})

it('refuses what a transaction changed meanwhile, whatever changed on it', async () => {
  const { me, one } = await newBooks()
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const [trip, work] = [await newTag(me, 'Trip'), await newTag(me, 'Work')]
  const spent = await book(me, one, { categoryId: food.id, tagIds: [trip.id] })
  const { call } = serviceWith({
    meanwhile: () => change(me, spent, { description: crypto.randomUUID() }),
  })
  const conflict = [409, 'request.conflict']
  const json = { categoryId: food.id }
  expect(refusal(await call(mergeCategory, { as: me, id: home.id, json }))).toEqual(conflict)
  expect(refusal(await call(mergeTag, { as: me, id: work.id, json: { tagId: trip.id } }))).toEqual(
    conflict,
  )
  await ok(deleteTag, { as: me, id: trip.id })
  await ok(deleteCategory, { as: me, id: food.id, query: { reassignTo: home.id } })
  for (const [kind, { id }] of [
    ['tag', trip],
    ['category', food],
  ] as const) {
    expect(refusal(await call(restoreFromTrash, { as: me, path: { kind, id } }))).toEqual([
      409,
      'trash.changedMeanwhile',
    ])
  }
})
