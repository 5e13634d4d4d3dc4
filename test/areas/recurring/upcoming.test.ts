import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  listUpcoming,
  postOccurrences,
  updateOccurrence,
  updateRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { on } from '../audit-log/old-log.ts'
import { share } from '../sharing/sharing.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { newItem, settle, today } from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

const OPENED = { openingDate: '2024-01-01', openingBalance: '500' }
const monthly = (anchor: string) => ({ unit: 'month' as const, anchor })

type Query = Record<string, string>

const listed = async (as: Principal, query: Query = {}) => {
  const { occurrences } = await ok(listUpcoming, { as, query })
  return occurrences.map(({ date, name, amount, status }) => `${date} ${name} ${amount} ${status}`)
}

const balancesOf = async (as: Principal, accountId: string, query: Query = {}) => {
  const answer = await ok(listUpcoming, { as, query: { accountId, ...query } })
  return new Map(answer.days?.map(({ date, balance }) => [date.slice(5), balance]))
}

/** Rent, salary and gym of the worked table. */
async function household() {
  today('2026-03-10')
  const me = await newUser()
  const account = await newAccount(me, OPENED)
  const gym = { unit: 'week' as const, count: 2, anchor: '2026-03-12' }
  const rent = await newItem(me, account, {
    schedule: monthly('2026-04-01'),
    transaction: { amount: '1200' },
  })
  await newItem(me, account, {
    ...{ name: 'Salary', schedule: monthly('2026-03-28') },
    transaction: { kind: 'income', amount: '3000' },
  })
  await newItem(me, account, { name: 'Gym', schedule: gym, transaction: { amount: '40' } })
  return { me, account, rent }
}

describe('what is to come', () => {
  it('is listed with its sums and the balances of an account', async () => {
    const { me, account } = await household()
    const query = { to: '2026-04-30', accountId: account.id }
    const answer = await call(listUpcoming, { as: me, query })
    expect(answer.body.occurrences.map(({ date, name }) => `${date} ${name}`)).toEqual([
      '2026-03-12 Gym',
      '2026-03-26 Gym',
      '2026-03-28 Salary',
      '2026-04-01 Rent',
      '2026-04-09 Gym',
      '2026-04-23 Gym',
      '2026-04-28 Salary',
    ])
    expect(answer.body).toMatchObject({
      ...{ count: 7, currency: 'EUR', belowZeroOn: null, unconverted: [] },
      totals: [{ currency: 'EUR', in: '6000.00', out: '1360.00' }],
      lowest: { date: '2026-03-26', balance: '420.00' },
    })
    const days = await balancesOf(me, account.id, { to: '2026-04-30' })
    expect(
      ['03-11', '03-12', '03-26', '03-28', '04-01', '04-27', '04-28', '04-30'].map((day) =>
        days.get(day),
      ),
    ).toEqual([
      ...['500.00', '460.00', '420.00', '3420.00', '2220.00', '2140.00', '5140.00', '5140.00'],
    ])
    expect(tripsOf(answer)).toBe(1)
    expect(await ok(listUpcoming, { as: me })).not.toHaveProperty('days')
  })

  it('has what is late, and leaves out what is settled', async () => {
    today('2026-02-10')
    let me = await newUser()
    const account = await newAccount(me, OPENED)
    const item = await newItem(me, account, { mode: 'ask', schedule: monthly('2026-02-15') })
    me = await on('2026-04-10', me)
    await settle(me)
    expect(await listed(me, { from: '2026-04-10', to: '2026-04-30' })).toEqual([
      '2026-02-15 Rent 50.00 overdue',
      '2026-03-15 Rent 50.00 overdue',
      '2026-04-15 Rent 50.00 upcoming',
    ])
    const days = await balancesOf(me, account.id)
    expect(['04-10', '04-11', '04-15'].map((day) => days.get(day))).toEqual([
      ...['500.00', '400.00', '350.00'],
    ])
    const of = (nominalDate: string) => ({ recurringId: item.id, nominalDate })
    await ok(postOccurrences, { as: me, json: { items: [of('2026-02-15')] } })
    const skip = { path: { id: item.id, date: '2026-03-15' }, json: { skipped: true } }
    await ok(updateOccurrence, { as: me, ...skip })
    expect(await listed(me)).toEqual(['2026-04-15 Rent 50.00 upcoming'])
  })

  it('has what was moved here, with the amount of this time, and not what was moved away', async () => {
    const { me, rent } = await household()
    const change = (date: string, json: object) =>
      ok(updateOccurrence, { as: me, path: { id: rent.id, date }, json })
    await change('2026-06-01', { date: '2026-03-20', changes: { amount: '7' } })
    await change('2026-04-01', { date: '2026-05-20' })
    const rents = (all: string[]) => all.filter((one) => one.includes('Rent'))
    expect(rents(await listed(me))).toEqual(['2026-03-20 Rent 7.00 upcoming'])
    expect(rents(await listed(me, { from: '2026-05-02', to: '2026-06-30' }))).toEqual([
      '2026-05-20 Rent 1200.00 upcoming',
    ])
  })

  it('counts what is booked ahead, and what a part payment leaves', async () => {
    const { me, account, rent } = await household()
    await book(me, account, { date: '2026-03-14', amount: '10' })
    const part = await book(me, account, { date: '2026-03-09', amount: '200' })
    const path = { id: rent.id, date: '2026-04-01' }
    await ok(updateOccurrence, { as: me, path, json: { transactionIds: [part.id] } })
    const days = await balancesOf(me, account.id)
    expect(['03-10', '03-13', '03-14', '03-31', '04-01'].map((day) => days.get(day))).toEqual([
      ...['300.00', '260.00', '250.00', '3210.00', '2210.00'],
    ])
  })

  it('counts a transfer on both accounts, and says what only a rate would tell', async () => {
    today('2026-03-10')
    const me = await newUser()
    const [own, savings] = [await newAccount(me, OPENED), await newAccount(me, OPENED)]
    const dollars = await newAccount(me, { ...OPENED, currency: 'USD' })
    const transfer = (to: { id: string }, more: object) =>
      newItem(me, own, {
        schedule: monthly('2026-03-20'),
        transaction: {
          ...{ kind: 'transfer', accountId: undefined, amount: '100' },
          ...{ fromAccountId: own.id, toAccountId: to.id, ...more },
        },
      })
    await transfer(savings, { fees: [{ amount: '1.50' }] })
    await transfer(dollars, { toAmount: '110' })
    const byRate = await transfer(dollars, { rate: '1.1' })
    await newItem(me, own, {
      schedule: monthly('2026-03-20'),
      transaction: {
        amount: '30',
        splits: [{ amount: '10' }, { amount: '20', transferAccountId: savings.id }],
      },
    })
    const on20 = async ({ id }: { id: string }) => (await balancesOf(me, id)).get('03-20')
    expect(await on20(own)).toBe('170.00')
    expect(await on20(savings)).toBe('618.50')
    expect(await on20(dollars)).toBe('610.00')
    const answer = await ok(listUpcoming, { as: me, query: { accountId: dollars.id } })
    expect(answer).toMatchObject({ unconverted: [byRate.id], currency: 'USD' })
    expect(answer.totals).toEqual([{ currency: 'EUR', in: '0.00', out: '0.00' }])
  })

  it('leaves out what rests', async () => {
    const { me, rent } = await household()
    await ok(updateRecurring, { as: me, id: rent.id, json: { active: false } })
    expect((await listed(me)).filter((one) => one.includes('Rent'))).toEqual([])
  })

  it('is of at most 366 days and 1,000 occurrences', async () => {
    const { me, account } = await household()
    const asked = async (query: Query) => refusal(await call(listUpcoming, { as: me, query }))
    const tooLong = [400, 'recurring.spanTooLong', 'to']
    await ok(listUpcoming, { as: me, query: { to: '2027-03-10' } })
    expect(await asked({ to: '2027-03-11' })).toEqual(tooLong)
    const later = { from: '2027-03-01', to: '2027-03-31' }
    await ok(listUpcoming, { as: me, query: later })
    expect(await asked({ ...later, accountId: account.id })).toEqual(tooLong)
    for (let number = 0; number < 3; number++) {
      await newItem(me, account, { schedule: { unit: 'day', anchor: '2026-03-10' } })
    }
    expect(await asked({ to: '2027-03-10' })).toEqual(tooLong)
    expect(await listed(me, { to: '2026-03-10' })).toHaveLength(3)
  })

  it('is not of accounts that the caller does not see', async () => {
    const { account } = await household()
    const other = await newUser()
    const query = { accountId: account.id }
    expect(refusal(await call(listUpcoming, { as: other, query }))).toEqual([
      404,
      'accounts.notFound',
    ])
    expect(await listed(other)).toEqual([])
  })

  it('is of accounts that others share, without private items', async () => {
    const { me, account } = await household()
    const other = await newUser()
    await share(me, account, other)
    await newItem(me, account, {
      ...{ name: 'Hidden', schedule: monthly('2026-03-28') },
      transaction: { private: true },
    })
    const query = { accountId: account.id }
    expect(await listed(other, query)).not.toContain('2026-03-28 Hidden 50.00 upcoming')
    expect(await listed(me, query)).toContain('2026-03-28 Hidden 50.00 upcoming')
    expect((await balancesOf(other, account.id)).get('03-28')).toBe('3420.00')
    expect((await balancesOf(me, account.id)).get('03-28')).toBe('3370.00')
  })
})
