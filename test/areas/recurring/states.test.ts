import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { closeAccount, deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import {
  createRecurring,
  deleteRecurring,
  getRecurring,
  listRecurring,
  postOccurrences,
  updateOccurrence,
  updateRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { on } from '../audit-log/old-log.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory, refusal } from '../transactions/booking.ts'
import { bookedOn, newItem, settle, statesOf, today, toldTo } from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

async function scene(day = '2026-02-10') {
  today(day)
  const me = await newUser()
  return { me, account: await newAccount(me, { openingDate: '2024-01-01' }) }
}

describe('the state of an occurrence', () => {
  it.each([
    ['nothing', [], ['upcoming', 'due', 'grace', 'overdue']],
    ['50.00', ['50'], ['paid', 'paid', 'paid', 'paid']],
    ['20.00', ['20'], ['partlyPaid', 'partlyPaid', 'partlyPaid', 'overdue']],
  ])('follows from the day where %s is paid', async (_, amounts, expected) => {
    const { me: first, account } = await scene('2026-11-01')
    const item = await newItem(first, account, {
      ...{ mode: 'expect', amountIs: 'about', leadDays: 5, graceDays: 3 },
      schedule: { unit: 'month', anchor: '2026-11-10' },
    })
    const paid = []
    for (const amount of amounts) {
      paid.push((await book(first, account, { amount, date: '2026-11-04' })).id)
    }
    await ok(updateOccurrence, {
      as: first,
      path: { id: item.id, date: '2026-11-10' },
      json: { transactionIds: paid },
    })
    const states = []
    let me = first
    for (const day of ['2026-11-01', '2026-11-05', '2026-11-11', '2026-11-14']) {
      me = await on(day, me)
      states.push((await ok(getRecurring, { as: me, id: item.id })).next?.status ?? 'paid')
    }
    const shown = expected[0] === 'paid' ? expected.map(() => 'upcoming') : expected
    // What is paid is not the next one any more.
    expect(states).toEqual(shown)
    const query = { from: '2026-11-10', to: '2026-11-10' }
    expect(await statesOf(me, item, query)).toEqual([`2026-11-10 ${expected[3]}`])
  })

  it('is skipped while its transaction is in the trash, and is never booked again', async () => {
    const { me, account } = await scene('2026-02-16')
    const item = await newItem(me, account, { from: '2026-02-01' })
    await settle(me)
    const to = { to: '2026-02-28' }
    const paid = await ok(getRecurring, { as: me, id: item.id })
    expect(paid.next?.nominalDate).toBe('2026-03-15')
    const { transactions } = await ok(listTransactions, {
      as: me,
      query: { accountId: account.id, kind: 'expense' },
    })
    const [booked] = transactions
    expect(booked).toMatchObject({
      source: 'recurring',
      recurringId: item.id,
      recurringDate: '2026-02-15',
    })
    await ok(deleteTransaction, { as: me, id: booked?.id ?? '' })
    await settle(me)
    expect(await statesOf(me, item, to)).toEqual(['2026-02-15 skipped'])
    const again = { items: [{ recurringId: item.id, nominalDate: '2026-02-15' }] }
    expect(refusal(await call(postOccurrences, { as: me, json: again }))).toEqual([
      ...[409, 'recurring.settled', 'items.0.nominalDate'],
    ])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: booked?.id ?? '' } })
    expect(await statesOf(me, item, to)).toEqual(['2026-02-15 paid'])
  })

  it('is missed where it cannot be booked, which does not stop the next one', async () => {
    const { me: first, account } = await scene()
    const item = await newItem(first, account)
    await ok(closeAccount, { as: first, id: account.id, json: {} })
    let me = await on('2026-03-20', first)
    await settle(me)
    expect(await statesOf(me, item, { to: '2026-03-31' })).toEqual([
      '2026-02-15 missed',
      '2026-03-15 missed',
    ])
    expect(await toldTo(me)).toEqual(['recurring.missed 2026-03-15'])
    const other = await newAccount(me, { openingDate: '2024-01-01' })
    const transaction = { kind: 'expense' as const, accountId: other.id, amount: '50' }
    await ok(updateRecurring, { as: me, id: item.id, json: { transaction } })
    const json = { items: [{ recurringId: item.id, nominalDate: '2026-02-15' }] }
    await ok(postOccurrences, { as: me, json })
    me = await on('2026-04-15', me)
    await settle(me)
    expect(await bookedOn(me, other)).toEqual(['2026-02-15 50.00', '2026-04-15 50.00'])
  })

  it('is left out while the item rests', async () => {
    const { me: first, account } = await scene()
    const item = await newItem(first, account)
    await ok(updateRecurring, { as: first, id: item.id, json: { active: false } })
    let me = await on('2026-03-20', first)
    await settle(me)
    expect(await ok(getRecurring, { as: me, id: item.id })).toMatchObject({
      next: null,
      reason: 'inactive',
    })
    await ok(updateRecurring, { as: me, id: item.id, json: { active: true } })
    me = await on('2026-04-20', me)
    await settle(me)
    expect(await bookedOn(me, account)).toEqual(['2026-04-15 50.00'])
    expect(await statesOf(me, item, { to: '2026-04-30' })).toEqual([
      ...['2026-02-15 skipped', '2026-03-15 skipped', '2026-04-15 paid'],
    ])
  })

  it('is left out while its account is in the trash, or the item itself', async () => {
    const { me: first, account } = await scene()
    const item = await newItem(first, account)
    await ok(deleteAccount, { as: first, id: account.id })
    let me = await on('2026-02-20', first)
    await settle(me)
    expect(await ok(getRecurring, { as: me, id: item.id })).toMatchObject({ reason: 'accountGone' })
    await ok(restoreFromTrash, { as: me, path: { kind: 'account', id: account.id } })
    await settle(me)
    await ok(deleteRecurring, { as: me, id: item.id })
    me = await on('2026-03-20', me)
    await settle(me)
    await ok(restoreFromTrash, { as: me, path: { kind: 'recurring', id: item.id } })
    me = await on('2026-04-20', me)
    await settle(me)
    expect(await bookedOn(me, account)).toEqual(['2026-04-15 50.00'])
  })

  it('is booked on the day to which it was moved', async () => {
    const { me: first, account } = await scene()
    const item = await newItem(first, account)
    const move = (date: string, json: object) =>
      ok(updateOccurrence, { as: first, path: { id: item.id, date }, json })
    await move('2026-03-15', { date: '2026-02-20' })
    await move('2026-02-15', { date: '2026-03-01' })
    await move('2026-04-15', { skipped: true })
    const booked = []
    let me = first
    for (const day of ['2026-02-16', '2026-02-20', '2026-03-01', '2026-05-15']) {
      me = await on(day, me)
      await settle(me)
      booked.push((await bookedOn(me, account)).length)
    }
    expect(booked).toEqual([0, 1, 2, 3])
    expect(await statesOf(me, item, { to: '2026-05-31' })).toEqual([
      ...['2026-02-15 paid', '2026-03-15 paid', '2026-04-15 skipped', '2026-05-15 paid'],
    ])
  })
})

describe('the labels of an item', () => {
  it('follow a merge, and come off with a deletion', async () => {
    const { me, account } = await scene()
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const [tag, other] = [
      await ok(createTag, { as: me, json: { name: 'One' } }),
      await ok(createTag, { as: me, json: { name: 'Two' } }),
    ]
    const tagIds = [tag.id, other.id]
    const item = await newItem(me, account, { transaction: { categoryId: one.id, tagIds } })
    await ok(mergeCategory, { as: me, id: two.id, json: { categoryId: one.id } })
    await ok(deleteTag, { as: me, id: tag.id })
    const shown = await ok(getRecurring, { as: me, id: item.id })
    expect(shown.transaction).toMatchObject({ categoryId: two.id, tagIds: [other.id] })
    await ok(deleteCategory, { as: me, id: two.id })
    await ok(deleteTag, { as: me, id: other.id })
    const bare = await ok(getRecurring, { as: me, id: item.id })
    expect(bare.transaction).toMatchObject({ categoryId: null, tagIds: [] })
  })
})

describe('the labels of an item that names all', () => {
  /** An item, one of its occurrences and a part of it that name a payee, a category and two tags. */
  async function labelled() {
    const { me, account } = await scene()
    const payee = await ok(createPayee, { as: me, json: { name: 'Landlord' } })
    const category = await newCategory(me)
    const [tag, other] = [
      await ok(createTag, { as: me, json: { name: 'One' } }),
      await ok(createTag, { as: me, json: { name: 'Two' } }),
    ]
    const labels = {
      ...{ payeeId: payee.id, categoryId: category.id, tagIds: [tag.id, other.id] },
      ...{ status: 'cleared' as const, note: 'A note', reviewed: true },
      metadata: { [tag.id]: 1, [payee.id]: 2, list: [category.id, tag.id] },
    }
    const item = await newItem(me, account, { from: '2026-02-01', transaction: labels })
    const parted = await newItem(me, account, {
      ...{ name: 'Parts', from: '2026-02-01' },
      transaction: {
        splits: [
          { amount: '20', categoryId: category.id, payeeId: payee.id, tagIds: [tag.id] },
          { amount: '30', note: 'Rest', tagIds: [other.id, tag.id] },
        ],
      },
    })
    const path = { id: item.id, date: '2026-02-15' }
    await ok(updateOccurrence, { as: me, path, json: { changes: { ...labels, amount: '60' } } })
    return { me, account, payee, category, tag, other, items: [item, parted] }
  }

  it.each(['in use', 'in the trash'])(
    'come off %s, and its occurrences are booked',
    async (how) => {
      const { me, account, payee, category, tag, other, items } = await labelled()
      const isTrashed = how === 'in the trash'
      for (const { id } of isTrashed ? items : []) {
        await ok(deleteRecurring, { as: me, id })
      }
      await ok(deletePayee, { as: me, id: payee.id })
      await ok(deleteCategory, { as: me, id: category.id })
      await ok(deleteTag, { as: me, id: tag.id })
      const third = await ok(createTag, { as: me, json: { name: 'Three' } })
      await ok(mergeTag, { as: me, id: third.id, json: { tagId: other.id } })
      for (const { id } of isTrashed ? items : []) {
        await ok(restoreFromTrash, { as: me, path: { kind: 'recurring', id } })
      }
      const [whole, parted] = items
      const none = { payeeId: null, categoryId: null, tagIds: [third.id] }
      const shown = await ok(getRecurring, { as: me, id: whole?.id ?? '' })
      expect(shown.transaction).toMatchObject({ ...none, note: 'A note', status: 'cleared' })
      expect((await ok(getRecurring, { as: me, id: parted?.id ?? '' })).transaction).toMatchObject({
        splits: [
          { amount: '20', ...none, tagIds: [] },
          { amount: '30', tagIds: [third.id] },
        ],
      })
      const later = await on('2026-02-15', me)
      await settle(later)
      const booked = await bookedOn(later, account)
      expect(booked.toSorted()).toEqual(['2026-02-15 50.00', '2026-02-15 60.00'])
    },
  )
})

describe('who sees an item', () => {
  it('is who sees all of its accounts, and who may write changes it', async () => {
    const { me, account } = await scene()
    const second = await newAccount(me)
    const friend = await newUser()
    await share(me, account, friend, { permission: 'view' })
    const move = {
      kind: 'transfer',
      fromAccountId: account.id,
      toAccountId: second.id,
      amount: '5',
    }
    const item = await newItem(me, account)
    const both = await ok(createRecurring, {
      as: me,
      json: { name: 'Aside', mode: 'ask', schedule: null, transaction: move } as never,
    })
    const mine = await newItem(me, account, { transaction: { private: true } })
    const seen = async () => (await ok(listRecurring, { as: friend })).recurring.map(({ id }) => id)
    expect(await seen()).toEqual([item.id])
    for (const { id } of [both, mine]) {
      expect((await call(getRecurring, { as: friend, id })).status).toBe(404)
    }
    const json = { name: 'Mine now' }
    expect(refusal(await call(updateRecurring, { as: friend, id: item.id, json }))[1]).toBe(
      'auth.rightNeeded',
    )
    const partner = await newUser()
    await share(me, account, partner, { permission: 'write' })
    expect(await ok(updateRecurring, { as: partner, id: item.id, json })).toMatchObject(json)
    const theirs = await newItem(partner, account, { transaction: { private: true } })
    expect(await seen()).toEqual([item.id])
    expect((await ok(listRecurring, { as: partner })).count).toBe(2)
    expect((await ok(getRecurring, { as: me, id: theirs.id })).private).toBe(true)
  })

  it('is no token that is restricted to other accounts', async () => {
    const { me, account } = await scene()
    const second = await newAccount(me)
    const item = await newItem(me, account)
    const anyAccount = {
      name: 'Any',
      mode: 'expect' as const,
      schedule: null,
      transaction: { kind: 'expense' as const, accountId: null, currency: 'EUR', amount: '5' },
    }
    const any = await ok(createRecurring, { as: me, json: anyAccount })
    const token = await giveToken(
      me,
      ['recurring.read', 'recurring.write', 'transactions.write'],
      [second.id],
    )
    for (const { id } of [item, any]) {
      expect((await call(getRecurring, { as: token, id })).status).toBe(404)
    }
    expect(refusal(await call(createRecurring, { as: token, json: anyAccount }))[1]).toBe(
      'recurring.tokenIsRestricted',
    )
  })
})
