import { expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountBalance,
  getAccountByID,
  closeAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  adjustBalance,
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'

const date = '2026-02-10'

it('books the difference on the day, and leaves what is newer as it is', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const expense = { kind: 'expense' as const, accountId: id, amount: '30' }
  await ok(createTransaction, { as: me, json: { ...expense, date: '2026-03-01' } })
  const adjusted = await ok(adjustBalance, {
    as: me,
    id,
    json: { balance: '87.50', date, description: 'Counted' },
  })
  expect(adjusted).toMatchObject({ accountId: id, date, balance: '87.50', change: '-12.50' })
  expect(adjusted.transaction).toMatchObject({
    kind: 'adjustment',
    signedAmount: '-12.50',
    status: 'cleared',
    description: 'Counted',
  })
  const transaction = adjusted.transaction?.id ?? ''
  expect(await ok(getTransaction, { as: me, id: transaction })).toEqual(adjusted.transaction)
  expect((await ok(getAccountBalance, { as: me, id, query: { date } })).balance).toBe('87.50')
  expect((await ok(getAccountByID, { as: me, id })).balance).toBe('57.50')
  const [record] = await ok(getAccountHistory, { as: me })
  expect(record).toMatchObject({ type: 'balanceAdjusted', date, transactionId: transaction })
  expect(await differencesOf(me)).toEqual([])
})

it('books nothing when nothing differs', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { openingBalance: '-5', openingDate: '2026-01-01' })
  const answer = await ok(adjustBalance, { as: me, id, json: { balance: '-5', date } })
  expect(answer).toEqual({
    accountId: id,
    date,
    balance: '-5.00',
    change: '0.00',
    transaction: null,
  })
  expect((await ok(listTransactions, { as: me })).count).toBe(1)
})

it('refuses when something was booked meanwhile, and books once for a repeated request', async () => {
  const me = await newUser()
  const { id } = await newAccount(me)
  const json = { balance: '10', date }
  const income = { kind: 'income' as const, accountId: id, date, amount: '1' }
  const service = serviceWith({ meanwhile: () => ok(createTransaction, { as: me, json: income }) })
  const { status } = await service.call(adjustBalance, { as: me, id, json })
  expect(status).toBe(409)
  const asked = { as: me, id, json, headers: { 'Idempotency-Key': 'once' } }
  const [first, second] = [await call(adjustBalance, asked), await call(adjustBalance, asked)]
  expect(first.body.change).toBe('9.00')
  expect(second.body).toEqual(first.body)
  expect((await ok(getAccountByID, { as: me, id })).balance).toBe('10.00')
})

it.each(['0', '10'])(
  'refuses a balance of %s when the account is deleted meanwhile',
  async (balance) => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const service = serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id }) })
    const answer = await service.call(adjustBalance, {
      as: me,
      id,
      json: { balance, date },
    })
    expect([answer.status, answer.error.code]).toEqual([404, 'transactions.accountNotFound'])
  },
)

it('refuses a closed account, a foreign one, a wrong amount and a wrong day', async () => {
  const [me, stranger] = [await newUser(), await newUser()]
  const [shut, foreign] = [await newAccount(me), await newAccount(stranger)]
  await ok(closeAccount, { as: me, id: shut.id, json: {} })
  const ask = (id: string, json: { balance: string; date: string }) =>
    call(adjustBalance, { as: me, id, json })
  const answers = [
    await ask(shut.id, { balance: '1', date }),
    await ask(foreign.id, { balance: '1', date }),
    await ask(shut.id, { balance: '1.234', date }),
    await ask(shut.id, { balance: '1', date: '2026-02-30' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([409, 404, 400, 400])
})
