import { expect, it } from 'vitest'
import {
  getAccountDetails,
  getHomePage,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'

const MOST = '90071992547409.91'

it('refuses a change of the opening balance that no history could tell', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { openingBalance: `-${MOST}` })
  const { status, error } = await call(updateAccount, {
    as: me,
    id,
    json: { openingBalance: MOST },
  })
  expect([status, error.code]).toEqual([400, 'money.outOfRange'])
  expect(await ok(getAccountHistory, { as: me })).toHaveLength(1)
})

it('shows totals and running balances that no single amount could have', async () => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me)
  const book = (kind: 'income' | 'expense', date: string) =>
    call(createTransaction, { as: me, json: { kind, accountId, date, amount: MOST } })
  const statuses = [
    await book('income', '2026-01-02'),
    await book('expense', '2026-01-05'),
    await book('income', '2026-01-03'),
    await book('income', '2026-01-04'),
  ].map(({ status }) => status)
  expect(statuses).toEqual([201, 201, 201, 409])

  const { summary, transactions } = await ok(getAccountDetails, { as: me, id: accountId })
  expect(summary).toMatchObject({ inflow: '180143985094819.82', outflow: MOST, net: MOST })
  expect(transactions.map(({ runningBalance }) => runningBalance)).toEqual([
    MOST,
    '180143985094819.82',
    MOST,
  ])

  await newAccount(me, { openingBalance: MOST })
  await ok(createExchangeRate, {
    as: me,
    json: { from: 'EUR', to: 'JPY', date: '2026-01-01', rate: '160' },
  })
  const home = await ok(getHomePage, { as: me, query: { currency: 'JPY' } })
  expect(home.totalsByCurrency[0]?.netWorth).toBe('180143985094819.82')
  expect(home.totals?.netWorth).toBe('28823037615171172')
})
