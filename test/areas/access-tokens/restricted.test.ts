import { beforeAll, describe, expect, it } from 'vitest'
import {
  createAccount,
  deleteAccount,
  getAccountByID,
  getAccountDetails,
  getHomePage,
  getRegister,
  getUserAccounts,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  getTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from './tokens.ts'

const SCOPES = ['read', 'accounts.write', 'transactions.write', 'transfers.write'] as const
const date = '2026-01-05'

describe('a token that is restricted to one account', () => {
  let me: TestUser
  let token: Principal
  let mine: { id: string }
  let hidden: { id: string }
  let spent: { id: string }
  let secret: { id: string }
  let moved: { id: string }
  const expense = (accountId: string) => ({
    kind: 'expense' as const,
    accountId,
    date,
    amount: '7',
  })

  beforeAll(async () => {
    me = await newUser()
    ;[mine, hidden] = [await newAccount(me), await newAccount(me, { openingBalance: '1000' })]
    spent = await ok(createTransaction, { as: me, json: expense(mine.id) })
    secret = await ok(createTransaction, { as: me, json: expense(hidden.id) })
    const { from } = await ok(createTransfer, {
      as: me,
      json: { fromAccountId: hidden.id, toAccountId: mine.id, date, amount: '50' },
    })
    moved = { id: from.transferId ?? '' }
    token = await giveToken(me, [...SCOPES], [mine.id])
  })

  it('lists that account alone', async () => {
    const { accounts, count } = await ok(getUserAccounts, { as: token })
    expect([accounts.map(({ id }) => id), count]).toEqual([[mine.id], 1])
  })

  it('sums up that account alone on the home page', async () => {
    const { totalsByCurrency, budgetAccounts } = await ok(getHomePage, { as: token })
    expect(budgetAccounts.map(({ id }) => id)).toEqual([mine.id])
    expect(totalsByCurrency.map(({ netWorth }) => netWorth)).toEqual(['43.00'])
  })

  it('sees no history of another account', async () => {
    const records = await ok(getAccountHistory, { as: token })
    expect(new Set(records.map(({ accountId }) => accountId))).toEqual(new Set([mine.id]))
  })

  it('lists the transactions of that account alone', async () => {
    const { transactions, count } = await ok(listTransactions, { as: token })
    expect(new Set(transactions.map(({ accountId }) => accountId))).toEqual(new Set([mine.id]))
    expect(count).toBe(transactions.length)
    expect(transactions.map(({ id }) => id)).toContain(spent.id)
  })

  it('sees no transfer that another account has a part in', async () => {
    expect((await ok(listTransfers, { as: token })).transfers).toEqual([])
    expect((await call(getTransfer, { as: token, id: moved.id })).status).toBe(404)
    expect((await call(getTransfer, { as: me, id: moved.id })).status).toBe(200)
  })

  it('is not told where the other leg of a transfer is', async () => {
    const leg = { as: token, id: `${moved.id.replace('trf_', 'txn_')}-2` }
    const answers = [
      await call(getTransaction, leg),
      await call(updateTransaction, { ...leg, json: { note: 'Mine' } }),
      await call(listTransactions, { as: token }),
      await call(getAccountDetails, { as: token, id: mine.id }),
      await call(getRegister, { as: token, id: mine.id }),
    ]
    expect(answers.map(({ text }) => text.includes(hidden.id))).toEqual(Array(5).fill(false))
    expect(answers.every(({ text }) => text.includes(moved.id))).toBe(true)
    const own = await ok(getTransaction, { ...leg, as: me })
    expect(own.counterAccountId).toBe(hidden.id)
  })

  it('finds, changes and books nothing elsewhere', async () => {
    const on = { as: token, id: hidden.id }
    const answers = [
      await call(getAccountByID, on),
      await call(getAccountDetails, on),
      await call(updateAccount, { ...on, json: { name: 'Taken' } }),
      await call(deleteAccount, on),
      await call(getTransaction, { as: token, id: secret.id }),
      await call(updateTransaction, { as: token, id: secret.id, json: { amount: '1' } }),
      await call(deleteTransaction, { as: token, id: secret.id }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404))
    const booked = await call(createTransaction, { as: token, json: expense(hidden.id) })
    const transferred = await call(createTransfer, {
      as: token,
      json: { fromAccountId: mine.id, toAccountId: hidden.id, date, amount: '1' },
    })
    const same = await call(createTransaction, { as: token, json: expense('acc_nothing') })
    expect([booked.status, transferred.status]).toEqual([same.status, same.status])
    expect([booked.error.code, booked.error.error]).toEqual([same.error.code, same.error.error])
    expect((await ok(getAccountByID, { as: me, id: hidden.id })).balance).toBe('943.00')
  })

  it('books on that account, time and again', async () => {
    for (const amount of ['1', '2', '3']) {
      await ok(createTransaction, { as: token, json: { ...expense(mine.id), amount } })
    }
    expect((await ok(getAccountByID, { as: token, id: mine.id })).balance).toBe('37.00')
  })

  it('is not fooled by what its owner booked on a moment before', async () => {
    await ok(createTransaction, { as: me, json: { ...expense(hidden.id), amount: '0.01' } })
    const { status } = await call(createTransaction, { as: token, json: expense(hidden.id) })
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('opens no account: it could not see it', async () => {
    const { status, error } = await call(createAccount, {
      as: token,
      json: { name: 'New', type: 'cash', currency: 'EUR' },
    })
    expect([status, error.code]).toEqual([403, 'accounts.tokenIsRestricted'])
  })

  it('makes no token, wider or not', async () => {
    const { status } = await call(createAccessToken, {
      as: token,
      json: { name: 'x', scopes: ['read'] },
    })
    expect(status).toBe(403)
  })
})
