import { expect, it } from 'vitest'
import {
  getAccountByID,
  getAccountDetails,
  listSharedAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, change } from '../transactions/booking.ts'
import { share } from './sharing.ts'

type Account = { id: string }

async function household() {
  const [owner, friend, other] = [await newUser(), await newUser(), await newUser()]
  const account = await newAccount(owner)
  await share(owner, account, friend, { permission: 'write' })
  await share(owner, account, other, { permission: 'write' })
  return { owner, friend, other, account }
}

/** Number and last date of the bookings, wherever an account is shown. */
async function told(as: TestUser, { id }: Account) {
  const one = await ok(getAccountByID, { as, id })
  const { account: detailed } = await ok(getAccountDetails, { as, id })
  const { accounts } = await ok(listSharedAccounts, { as })
  const shown = [one, detailed, ...accounts.filter((account) => account.id === id)]
  const facts = shown.map(({ transactionCount: count, lastTransactionDate: last }) => [count, last])
  expect(new Set(facts.map(String)).size).toBe(1)
  return facts[0]
}

it('bookings count for those alone who see them, and so do their dates', async () => {
  const { owner, friend, other, account } = await household()
  expect(await told(friend, account)).toEqual([0, null])
  const hidden = await book(owner, account, { date: '2026-11-22', private: true })
  expect(await told(friend, account)).toEqual([0, null])
  expect(await told(owner, account)).toEqual([1, '2026-11-22'])
  await book(owner, account, { date: '2026-11-19' })
  await book(owner, account, { date: '2026-11-23', private: true, status: 'void' })
  expect(await told(friend, account)).toEqual([1, '2026-11-19'])
  await book(friend, account, { date: '2026-11-21', private: true })
  expect(await told(friend, account)).toEqual([2, '2026-11-21'])
  expect(await told(other, account)).toEqual([1, '2026-11-19'])
  expect(await told(owner, account)).toEqual([4, '2026-11-23'])
  await change(owner, hidden, { private: false })
  expect(await told(other, account)).toEqual([2, '2026-11-22'])
  await ok(deleteTransaction, { as: owner, id: hidden.id })
  expect(await told(other, account)).toEqual([1, '2026-11-19'])
})

it('bookings on other accounts of the owner change nothing', async () => {
  const { owner, friend, account } = await household()
  const second = await newAccount(owner)
  await book(owner, second, { private: true })
  await book(owner, account)
  expect(await told(friend, account)).toEqual([1, '2026-11-20'])
})
