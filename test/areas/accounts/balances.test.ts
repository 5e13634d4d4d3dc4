import { describe, expect, it } from 'vitest'
import {
  getAccountBalance,
  getAccountByID,
  getAccountDetails,
  getBalanceHistory,
  getRegister,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { balancesAt, pointsOf } from '../../../src/areas/money/accounts/accounts.rules.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { addDays, type CalendarDate } from '../../../src/domain/calendar.ts'
import { REPORT_INTERVALS, type ReportInterval } from '../../../src/domain/reports/intervals.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { randomFrom } from '../../support/random.ts'

const FIRST: CalendarDate = '2025-11-20'

async function newBooks(as: Principal) {
  const { id } = await newAccount(as, { openingBalance: '100', openingDate: FIRST })
  const book = (date: string, amount: string, status: 'cleared' | 'uncleared' | 'void') =>
    ok(createTransaction, {
      as,
      json: { kind: 'expense', accountId: id, date, amount, status },
    })
  await book('2025-12-31', '10', 'cleared')
  await book('2026-01-01', '20', 'uncleared')
  await book('2026-01-31', '5', 'void')
  await book('2026-03-15', '1.25', 'cleared')
  return id
}

describe('the balance at the end of a day', () => {
  it.each([
    ['2025-11-19', '0.00', '0.00'],
    ['2025-11-20', '100.00', '100.00'],
    ['2025-12-30', '100.00', '100.00'],
    ['2025-12-31', '90.00', '90.00'],
    ['2026-01-01', '70.00', '90.00'],
    ['2026-02-28', '70.00', '90.00'],
    ['2026-03-15', '68.75', '88.75'],
    ['2099-12-31', '68.75', '88.75'],
  ])('of %s is %s, of which cleared %s', async (date, balance, clearedBalance) => {
    const me = await newUser()
    const id = await newBooks(me)
    const { body, headers } = await call(getAccountBalance, { as: me, id, query: { date } })
    expect(body).toEqual({
      accountId: id,
      date,
      currency: 'EUR',
      balance,
      clearedBalance,
      reconciledBalance: '0.00',
    })
    expect(headers.get('Server-Timing')).toContain('1 trips')
  })

  it('needs a day that is one, and an account that the caller sees', async () => {
    const me = await newUser()
    const { id } = await newAccount(await newUser())
    const answers = [
      await call(getAccountBalance, { as: me, id, query: { date: '2026-02-29' } }),
      await call(getAccountBalance, { as: me, id }),
      await call(getAccountBalance, { as: me, id, query: { date: FIRST } }),
      await call(getBalanceHistory, { as: me, id, query: { from: FIRST, to: FIRST } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404])
  })
})

describe('the history of balances', () => {
  it('has a point at the end of each month, gaps carried on, and at the last day', async () => {
    const me = await newUser()
    const id = await newBooks(me)
    const query = { from: '2025-12-05', to: '2026-03-14' }
    const { body, headers } = await call(getBalanceHistory, { as: me, id, query })
    expect(body).toEqual({
      accountId: id,
      currency: 'EUR',
      interval: 'month',
      points: [
        { date: '2025-12-31', balance: '90.00', converted: null },
        { date: '2026-01-31', balance: '70.00', converted: null },
        { date: '2026-02-28', balance: '70.00', converted: null },
        { date: '2026-03-14', balance: '70.00', converted: null },
      ],
      count: 4,
      unconverted: [],
    })
    expect(headers.get('Server-Timing')).toContain('1 trips')
  })

  it('refuses a span that ends before it begins, and more than a thousand points', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const ask = (query: Record<string, string>) => call(getBalanceHistory, { as: me, id, query })
    const answers = [
      await ask({ from: '2026-01-02', to: '2026-01-01' }),
      await ask({ from: '2020-01-01', to: '2026-01-01', interval: 'day' }),
      await ask({ from: '2020-01-01', to: '2026-01-01', interval: 'decade' }),
    ]
    expect(answers.map(({ status, error }) => [status, error.field])).toEqual([
      [400, 'to'],
      [400, 'interval'],
      [400, 'interval'],
    ])
    expect((await ask({ from: '2024-01-01', to: '2026-09-26', interval: 'day' })).body.count).toBe(
      1000,
    )
  })

  it.each(REPORT_INTERVALS)(
    'by %s agrees with the balance of each of its days',
    async (interval) => {
      const { whole, pick } = randomFrom(SEED)
      const me = await newUser()
      const { id } = await newAccount(me)
      for (let round = 0; round < 12; round++) {
        await ok(createTransaction, {
          as: me,
          json: {
            kind: pick(['expense', 'income'] as const),
            accountId: id,
            date: addDays(FIRST, whole(0, 120)),
            amount: String(whole(1, 500)),
          },
        })
      }
      const query = { from: addDays(FIRST, 7), to: addDays(FIRST, 100), interval }
      const { points } = await ok(getBalanceHistory, { as: me, id, query })
      for (const { date, balance } of points) {
        const at = await ok(getAccountBalance, { as: me, id, query: { date } })
        expect(balance, `seed ${SEED}, ${date}`).toBe(at.balance)
      }
      const last = await ok(getAccountBalance, { as: me, id, query: { date: '2099-12-31' } })
      expect(last.balance).toBe((await ok(getAccountByID, { as: me, id })).balance)
    },
  )
})

describe('the points of a span', () => {
  it.each<[ReportInterval, string[]]>([
    ['day', ['2026-03-30', '2026-03-31', '2026-04-01']],
    ['week', ['2026-04-01']],
    ['month', ['2026-03-31', '2026-04-01']],
    ['quarter', ['2026-03-31', '2026-04-01']],
    ['year', ['2026-04-01']],
  ])('by %s end where their intervals do, the last at the end of the span', (interval, points) => {
    expect(pointsOf({ from: '2026-03-30', to: '2026-04-01', interval }, 10)).toEqual(points)
  })

  it('of weeks are Sundays', () => {
    const span = { from: '2026-11-18', to: '2026-12-04', interval: 'week' } as const
    expect(pointsOf(span, 10)).toEqual(['2026-11-22', '2026-11-29', '2026-12-04'])
  })

  it('carry the balance over what did not move', () => {
    const moved = [
      { period: '2026-01', minor: 5n },
      { period: '2026-03-02', minor: -2n },
    ]
    expect(
      balancesAt(['2026-01-31', '2026-02-28', '2026-03-01', '2026-03-02'], 1n, moved).map(
        ({ minor }) => minor,
      ),
    ).toEqual([6n, 6n, 6n, 4n])
  })
})

describe('the register', () => {
  it('is what the details of the account show, page by page', async () => {
    const me = await newUser()
    const id = await newBooks(me)
    const details = await ok(getAccountDetails, { as: me, id })
    const whole = await ok(getRegister, { as: me, id })
    expect(whole.transactions).toEqual(details.transactions)
    expect([whole.count, whole.nextCursor]).toEqual([5, null])
    const first = await ok(getRegister, { as: me, id, query: { limit: 3 } })
    const cursor = first.nextCursor ?? ''
    const second = await ok(getRegister, { as: me, id, query: { limit: 3, cursor } })
    expect([...first.transactions, ...second.transactions]).toEqual(whole.transactions)
  })

  it('is 404 for another user', async () => {
    const { id } = await newAccount(await newUser())
    expect((await call(getRegister, { as: await newUser(), id })).status).toBe(404)
  })
})
