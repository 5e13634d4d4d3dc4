import { expect, it } from 'vitest'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { committed, uploaded } from '../imports/importing.ts'
import { exported } from './exports.fixtures.ts'
import { balancesOf, comeBack, newPair } from './coming-back.fixtures.ts'

// The other formats are in coming-back.long.test.ts.
it.each(['csv', 'json'] as const)(
  '%s comes back with status, ids of banks, transfers and what they cost',
  async (format) => {
    await expect(comeBack(format)).resolves.toBeUndefined()
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
