import { expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getExpense, listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  createTransactionLink,
  deleteTransactionLink,
  listTransactionLinks,
} from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { bringBack } from '../trash/trashing.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, tripsOf } from './booking.ts'
import { unmatch } from '../transfers/matched.ts'

interface Thing {
  id: string
}

const refund = (as: Principal, source: Thing, target: Thing, amount?: string) =>
  ok(createTransactionLink, {
    as,
    id: source.id,
    json: { kind: 'refundOf', transactionId: target.id, ...(amount ? { amount } : {}) },
  })

/** What every place that shows a transaction says is left of it; all must agree. */
async function netOf(as: Principal, { id }: Thing): Promise<string | null> {
  const single = await call(getTransaction, { as, id })
  const { accountId } = single.body
  const list = await call(listTransactions, { as, query: { accountId } })
  const register = await call(getRegister, { as, id: accountId })
  const sorted = await call(listTransactions, { as, query: { sort: 'amount' } })
  expect([single, list, register, sorted].map(tripsOf)).toEqual([1, 1, 1, 1])
  const all = [list, register, sorted].map(({ body }) => body.transactions)
  const found = all.map((rows) => rows.find((row) => row.id === id)?.netAmount)
  const nets = new Set([single.body.netAmount, ...found])
  expect([...nets]).toEqual([single.body.netAmount])
  const { summary } = await ok(listTransactionLinks, { as, id })
  expect(single.body.netAmount ?? summary.gross).toBe(summary.net)
  return single.body.netAmount
}

/** A user with an expense of 100.00 and an income of 30.00 that is a refund of it. */
async function refunded() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '500', openingDate: '2026-01-01' })
  const expense = await book(me, account, { amount: '100' })
  const income = await book(me, account, { kind: 'income', amount: '30' })
  const link = await refund(me, income, expense)
  return { me, account, expense, income, link }
}

it('tells net of both sides of a refund, wherever they are shown, and leaves sums gross', async () => {
  const { me, account, expense, income, link } = await refunded()
  const other = await book(me, account, { amount: '1' })
  expect(await netOf(me, expense)).toBe('70.00')
  expect(await netOf(me, income)).toBe('0.00')
  expect(await netOf(me, other)).toBeNull()
  expect(other.netAmount).toBeNull()

  expect((await ok(getExpense, { as: me, id: expense.id })).netAmount).toBe('70.00')
  const listed = await call(listExpenses, { as: me, query: { totals: 'true' } })
  expect(tripsOf(listed)).toBe(1)
  expect(listed.body.expenses.map(({ netAmount }) => netAmount).toSorted()).toEqual(['70.00', null])
  expect(listed.body.totals).toMatchObject([{ currency: 'EUR', outflow: '101.00' }])
  expect(await balanceOf(me, account)).toBe('429.00')

  await ok(deleteTransactionLink, { as: me, path: { id: expense.id, linkId: link.id } })
  expect([await netOf(me, expense), await netOf(me, income)]).toEqual([null, null])
})

it('counts neither what is void nor what is in the trash, until that is back', async () => {
  const { me, expense, income } = await refunded()
  await change(me, income, { status: 'void' })
  expect(await netOf(me, expense)).toBeNull()
  await change(me, income, { status: 'cleared' })
  expect(await netOf(me, expense)).toBe('70.00')
  await ok(deleteTransaction, { as: me, id: income.id })
  expect(await netOf(me, expense)).toBeNull()
  await bringBack(me, 'transaction', income.id)
  expect(await netOf(me, expense)).toBe('70.00')
})

it('takes off what is covered in the currency of the row, and nothing for other links', async () => {
  const { me, expense } = await refunded()
  const abroad = await newAccount(me, { currency: 'JPY' })
  const yen = await book(me, abroad, { kind: 'income', amount: '5000' })
  await refund(me, yen, expense, '31.50')
  expect([await netOf(me, expense), await netOf(me, yen)]).toEqual(['38.50', null])
  const part = await book(me, abroad, { amount: '7' })
  const json = { kind: 'partOf' as const, transactionId: yen.id }
  await ok(createTransactionLink, { as: me, id: part.id, json })
  expect([await netOf(me, part), await netOf(me, yen)]).toEqual([null, null])
})

it('is answered right by what a link goes over with: merging duplicates, and unmatching', async () => {
  const { me, account, expense, income } = await refunded()
  const twin = await book(me, account, { amount: '100' })
  const second = await book(me, account, { kind: 'income', amount: '25' })
  await refund(me, second, twin)
  const json = { keepId: twin.id, dropId: expense.id }
  const merged = await ok(mergeDuplicate, { as: me, json })
  expect([merged.netAmount, await netOf(me, twin)]).toEqual(['45.00', '45.00'])

  const other = await newAccount(me)
  const arrived = await book(me, other, { kind: 'income', amount: '100' })
  const match = { fromTransactionId: twin.id, toTransactionId: arrived.id }
  const transfer = await ok(matchTransfer, { as: me, json: match })
  expect([transfer.from.netAmount, transfer.to.netAmount]).toEqual([null, null])
  expect(await netOf(me, income)).toBeNull()
  const { from, to } = await unmatch(me, transfer)
  expect([from.netAmount, to.netAmount]).toEqual(['45.00', null])
  expect(await netOf(me, twin)).toBe('45.00')
})

it('says nothing of a refund that somebody does not see', async () => {
  const { me, account, expense, income } = await refunded()
  const secret = await newAccount(me)
  const hidden = await book(me, secret, { kind: 'income', amount: '20' })
  await refund(me, hidden, expense)
  expect(await netOf(me, expense)).toBe('50.00')
  const friend = await newUser()
  await share(me, account, friend)
  expect(await netOf(friend, expense)).toBe('70.00')
  const scopes = ['accounts.read' as const, 'transactions.read' as const]
  const json = { name: 'x', scopes, accountIds: [account.id] }
  const { token } = await ok(createAccessToken, { as: me, json })
  expect(await netOf({ accessToken: token }, expense)).toBe('70.00')
  await change(me, income, { private: true })
  expect(await netOf(friend, expense)).toBeNull()
  expect(await netOf(me, expense)).toBe('50.00')
})
