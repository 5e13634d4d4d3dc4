import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createRecurring,
  dismissRecurring,
  listRecurringMatches,
  postOccurrences,
  updateOccurrence,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { lock } from '../period-locks/locking.ts'
import { change, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import {
  gym,
  linked,
  linksOf,
  matchesOf,
  OPENED,
  paid,
  waitingGym,
  waitingItem,
} from './linking.fixtures.ts'
import { statesOf, today } from './recurring.fixtures.ts'

beforeEach(() => today('2026-03-20'))
afterEach(() => void vi.useRealTimers())

describe('rows that are recorded', () => {
  it('are linked, or suggested, or neither', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const t2 = await paid(me, account, '2026-04-02', '51.20', { payeeId })
    const t1 = await paid(me, account, '2026-03-26', '50.00', { description: 'FIT AND CO 12' })
    const t3 = await paid(me, account, '2026-04-30', '56.00', { payeeId })
    const t4 = await paid(me, account, '2026-04-27', '50.00')
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [t1.id] })
    const listed = await call(listRecurringMatches, { as: me, query: { to: '2026-05-31' } })
    expect(tripsOf(listed)).toBe(1)
    expect(listed.body).toEqual({
      matches: [
        {
          ...{ recurringId: item.id, nominalDate: '2026-04-28', transactionId: t4.id, name: 'Gym' },
          ...{ date: '2026-04-27', amount: '50.00', currency: 'EUR', description: '', score: 67 },
          reasons: ['sameAmount', 'closeDays'],
        },
      ],
      ...{ count: 1, truncated: false },
    })
    expect((await ok(getTransaction, { as: me, id: t1.id })).recurringId).toBe(item.id)
    for (const { id } of [t2, t3]) {
      expect((await ok(getTransaction, { as: me, id })).recurringId).toBeNull()
    }
  })

  it('are linked by themselves where no better one is there', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const t2 = await paid(me, account, '2026-04-02', '51.20', { payeeId })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [t2.id] })
    expect(await statesOf(me, item, { to: '2026-04-01' })).toEqual(['2026-03-28 paid'])
  })

  it('are linked once they are changed so that they fit', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const row = await paid(me, account, '2026-03-28', '70.00')
    await linked(me)
    expect(await linksOf(me, item)).toEqual({})
    await change(me, row, { amount: '50.00', payeeId })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })

  it('get what they lack, and nothing else', async () => {
    const { me, account, payeeId } = await gym()
    const [sport, health] = [await newCategory(me), await newCategory(me)]
    const [own, ofItem] = [
      await ok(createTag, { as: me, json: { name: 'own' } }),
      await ok(createTag, { as: me, json: { name: 'item' } }),
    ]
    const transaction = { payeeId, categoryId: sport.id, tagIds: [ofItem.id], note: 'x' }
    await waitingItem(me, account, { transaction })
    const bare = await paid(me, account, '2026-03-28', '50.00', { description: 'Fit and Co' })
    const full = await paid(me, account, '2026-04-28', '50.50', {
      ...{ description: 'Fit and Co', categoryId: health.id, tagIds: [own.id], note: 'mine' },
    })
    await linked(me)
    expect(await ok(getTransaction, { as: me, id: bare.id })).toMatchObject({
      ...{ categoryId: sport.id, payeeId, tagIds: [ofItem.id], note: null, version: 2 },
      ...{ amount: '50.00', description: 'Fit and Co', source: 'user', date: '2026-03-28' },
    })
    const after = await ok(getTransaction, { as: me, id: full.id })
    expect(after).toMatchObject({ categoryId: health.id, payeeId, note: 'mine', amount: '50.50' })
    expect(after.tagIds.toSorted()).toEqual([own.id, ofItem.id].toSorted())
  })

  it('get the parts of the item where the amount is the same', async () => {
    const { me, account, payeeId } = await gym()
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const splits = [
      { amount: '30.00', categoryId: one.id },
      { amount: '20.00', categoryId: two.id, note: 'b', payeeId },
    ]
    await waitingItem(me, account, { transaction: { payeeId, splits } })
    const same = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    const other = await paid(me, account, '2026-04-28', '50.50', { payeeId })
    await linked(me)
    const { splits: parts, recurringId } = await ok(getTransaction, { as: me, id: same.id })
    expect(recurringId).not.toBeNull()
    expect(parts).toMatchObject(splits)
    expect(await ok(getTransaction, { as: me, id: other.id })).toMatchObject({
      ...{ recurringId, splits: [], categoryId: null },
    })
  })

  it('get nothing where that is refused, and are linked nevertheless', async () => {
    const { me, account, payeeId } = await gym()
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const rows = []
    for (const month of ['01', '02', '03']) {
      rows.push(await paid(me, account, `2026-${month}-28`, '50.00', { payeeId }))
    }
    await lock(me, { kind: 'hard', through: '2026-02-28' })
    const splits = [one, two].map(({ id }) => ({ amount: '25.00', categoryId: id }))
    const wanted = { from: '2026-01-01', transaction: { payeeId, splits } }
    const item = await waitingItem(me, account, wanted)
    await linked(me)
    const found = await Promise.all(rows.map(({ id }) => ok(getTransaction, { as: me, id })))
    expect(found.map(({ recurringId, splits: parts }) => [recurringId, parts.length])).toEqual([
      ...[
        [item.id, 0],
        [item.id, 0],
        [item.id, 2],
      ],
    ])
  })

  it('are only suggested where they may be of two items', async () => {
    const { me, account, payeeId } = await gym()
    const items = [
      await waitingItem(me, account, { transaction: { payeeId } }),
      await waitingItem(me, account, { transaction: { payeeId } }),
    ]
    const row = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    await linked(me)
    expect(await matchesOf(me, { to: '2026-04-01' })).toEqual([
      ['2026-03-28', row.id, 100],
      ['2026-03-28', row.id, 100],
    ])
    expect(await linksOf(me, items[0] as { id: string })).toEqual({})
  })

  it('are no candidates if private, void, an adjustment, on another account, or the other way', async () => {
    const { me, account, payeeId } = await waitingGym()
    const other = await newAccount(me, OPENED)
    const day = '2026-03-28'
    await paid(me, account, day, '50.00', { payeeId, private: true })
    await paid(me, account, day, '50.00', { payeeId, status: 'void' })
    await paid(me, account, day, '50.00', { payeeId, kind: 'income' })
    await paid(me, account, day, '-50.00', { kind: 'adjustment' })
    await paid(me, other, day, '50.00', { payeeId })
    await linked(me)
    expect(await matchesOf(me, { to: '2026-04-30' })).toEqual([])
  })

  it.each([
    ['JPY', '5000', '5100'],
    ['BHD', '50.005', '51'],
    ['EUR', '50.5', '51.00'],
  ])('have amounts in units of %s', async (currency, amount, other) => {
    const { me, payeeId } = await gym()
    const account = await newAccount(me, { ...OPENED, currency })
    const item = await waitingItem(me, account, { transaction: { payeeId, amount } })
    const row = await paid(me, account, '2026-03-28', other, { payeeId })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })

  it('are linked on any own account in the currency of an item without one', async () => {
    const { me, account, payeeId } = await gym()
    const [other, dollars] = [
      await newAccount(me, OPENED),
      await newAccount(me, { ...OPENED, currency: 'USD' }),
    ]
    const transaction = { accountId: null, currency: 'EUR', payeeId }
    const item = await waitingItem(me, account, { transaction })
    await paid(me, dollars, '2026-03-28', '50.00', { payeeId })
    const row = await paid(me, other, '2026-03-29', '50.00', { payeeId })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })

  it('are linked to transfers that are expected, as whole transfers or as what left the account', async () => {
    const { me, account } = await gym()
    const savings = await newAccount(me, OPENED)
    const between = { fromAccountId: account.id, toAccountId: savings.id, amount: '50.00' }
    const item = await ok(createRecurring, {
      as: me,
      json: {
        ...{ name: 'Monthly savings plan', mode: 'expect' as const },
        schedule: { unit: 'month' as const, anchor: '2026-01-28' },
        transaction: { kind: 'transfer' as const, ...between },
      },
    })
    const json = { ...between, date: '2026-03-28', description: 'Savings plan' }
    const { id } = await ok(createTransfer, { as: me, json })
    const left = await paid(me, account, '2026-04-28', '50.00', { description: 'SAVINGS PLAN 4' })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({
      ...{ '2026-03-28': [`txn_${id.slice(4)}-1`], '2026-04-28': [left.id] },
    })
  })

  it('settle items that ask, and not what was booked, skipped or missed', async () => {
    const { me, account, payeeId, item } = await waitingGym({ mode: 'ask' })
    const posted = { recurringId: item.id, nominalDate: '2026-03-28' }
    await ok(postOccurrences, { as: me, json: { items: [posted] } })
    const path = { id: item.id, date: '2026-04-28' }
    await ok(updateOccurrence, { as: me, path, json: { skipped: true } })
    for (const month of ['03', '04']) {
      await paid(me, account, `2026-${month}-28`, '50.00', { payeeId })
    }
    const row = await paid(me, account, '2026-05-28', '50.00', { payeeId })
    await linked(me)
    expect(Object.entries(await linksOf(me, item)).at(-1)).toEqual(['2026-05-28', [row.id]])
    expect(await statesOf(me, item, { to: '2026-05-31' })).toEqual([
      ...['2026-03-28 paid', '2026-04-28 skipped', '2026-05-28 paid'],
    ])
  })
})

describe('a match', () => {
  it('is accepted with what the list says, and filled in', async () => {
    const { me, account } = await gym()
    const sport = await newCategory(me)
    const item = await waitingItem(me, account, { transaction: { categoryId: sport.id } })
    const row = await paid(me, account, '2026-03-28', '50.00')
    await linked(me)
    const [match] = (await ok(listRecurringMatches, { as: me, query: { to: '2026-04-01' } }))
      .matches
    const path = { id: match?.recurringId ?? '', date: match?.nominalDate ?? '' }
    const json = { transactionIds: [match?.transactionId ?? ''] }
    expect(await ok(updateOccurrence, { as: me, path, json })).toMatchObject({ status: 'paid' })
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
    expect(await ok(getTransaction, { as: me, id: row.id })).toMatchObject({ categoryId: sport.id })
    expect(await matchesOf(me)).toEqual([])
  })

  it('is not made and not suggested again once it was dismissed, or taken off', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const guess = await paid(me, account, '2026-03-28', '50.00')
    await linked(me)
    const match = { recurringId: item.id, nominalDate: '2026-03-28', transactionId: guess.id }
    await ok(dismissRecurring, { as: me, json: match })
    await change(me, guess, { payeeId })
    const sure = await paid(me, account, '2026-04-28', '50.00', { payeeId })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-04-28': [sure.id] })
    const path = { id: item.id, date: '2026-04-28' }
    await ok(updateOccurrence, { as: me, path, json: { transactionIds: [] } })
    await change(me, sure, { note: 'not the gym' })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({})
    expect(await matchesOf(me, { to: '2026-05-31' })).toEqual([])
  })
})

describe('rows that are there before the item', () => {
  it('are linked as those that come later, from the first day on', async () => {
    const { me, account, payeeId } = await gym()
    const rows = []
    for (const month of ['11', '12']) {
      rows.push(await paid(me, account, `2025-${month}-27`, '50.00', { payeeId }))
    }
    rows.push(await paid(me, account, '2026-01-29', '50.00', { payeeId }))
    const item = await waitingItem(me, account, {
      ...{ from: '2025-12-01', transaction: { payeeId } },
      schedule: { unit: 'month', anchor: '2025-01-28' },
    })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({
      ...{ '2025-12-28': [rows[1]?.id], '2026-01-28': [rows[2]?.id] },
    })
  })

  it('are linked by their ids, each to the nearest occurrence', async () => {
    const { me, account } = await gym()
    const days = ['2026-01-20', '2026-02-12', '2026-02-13', '2026-03-15']
    const rows = []
    for (const day of days) {
      rows.push((await paid(me, account, day, '47.00')).id)
    }
    const body = {
      ...{ name: 'Gym', mode: 'expect' as const, from: '2026-01-01', transactionIds: rows },
      schedule: { unit: 'month' as const, anchor: '2026-01-28' },
      transaction: { kind: 'expense' as const, accountId: account.id, amount: '47.00' },
    }
    const item = await ok(createRecurring, { as: me, json: body })
    expect(item.next).toMatchObject({ nominalDate: '2026-04-28' })
    expect(await linksOf(me, item)).toEqual({
      '2026-01-28': rows.slice(0, 2),
      '2026-02-28': rows.slice(2, 3),
      '2026-03-28': rows.slice(3),
    })
    const again = await call(createRecurring, { as: me, json: body })
    expect(refusal(again)).toEqual([409, 'recurring.linkedElsewhere', 'transactionIds.0'])
    const elsewhere = await paid(me, await newAccount(me, OPENED), '2026-01-28', '47.00')
    const json = { ...body, transactionIds: [elsewhere.id] }
    expect(refusal(await call(createRecurring, { as: me, json }))).toEqual([
      ...[400, 'recurring.otherAccount', 'transactionIds.0'],
    ])
  })
})
