import { expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getProfile,
  getStatistics,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'

const NOTHING = {
  accounts: 0,
  transactions: 0,
  transfers: 0,
  firstTransactionDate: null,
  lastTransactionDate: null,
  categories: 0,
  exchangeRates: 0,
  sessions: 1,
  accessTokens: 0,
  identities: 0,
  inviteCodes: 0,
}

/** Two accounts, an opening balance, a transaction, a transfer, a category and a rate. */
async function fill(as: Principal) {
  const [one, two] = [
    await newAccount(as, { openingBalance: '10', openingDate: '2026-01-02' }),
    await newAccount(as),
  ]
  const category = await ok(createCategory, { as, json: { name: 'Food', kind: 'expense' } })
  const expense = {
    kind: 'expense',
    accountId: one.id,
    amount: '1',
    categoryId: category.id,
  } as const
  const first = await ok(createTransaction, { as, json: { ...expense, date: '2026-02-01' } })
  const move = { fromAccountId: one.id, toAccountId: two.id, amount: '2', date: '2026-03-04' }
  await ok(createTransfer, { as, json: move })
  await ok(createExchangeRate, {
    as,
    json: { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' },
  })
  return { one, two, first }
}

it('counts what the user has, in one trip', async () => {
  const me = await newUser()
  const { createdAt } = await ok(getProfile, { as: me })
  expect(await ok(getStatistics, { as: me })).toEqual({ ...NOTHING, memberSince: createdAt })
  await fill(me)
  const { body, headers } = await call(getStatistics, { as: me })
  expect(body).toEqual({
    ...NOTHING,
    memberSince: createdAt,
    accounts: 2,
    transactions: 2,
    transfers: 1,
    firstTransactionDate: '2026-01-02',
    lastTransactionDate: '2026-03-04',
    categories: 1,
    exchangeRates: 1,
  })
  expect(headers.get('Server-Timing')).toContain('1 trips')
})

it('counts nothing of anybody else, and nothing that is in the trash', async () => {
  const [me, other] = [await newUser(), await newUser()]
  await fill(other)
  expect(await ok(getStatistics, { as: me })).toMatchObject(NOTHING)
  const { two, first } = await fill(me)
  await ok(deleteTransaction, { as: me, id: first.id })
  await ok(deleteAccount, { as: me, id: two.id })
  expect(await ok(getStatistics, { as: me })).toMatchObject({
    accounts: 1,
    transactions: 1,
    transfers: 1,
  })
})

it('tells an access token only what is on the accounts that it is restricted to', async () => {
  const me = await newUser()
  const { two } = await fill(me)
  const { token } = await ok(createAccessToken, {
    as: me,
    json: { name: 'Sheet', scopes: ['read'], accountIds: [two.id] },
  })
  expect(await ok(getStatistics, { as: { accessToken: token } })).toMatchObject({
    accounts: 1,
    transactions: 0,
    transfers: 1,
    firstTransactionDate: '2026-03-04',
  })
})
