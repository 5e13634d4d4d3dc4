import { expect, it } from 'vitest'
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
import { setImportMapping } from '../../../src/areas/exchange/imports/imports.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, uploaded } from '../imports/importing.ts'
import { exported } from './exports.fixtures.ts'

/** Somebody with two accounts and nothing on them. */
async function newPair() {
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

const balancesOf = async (as: Principal) =>
  (await ok(getUserAccounts, { as })).accounts
    .map(({ name, balance }) => `${name} ${balance}`)
    .toSorted()

const transactionsOf = async (as: Principal) =>
  (await ok(listTransactions, { as })).transactions
    .map(({ kind, signedAmount, status, externalId }) => ({
      ...{ kind, signedAmount, status },
      externalId: externalId?.startsWith('coffer:') ? 'coffer' : externalId,
    }))
    .toSorted((a, b) => Number(a.signedAmount) - Number(b.signedAmount))

const OWN = ['csv', 'csvExcel', 'json', 'ndjson'] as const

it.each(OWN)(
  '%s comes back with status, ids of banks, transfers and what they cost',
  async (format) => {
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
  },
)

it('an export leaves out what is pending where the request says so', async () => {
  const { me, book } = await newPair()
  await book({ status: 'pending' })
  await book({})
  const { me: other } = await newPair()
  const { id, counts } = await uploaded(other, await exported(me, { format: 'csv' }))
  expect(counts).toMatchObject({ new: 2, ignored: 0 })
  const without = await ok(setImportMapping, { as: other, id, json: { pending: 'skip' } })
  expect(without.counts).toMatchObject({ new: 1, ignored: 1 })
})

it('csv comes back with more parts that are transfers than one commit joins', async () => {
  const { me, beta, book } = await newPair()
  for (let n = 1; n <= 15; n++) {
    const splits = [{ amount: `${n}.00` }, { amount: '20.00', transferAccountId: beta.id }]
    await book({ amount: `${n + 20}.00`, splits })
  }
  const { me: other } = await newPair()
  const { id } = await uploaded(other, await exported(me, { format: 'csv' }))
  expect(await committed(other, id, { transfers: 'match' })).toMatchObject({ state: 'done' })
  expect(await balancesOf(other)).toEqual(await balancesOf(me))
  const query = { kind: 'transfer' } as const
  const { transactions } = await ok(listTransactions, { as: other, query })
  expect(transactions.filter(({ parentTransactionId }) => parentTransactionId)).toHaveLength(15)
})

it.each(['json', 'ndjson'] as const)(
  '%s is told from a table, however much it has',
  async (format) => {
    const { me, book } = await newPair()
    for (let n = 1; n <= 12; n++) {
      await book({ amount: `${n}.00`, description: 'Date, amount; payee' })
    }
    const found = await uploaded(await newUser(), await exported(me, { format }))
    expect(found.format).toBe('coffer')
    expect(found.questions.map(({ key }) => key)).not.toContain('format')
  },
)

it('qif comes back with a transfer and its fee as one transaction', async () => {
  const { me, alpha, beta, fees, move } = await newPair()
  await move({ fees: [{ amount: '0.50', categoryId: fees.id }] })
  const { me: other } = await newPair()
  const scope = { accountId: [alpha.id, beta.id] }
  const { id } = await uploaded(other, await exported(me, { format: 'qif', scope }))
  await ok(setImportMapping, { as: other, id, json: { dateOrder: 'MDY', decimal: '.' } })
  await committed(other, id, { transfers: 'match' })
  expect(await balancesOf(other)).toEqual(await balancesOf(me))
  const { transactions } = await ok(listTransactions, { as: other })
  const whole = transactions.find(({ signedAmount }) => signedAmount === '-9.00')
  expect(whole?.splits.map(({ amount, transfer }) => [amount, transfer?.amount ?? null])).toEqual([
    ['8.50', '8.50'],
    ['0.50', null],
  ])
  const leg = transactions.find(({ signedAmount }) => signedAmount === '8.50')
  expect(leg).toMatchObject({ kind: 'transfer', parentTransactionId: whole?.id })
})
