import { expect, it } from 'vitest'
import {
  getAccountByID,
  getAccountDetails,
  getBalanceHistory,
  getHomePage,
  getRegister,
  getUserAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { getNetWorth } from '../../../src/areas/insight/reports/reports.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer, getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newCategory, refusal } from '../transactions/booking.ts'

/** For one currency: what it opens with, what is spent and moved, and what is left, to its last digit. */
interface Case {
  currency: string
  opening: string
  spent: [whole: string, part: string, rest: string]
  afterSpending: string
  moved: string
  left: string
  /** Worth in euro of what is left, at 8 units for one euro. */
  worth: string
  /** One digit more than the currency has. */
  tooFine: string
}

const CASES: Case[] = [
  {
    currency: 'JPY',
    opening: '123456789',
    spent: ['1001', '1000', '1'],
    afterSpending: '123455788',
    moved: '800',
    left: '123454988',
    worth: '15431873.50',
    tooFine: '1.0',
  },
  {
    currency: 'KRW',
    opening: '1000000',
    spent: ['4900', '4899', '1'],
    afterSpending: '995100',
    moved: '800',
    left: '994300',
    worth: '124287.50',
    tooFine: '0.5',
  },
  {
    currency: 'KWD',
    opening: '1000.125',
    spent: ['0.007', '0.006', '0.001'],
    afterSpending: '1000.118',
    moved: '800.000',
    left: '200.118',
    // 25.01475: the fifth digit is no tie.
    worth: '25.01',
    tooFine: '0.0001',
  },
  {
    currency: 'CLF',
    opening: '1000.0003',
    spent: ['0.1234', '0.1233', '0.0001'],
    afterSpending: '999.8769',
    moved: '800.0000',
    left: '199.8769',
    worth: '24.98',
    tooFine: '0.00001',
  },
]

it.each(CASES)(
  'keeps every digit of $currency from creation to net worth',
  async ({ currency, opening, spent, afterSpending, moved, left, worth, tooFine }) => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const rate = { from: 'EUR', to: currency, date: '2026-01-01', rate: '8' }
    await ok(createExchangeRate, { as: me, json: rate })
    const opened = { openingBalance: opening, openingDate: '2026-01-01' }
    const account = await newAccount(me, { currency, ...opened })
    const euro = await newAccount(me)
    expect([account.balance, account.openingBalance]).toEqual([opening, opening])

    const category = await newCategory(me)
    const [whole, part, rest] = spent
    const splits = [part, rest].map((amount) => ({ amount, categoryId: category.id }))
    const expense = { kind: 'expense', accountId: account.id, date: '2026-01-02' } as const
    const booked = await ok(createTransaction, {
      as: me,
      json: { ...expense, amount: whole, splits },
    })
    expect([booked.amount, booked.signedAmount, booked.currency]).toEqual([
      whole,
      `-${whole}`,
      currency,
    ])
    expect(booked.splits.map(({ amount }) => amount)).toEqual([part, rest])
    expect(await ok(getTransaction, { as: me, id: booked.id })).toEqual(booked)
    const refused = await call(createTransaction, { as: me, json: { ...expense, amount: tooFine } })
    expect(refusal(refused)).toEqual([400, 'money.tooManyDigits', 'amount'])

    const ends = { fromAccountId: account.id, toAccountId: euro.id, date: '2026-01-03' }
    const transfer = await ok(createTransfer, {
      as: me,
      json: { ...ends, amount: moved, toAmount: '100' },
    })
    expect([transfer.amount, transfer.toAmount]).toEqual([moved, '100.00'])
    expect(await ok(getTransfer, { as: me, id: transfer.id })).toEqual(transfer)

    const query = { accountId: account.id }
    const listed = await ok(listTransactions, { as: me, query: { ...query, totals: 'true' } })
    const signed = [`-${moved}`, `-${whole}`, opening]
    expect(listed.transactions.map(({ signedAmount }) => signedAmount)).toEqual(signed)
    const register = await ok(getRegister, { as: me, id: account.id })
    const running = [left, afterSpending, opening]
    expect(register.transactions.map(({ runningBalance }) => runningBalance)).toEqual(running)
    const { summary } = await ok(getAccountDetails, { as: me, id: account.id })
    expect([summary.inflow, summary.net]).toEqual([opening, left])
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(left)
    const { accounts } = await ok(getUserAccounts, { as: me })
    expect(accounts.find(({ id }) => id === account.id)?.balance).toBe(left)

    const months = { fromMonth: '2026-01', toMonth: '2026-01' }
    const { categories } = await ok(listCategories, { as: me, query: months })
    expect(categories.flatMap(({ sums }) => sums ?? [])).toMatchObject([
      { currency, amount: whole },
    ])
    const page = await ok(getHomePage, { as: me, query: { currency: 'EUR' } })
    expect(page.totalsByCurrency).toMatchObject(
      [
        { currency: 'EUR', netWorth: '100.00' },
        { currency, netWorth: left },
      ].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    )
    const net = await ok(getNetWorth, { as: me, query: { date: '2026-01-31' } })
    const valued = net.accounts.find(({ accountId }) => accountId === account.id)
    expect([valued?.balance, valued?.converted?.amount]).toEqual([left, worth])
    const back = { date: '2026-01-31', currency }
    const inIt = await ok(getNetWorth, { as: me, query: back })
    expect(inIt.accounts.map(({ converted }) => converted?.amount)).toContain(left)
    const span = { from: '2026-01-01', to: '2026-01-31', currency: 'EUR' }
    const { points } = await ok(getBalanceHistory, { as: me, id: account.id, query: span })
    expect(points.map(({ balance, converted }) => [balance, converted?.amount])).toEqual([
      [left, worth],
    ])
  },
)
