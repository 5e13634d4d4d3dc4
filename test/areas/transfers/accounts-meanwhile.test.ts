import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  dismissTransferSuggestion,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import { type Service, serviceWith } from '../../support/service.ts'
import { newAccount } from '../../support/world.ts'
import { book, close, refusal } from '../transactions/booking.ts'
import { newBooks as newAccounts } from './moving.ts'

/** A transfer, and an expense and an income on the same two accounts. */
async function newBooks() {
  const accounts = await newAccounts()
  const { me, from, to, move } = accounts
  const { body: transfer } = await move()
  const expense = await book(me, from, { amount: '50' })
  const income = await book(me, to, { amount: '50', kind: 'income' })
  return { ...accounts, transfer, expense, income }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Asked = (books: Books, call: Service['call']) => ReturnType<Service['call']>

/** They need open accounts. */
const bookings: Record<string, Asked> = {
  'a new transfer': async ({ me, between }, call) => {
    // An account that was not booked on before, as only that has to be read first.
    const { id: fromAccountId } = await newAccount(me)
    return call(createTransfer, { as: me, json: between({ fromAccountId }) })
  },
  'another amount': ({ me, transfer }, call) =>
    call(updateTransfer, { as: me, id: transfer.id, json: { amount: '5' } }),
  'a deletion': ({ me, transfer }, call) => call(deleteTransfer, { as: me, id: transfer.id }),
  'a match': ({ me, expense, income }, call) =>
    call(matchTransfer, {
      as: me,
      json: { fromTransactionId: expense.id, toTransactionId: income.id },
    }),
  'the end of a match': ({ me, transfer }, call) =>
    call(unmatchTransfer, { as: me, id: transfer.id }),
}

const another: Asked = ({ me, transfer }, call) =>
  call(updateTransfer, { as: me, id: transfer.id, json: { note: 'x' } })

const without = ({ me, to }: Books): Service =>
  serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id: to.id }) })

const closing = ({ to }: Books): Service => serviceWith({ meanwhile: () => close(to) })

describe('when an account is deleted meanwhile', () => {
  it.each(Object.entries({ ...bookings, 'another note': another }))(
    '%s is refused as on an unknown account',
    async (name, ask) => {
      const books = await newBooks()
      const answer = await ask(books, without(books).call)
      // A new one has its accounts in its body.
      expect(refusal(answer)).toEqual(
        name === 'a new transfer'
          ? [400, 'transfers.unknownAccount']
          : [404, 'transfers.accountNotFound'],
      )
    },
  )

  it('a dismissed suggestion is refused as of an unknown transaction', async () => {
    const books = await newBooks()
    const { me, expense, income } = books
    const answer = await without(books).call(dismissTransferSuggestion, {
      as: me,
      json: { transactionIds: [expense.id, income.id] },
    })
    expect(refusal(answer)).toEqual([400, 'transfers.unknownTransaction', 'transactionIds'])
  })
})

describe('when an account is closed meanwhile', () => {
  it.each(Object.entries(bookings))('%s is refused', async (_, ask) => {
    const books = await newBooks()
    const answer = await ask(books, closing(books).call)
    expect(refusal(answer)).toEqual([409, 'transfers.accountClosed'])
  })

  it('another note is made', async () => {
    const books = await newBooks()
    expect((await another(books, closing(books).call)).status).toBe(200)
  })
})
