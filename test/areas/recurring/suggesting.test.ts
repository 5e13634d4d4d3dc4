import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createRecurring,
  deleteRecurring,
  dismissRecurring,
  listOccurrences,
  suggestRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { on } from '../audit-log/old-log.ts'
import { lock } from '../period-locks/locking.ts'
import { share } from '../sharing/sharing.ts'
import { book } from '../transactions/booking.ts'
import { today } from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

const TODAY = '2026-03-10'
const OPENED = { openingDate: '2024-01-01' }

/** Books rows with these days between them, the last one ten days ago. */
async function bookSeries(
  as: Principal,
  account: { id: string },
  gaps: number[],
  amounts: (string | number)[],
  { last = addDays(TODAY, -10), ...fields }: Record<string, unknown> & { last?: string } = {},
) {
  let date = addDays(last, -gaps.reduce((sum, gap) => sum + gap, 0))
  for (const [at, amount] of amounts.entries()) {
    date = at === 0 ? date : addDays(date, gaps[at - 1] ?? 0)
    await book(as, account, { date, amount: String(amount), ...fields })
  }
}

const same = (count: number, amount: string) => Array.from({ length: count }, () => amount)

async function newBooks() {
  today(TODAY)
  const me = await newUser()
  return { me, account: await newAccount(me, OPENED) }
}

/** Creates the item of a suggestion by its body as it is. */
const accept = (as: Principal, item: object | undefined) =>
  ok(createRecurring, { as, json: item as never })

const suggested = async (as: Principal) => (await ok(suggestRecurring, { as })).suggestions

describe('suggestions', () => {
  it('are made of rows that come again', async () => {
    const { me, account } = await newBooks()
    const series = (payeeRaw: string, gaps: number[], amounts: string[]) =>
      bookSeries(me, account, gaps, amounts, { payeeRaw })
    await series('Streaming', [31, 30, 31, 31], same(5, '9.99'))
    await series('Rent', [31, 30, 33], same(4, '1200'))
    await series('Groceries', [8, 5, 11, 7], ['20', '90', '41', '60', '40'])
    await series('Two only', [31], same(2, '9.99'))
    await series('Power', [91, 91, 92], same(4, '180'))
    await series('Gym', [30, 61, 31, 31], same(5, '40'))
    const found = await suggested(me)
    expect(
      found.map(({ item: { name, schedule }, count }) => [
        ...[name, schedule?.unit, schedule?.count, count],
      ]),
    ).toEqual([
      ['Gym', 'month', 1, 5],
      ['Power', 'month', 3, 4],
      ['Rent', 'month', 1, 4],
      ['Streaming', 'month', 1, 5],
    ])
    for (const { item } of found) {
      const { name, next } = await accept(me, item)
      expect([name, next?.status]).toEqual([item.name, 'upcoming'])
    }
    expect(await suggested(me)).toEqual([])
  })

  it('say what is on the last row, and the day on which most are', async () => {
    const { me, account } = await newBooks()
    const payee = await ok(createPayee, { as: me, json: { name: 'Streaming Ltd' } })
    const food = await ok(createCategory, { as: me, json: { name: 'Fun', kind: 'expense' } })
    const of = { payeeId: payee.id, categoryId: food.id, private: true }
    const booked: string[] = []
    for (const date of ['2025-11-03', '2025-12-01', '2026-01-01', '2026-02-02']) {
      const amount = date < '2026' ? '10' : '11'
      booked.push((await book(me, account, { date, amount, ...of })).id)
    }
    // Links change nothing that is locked.
    await lock(me, { kind: 'hard' })
    const { suggestions, truncated } = await ok(suggestRecurring, { as: me })
    expect(truncated).toBe(false)
    expect(suggestions).toEqual([
      {
        key: `${account.id} out ${payee.id}`,
        ...{ count: 4, lastDate: '2026-02-02' },
        item: {
          ...{ name: 'Streaming Ltd', purpose: 'other', mode: 'expect' },
          schedule: {
            ...{ unit: 'month', count: 1, anchor: '2025-11-01', on: [{ day: 1 }] },
            ...{ shortMonth: 'last', weekend: 'keep' },
          },
          transaction: {
            ...{ kind: 'expense', accountId: account.id, amount: '10.50' },
            ...{ payeeId: payee.id, categoryId: food.id, private: true },
          },
          ...{ amountIs: 'about', amountMax: null, tolerancePercent: '25.00' },
          ...{ dayWindow: 3, leadDays: 0, graceDays: 0, remindOn: null, active: true, note: null },
          ...{ from: '2026-02-02', transactionIds: booked },
        },
      },
    ])
    const item = await accept(me, suggestions[0]?.item)
    const { occurrences } = await ok(listOccurrences, {
      ...{ as: me, id: item.id, query: { from: '2025-11-01', to: '2026-03-31' } },
    })
    const paid = ['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01']
    expect(occurrences).toMatchObject([
      ...paid.map((nominalDate, at) => ({
        ...{ nominalDate, status: 'paid', transactionIds: [booked[at]] },
      })),
      { date: '2026-03-01', status: 'overdue', transactionIds: [] },
    ])
    await ok(deleteRecurring, { as: me, id: item.id })
    expect(await suggested(me)).toEqual([])
  })

  it('put rows together by their text without digits, and tell what comes in from what goes out', async () => {
    const { me, account } = await newBooks()
    const first = addDays(TODAY, -70)
    for (const at of [0, 1, 2, 3, 4]) {
      const date = addDays(first, at * 14)
      const row = { date, amount: '50', payeeRaw: `ACME No. ${at}71-${at}` }
      await book(me, account, { ...row, kind: 'income' })
      await book(me, account, { ...row, date: addDays(date, 1) })
    }
    const found = await suggested(me)
    expect(found.map(({ key }) => key)).toEqual([
      `${account.id} out acme no`,
      `${account.id} in acme no`,
    ])
    expect(found[1]?.item).toMatchObject({
      ...{ purpose: 'income', name: 'ACME No. 471-4', amountIs: 'exact' },
      schedule: { unit: 'week', count: 2, anchor: first },
      transaction: { kind: 'income', payeeRaw: 'ACME No. 471-4' },
    })
  })

  it('are the same from day to day, until somebody dismisses them', async () => {
    const books = await newBooks()
    const { account } = books
    let { me } = books
    const text = `${'🎬'.repeat(10)} ${'Überweisung '.repeat(30)}`.slice(0, 200)
    await bookSeries(me, account, [30, 31, 30], same(4, '9.99'), { description: text })
    const [one] = await suggested(me)
    me = await on('2026-03-11', me)
    expect(await suggested(me)).toEqual([one])
    expect(one?.key.length).toBeLessThanOrEqual(200)
    await accept(me, { ...one?.item, active: false })
    expect(await suggested(me)).toEqual([])
    await bookSeries(me, account, [14, 14], same(3, '5'), { payeeRaw: 'Market' })
    const [other] = await suggested(me)
    await ok(dismissRecurring, { as: me, json: { key: other?.key } })
    expect(await suggested(me)).toEqual([])
  })

  it('leave out old and void rows, archived payees, and accounts on which the caller may not book', async () => {
    const { me, account } = await newBooks()
    const other = await newUser()
    const [seen, booked] = [await newAccount(other, OPENED), await newAccount(other, OPENED)]
    await share(other, seen, me)
    await share(other, booked, me, { permission: 'write' })
    const monthly = (as: Principal, on: { id: string }, fields: object) =>
      bookSeries(as, on, [30, 31, 30], same(4, '9.99'), { ...fields })
    await monthly(other, seen, { payeeRaw: 'Seen' })
    await monthly(other, booked, { payeeRaw: 'Booked' })
    await monthly(other, booked, { payeeRaw: 'Hidden', private: true })
    await monthly(me, account, { payeeRaw: 'Void', status: 'void' })
    await monthly(me, account, { payeeRaw: 'Old', last: '2025-12-01' })
    await monthly(me, account, { payeeRaw: '4711' })
    const payee = await ok(createPayee, { as: me, json: { name: 'Gone' } })
    await monthly(me, account, { payeeId: payee.id })
    expect((await suggested(me)).map(({ item }) => item.name)).toEqual(['Gone', 'Booked'])
    await ok(updatePayee, { as: me, id: payee.id, json: { archived: true } })
    const [only, ...more] = await suggested(me)
    expect([only?.item.name, more]).toEqual(['Booked', []])
    await accept(me, only?.item)
    expect(await suggested(other)).toHaveLength(2)
  })
})
