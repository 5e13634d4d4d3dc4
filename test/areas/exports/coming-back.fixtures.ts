import { expect } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, uploaded } from '../imports/importing.ts'
import { exported } from './exports.fixtures.ts'

/** Somebody with two accounts and nothing on them. */
export async function newPair() {
  const me = await newUser()
  const [alpha, beta] = [
    await newAccount(me, { name: 'Alpha' }),
    await newAccount(me, { name: 'Beta' }),
  ]
  const yen = await newAccount(me, { name: 'Yen', currency: 'JPY' })
  const fees = await ok(createCategory, { as: me, json: { name: 'Fees', kind: 'expense' } })
  const book = (json: object) =>
    ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: alpha.id, date: '2026-03-25', amount: '3.00' },
        ...json,
      },
    })
  const move = (json: object) =>
    ok(createTransfer, {
      as: me,
      json: {
        ...{ fromAccountId: alpha.id, toAccountId: beta.id, date: '2026-03-24', amount: '9.00' },
        ...json,
      },
    })
  return { me, alpha, beta, yen, fees, book, move }
}

export const balancesOf = async (as: Principal) =>
  (await ok(getUserAccounts, { as })).accounts
    .map(({ name, balance }) => `${name} ${balance}`)
    .toSorted()

export const transactionsOf = async (as: Principal) =>
  (await ok(listTransactions, { as })).transactions
    .map(({ kind, signedAmount, status, externalId }) => ({
      ...{ kind, signedAmount, status },
      externalId: externalId?.startsWith('coffer:') ? 'coffer' : externalId,
    }))
    .toSorted((a, b) => Number(a.signedAmount) - Number(b.signedAmount))

/** An export comes back with status, ids of banks, transfers and what they cost. */
export async function comeBack(format: 'csv' | 'csvExcel' | 'json' | 'ndjson'): Promise<void> {
  const { me, yen, fees, book, move } = await newPair()
  await book({ status: 'pending', externalId: 'BANK-1' })
  await book({ amount: '4.00', status: 'cleared', externalId: 'BANK-2' })
  await book({ amount: '5.00', status: 'reconciled' })
  await book({ amount: '6.00', status: 'void' })
  await move({ fees: [{ amount: '0.50', categoryId: fees.id }], status: 'pending' })
  await move({
    ...{ toAccountId: yen.id, amount: '20.00', toAmount: '3000', status: 'cleared' },
    fees: [{ amount: '1.00', categoryId: fees.id }],
  })
  const text = await exported(me, { format })

  const { me: other } = await newPair()
  const found = await uploaded(other, text)
  expect(found.questions).toEqual([])
  expect(found.state).toBe('previewed')
  await committed(other, found.id, { transfers: 'match' })

  expect(await balancesOf(other)).toEqual(await balancesOf(me))
  expect(await transactionsOf(other)).toEqual([
    { kind: 'transfer', signedAmount: '-20.00', status: 'cleared', externalId: 'coffer' },
    { kind: 'transfer', signedAmount: '-9.00', status: 'pending', externalId: 'coffer' },
    { kind: 'expense', signedAmount: '-5.00', status: 'cleared', externalId: 'coffer' },
    { kind: 'expense', signedAmount: '-4.00', status: 'cleared', externalId: 'BANK-2' },
    { kind: 'expense', signedAmount: '-3.00', status: 'pending', externalId: 'BANK-1' },
    { kind: 'transfer', signedAmount: '8.50', status: 'pending', externalId: 'coffer' },
    { kind: 'transfer', signedAmount: '3000', status: 'cleared', externalId: 'coffer' },
  ])
  const { transfers } = await ok(listTransfers, { as: other })
  const costs = transfers.map(({ fees: all }) => all.map(({ amount }) => amount))
  const isTable = format.startsWith('csv')
  expect(costs.toSorted()).toEqual([isTable ? ['1.00'] : [], ['0.50']].toSorted())
  // Lists do not tell what fees were for.
  const categories = transfers.flatMap(({ fees: all }) => all.map(({ categoryId }) => categoryId))
  expect(categories.every((id) => (id === null) !== isTable)).toBe(true)

  const again = await uploaded(other, text)
  expect(again.counts).toMatchObject({ new: 0, transfer: 0 })
}
