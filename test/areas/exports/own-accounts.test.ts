import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  convertToTransfer,
  matchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed } from '../imports/importing.ts'
import { newHousehold } from './exports.fixtures.ts'
import { addNothing, balancesOf, createSame, filesOf, read } from './own-accounts.fixtures.ts'

describe('an export of accounts in several currencies', () => {
  // The other formats are in own-accounts.long.test.ts.
  it.each(['csv', 'ofx'] as const)(
    'as %s creates the same accounts with the same balances for somebody who has nothing',
    async (format) => {
      await expect(createSame(format)).resolves.toBeUndefined()
    },
  )

  it.each(['csv', 'ofx'] as const)(
    'as %s adds nothing to the accounts that it came from',
    async (format) => {
      await expect(addNothing(format)).resolves.toBeUndefined()
    },
  )

  it('as csv adds nothing where a transaction was edited, moved to the trash or matched since', async () => {
    const { me, everyday, odd, labelled, voided, paid } = await newHousehold()
    const out = { kind: 'expense', accountId: everyday.id, date: '2026-04-01', amount: '60.00' }
    const one = await ok(createTransaction, { as: me, json: out as never })
    const back = { ...out, kind: 'income', accountId: odd.id }
    const other = await ok(createTransaction, { as: me, json: back as never })
    const moved = await ok(createTransaction, {
      as: me,
      json: { ...out, amount: '61.00' } as never,
    })
    const [file = new Uint8Array()] = await filesOf(me, 'csv')
    const edited = { amount: '6.50', date: '2026-07-01', force: true }
    await ok(updateTransaction, { as: me, id: labelled.id, json: edited })
    await call(deleteTransaction, { as: me, id: paid.id })
    await ok(matchTransfer, {
      as: me,
      json: { fromTransactionId: one.id, toTransactionId: other.id },
    })
    await ok(convertToTransfer, { as: me, id: moved.id, json: { accountId: odd.id } })
    const balances = await balancesOf(me)
    const { id, counts } = await read(me, file, () => 'ignore')
    expect(counts).toMatchObject({ new: 0, matched: 0, error: 0 })
    await committed(me, id, { transfers: 'match' })
    expect(await balancesOf(me)).toEqual(balances)
    expect((await read(me, file, () => 'ignore')).counts).toMatchObject({ new: 0, matched: 0 })
    expect(voided.status).toBe('void')
  })

  it('as csv is never read in the currency of another account', async () => {
    const { me } = await newHousehold()
    const other = await newUser()
    const tokyo = await newAccount(other, { name: 'Tokyo' })
    const [file = new Uint8Array()] = await filesOf(me, 'csv')
    const { id } = await read(other, file, () => 'create')
    const found = (await ok(setImportMapping, { as: other, id, json: { currency: 'EUR' } })) as {
      counts: object
    }
    const { rows } = await ok(listImportRows, { as: other, id, query: { accountId: tokyo.id } })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ verdict, reason, errors }) => [verdict, reason, errors[0]?.code])).toEqual(
      rows.map(() => ['error', null, 'currencyMismatch']),
    )
    expect(found.counts).toMatchObject({ error: rows.length })
  })
})
