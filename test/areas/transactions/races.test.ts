import { expect, it } from 'vitest'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, change, expenseOn } from './booking.ts'

const times = <Result>(count: number, run: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at)))

it('books 100 transactions at the same moment on one account, to the cent', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '1000' })
  const answers = await times(100, (at) =>
    call(createTransaction, {
      as: me,
      json: expenseOn(account, { kind: at % 2 ? 'income' : 'expense', amount: `${at + 1}.01` }),
    }),
  )
  expect(answers.filter(({ status }) => status !== 201)).toEqual([])
  // Incomes are one euro more than the expense before them, fifty times.
  expect(await balanceOf(me, account)).toBe('1050.00')
  expect((await ok(listTransactions, { as: me })).count).toBe(101)
  expect(await differencesOf(me)).toEqual([])
})

it('keeps every projection exact through 100 mixed writes at the same moment', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const ids = (await times(20, (at) => book(me, one, { amount: `${at + 1}` }))).map(({ id }) => id)
  const transfer = await ok(createTransfer, {
    as: me,
    json: {
      fromAccountId: one.id,
      toAccountId: two.id,
      date: '2026-11-20',
      amount: '10',
      rate: '160',
    },
  })
  const pick = (at: number) => ids[(at * 7) % ids.length] ?? ''
  const writes: ((at: number) => Promise<{ status: number }>)[] = [
    (at: number) =>
      call(createTransaction, { as: me, json: expenseOn(one, { amount: `${at + 1}` }) }),
    (at: number) => change(me, { id: pick(at) }, { amount: `${at + 1}` }),
    (at: number) => change(me, { id: pick(at) }, { accountId: two.id, amount: `${at + 1}` }),
    (at: number) => change(me, { id: pick(at) }, { status: at % 2 ? 'void' : 'cleared' }),
    (at: number) => call(deleteTransaction, { as: me, id: pick(at) }),
    (at: number) =>
      call(updateTransfer, { as: me, id: transfer.id, json: { amount: `${at + 1}`, force: true } }),
    (at: number) =>
      change(me, transfer.to, { status: at % 2 ? 'cleared' : 'reconciled', force: true }),
    (at: number) => change(me, { id: pick(at) }, { date: `2025-0${(at % 9) + 1}-01` }),
  ]
  const answers = await times(100, (at) => {
    const write = writes[at % writes.length]
    return write ? write(at) : Promise.reject(new Error('no such write'))
  })
  // Whoever was overtaken is told so; nothing else may happen.
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([])
  expect(statuses).toContain(200)
  expect(await differencesOf(me)).toEqual([])
  const { transactions } = await ok(listTransactions, {
    as: me,
    query: { accountId: one.id, limit: 200 },
  })
  const cents = transactions
    .filter(({ status }) => status !== 'void')
    .reduce((sum, { signedAmount }) => sum + Math.round(Number(signedAmount) * 100), 0)
  expect(Math.round(Number(await balanceOf(me, one)) * 100)).toBe(cents)
})
