import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  dismissDuplicate,
  mergeDuplicate,
} from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteTransactionLink,
  createTransactionLink,
} from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { type Service, serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, close, expenseOn, newCategory, refusal } from './booking.ts'

/** Two expenses and an income of the same account, of which the income refunds the second. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const [one, two] = [await book(me, account), await book(me, account)]
  const income = await book(me, account, { kind: 'income' })
  const json = { kind: 'refundOf' as const, transactionId: two.id, amount: '5' }
  const link = await ok(createTransactionLink, { as: me, id: income.id, json })
  return { me, account, one, two, income, link }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Asked = (books: Books, call: Service['call']) => ReturnType<Service['call']>

/** They need an open account. */
const bookings: Record<string, Asked> = {
  'a new transaction': ({ me, account }, call) =>
    // A text that was not booked before, as only that has to be read first.
    call(createTransaction, { as: me, json: expenseOn(account, { payeeRaw: 'SHOP 7' }) }),
  'another amount': ({ me, one }, call) =>
    call(updateTransaction, { as: me, id: one.id, json: { amount: '5' } }),
  'a deletion': ({ me, one }, call) => call(deleteTransaction, { as: me, id: one.id }),
  'many new ones': ({ me, account }, call) =>
    call(createTransactions, { as: me, json: { transactions: [expenseOn(account)] } }),
  'other dates of many': ({ me, one }, call) =>
    call(updateTransactions, {
      as: me,
      json: { ids: [one.id], changes: { date: '2026-11-21' } },
    }),
  'another category of many': async ({ me, one }, call) => {
    const { id: categoryId } = await newCategory(me)
    return call(updateTransactions, { as: me, json: { ids: [one.id], changes: { categoryId } } })
  },
  'another status of many': ({ me, one }, call) =>
    call(updateTransactions, { as: me, json: { ids: [one.id], changes: { status: 'cleared' } } }),
  'a deletion of many': ({ me, one }, call) =>
    call(deleteTransactions, { as: me, json: { ids: [one.id] } }),
  'a merge of duplicates': ({ me, one, two }, call) =>
    call(mergeDuplicate, { as: me, json: { keepId: two.id, dropId: one.id } }),
}

/** They are allowed on a closed account, too. */
const annotations: Record<string, Asked> = {
  'another note': ({ me, one }, call) =>
    call(updateTransaction, { as: me, id: one.id, json: { note: 'x' } }),
  'other notes of many': ({ me, one }, call) =>
    call(updateTransactions, { as: me, json: { ids: [one.id], changes: { note: 'x' } } }),
}

/** Their answer is about the transaction. */
const pairings: Record<string, Asked> = {
  'a link': ({ me, one, income }, call) =>
    call(createTransactionLink, {
      as: me,
      id: income.id,
      json: { kind: 'refundOf', transactionId: one.id, amount: '1' },
    }),
  'the end of a link': ({ me, income, link }, call) =>
    call(deleteTransactionLink, { as: me, path: { id: income.id, linkId: link.id } }),
  'a dismissed duplicate': ({ me, one, two }, call) =>
    call(dismissDuplicate, { as: me, json: { transactionIds: [one.id, two.id] } }),
}

const without = ({ me, account }: Books): Service =>
  serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id: account.id }) })

/** What names by its body that which is gone. */
const inBodies: Record<string, unknown[]> = {
  'a new transaction': [400, 'transactions.unknownAccount', 'accountId'],
  'many new ones': [400, 'transactions.unknownAccount', 'transactions'],
  'a dismissed duplicate': [400, 'transactions.unknownTransaction', 'transactionIds'],
}

describe('when the account is deleted meanwhile', () => {
  it.each(Object.entries({ ...bookings, ...annotations }))(
    '%s is refused as on an unknown account',
    async (name, ask) => {
      const books = await newBooks()
      const answer = await ask(books, without(books).call)
      expect(refusal(answer)).toEqual(inBodies[name] ?? [404, 'transactions.accountNotFound'])
    },
  )

  it.each(Object.entries(pairings))(
    '%s is refused as of an unknown transaction',
    async (name, ask) => {
      const books = await newBooks()
      const answer = await ask(books, without(books).call)
      expect(refusal(answer)).toEqual(inBodies[name] ?? [404, 'transactions.notFound'])
    },
  )
})

describe('when the account is closed meanwhile', () => {
  it.each(Object.entries(bookings))('%s is refused', async (_, ask) => {
    const books = await newBooks()
    const answer = await ask(books, serviceWith({ meanwhile: () => close(books.account) }).call)
    expect(refusal(answer)).toEqual([409, 'transactions.accountClosed'])
  })

  it.each(Object.entries(annotations))('%s is made', async (_, ask) => {
    const books = await newBooks()
    const answer = await ask(books, serviceWith({ meanwhile: () => close(books.account) }).call)
    expect(answer.status).toBe(200)
  })
})
