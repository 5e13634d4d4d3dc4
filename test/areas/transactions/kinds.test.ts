import { describe, expect, it } from 'vitest'
import { getAccountDetails } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, change, type Changes, refusal } from './booking.ts'

async function newBooks() {
  const me = await newUser()
  return { me, account: await newAccount(me) }
}

describe('an opening balance', () => {
  const opened = async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
    const { transactions } = await ok(getAccountDetails, { as: me, id: account.id })
    return { me, account, id: transactions[0]?.id ?? '' }
  }

  it('may be commented and confirmed', async () => {
    const { me, account, id } = await opened()
    const changed = await change(me, { id }, { status: 'reconciled', note: 'From the statement' })
    expect(changed.body).toMatchObject({ kind: 'opening', status: 'reconciled', amount: '100.00' })
    expect(await balanceOf(me, account)).toBe('100.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('belongs to its account in everything else', async () => {
    const { me, account, id } = await opened()
    const wrong: Changes[] = [
      { amount: '1' },
      { date: '2026-01-02' },
      { accountId: account.id },
      { kind: 'income' },
      { categoryId: null },
      { splits: [] },
      { rate: null },
      { status: 'void' },
    ]
    for (const json of wrong) {
      const [field] = Object.keys(json)
      expect(refusal(await change(me, { id }, json))).toEqual([409, 'transactions.opening', field])
    }
    expect(refusal(await call(deleteTransaction, { as: me, id }))).toEqual([
      409,
      'transactions.opening',
    ])
    expect(await balanceOf(me, account)).toBe('100.00')
  })
})

describe('a leg of a transfer', () => {
  const transferred = async () => {
    const { me, account: from } = await newBooks()
    const to = await newAccount(me)
    const json = { fromAccountId: from.id, toAccountId: to.id, date: '2026-11-20', amount: '10' }
    return { me, from, to, transfer: await ok(createTransfer, { as: me, json }) }
  }

  it('has a status of its own, and shares its words with the other leg', async () => {
    const { me, transfer } = await transferred()
    const json = { status: 'cleared' as const, note: 'n', description: 'd', payeeRaw: 'p' }
    const leg = (await change(me, transfer.from, { ...json, time: '08:00', reviewed: true })).body
    const other = await ok(getTransaction, { as: me, id: transfer.to.id })
    expect(leg).toMatchObject({ ...json, id: transfer.from.id, version: 2 })
    expect(other).toMatchObject({ ...json, status: 'uncleared', time: '08:00', version: 2 })
    expect(await differencesOf(me)).toEqual([])
  })

  it('has its money from the transfer', async () => {
    const { me, from, transfer } = await transferred()
    const wrong: Changes[] = [
      { amount: '1' },
      { date: '2026-01-02' },
      { accountId: from.id },
      { kind: 'income' },
      { categoryId: 'cat_none' },
      { splits: [] },
      { rate: '2' },
      { originalAmount: '1', originalCurrency: 'USD' },
      { status: 'void' },
    ]
    for (const json of wrong) {
      const [field] = Object.keys(json)
      for (const leg of [transfer.from, transfer.to]) {
        const refused = await change(me, leg, json)
        expect(refusal(refused)).toEqual([409, 'transactions.transferLeg', field])
      }
    }
    expect(await differencesOf(me)).toEqual([])
  })

  it('is not deleted by itself: that would take the money of the other account too', async () => {
    const { me, from, to, transfer } = await transferred()
    for (const { id } of [transfer.from, transfer.to]) {
      const refused = await call(deleteTransaction, { as: me, id })
      expect(refusal(refused)).toEqual([409, 'transactions.transferLeg'])
    }
    expect([await balanceOf(me, from), await balanceOf(me, to)]).toEqual(['-10.00', '10.00'])
    await ok(deleteTransfer, { as: me, id: transfer.id })
    expect((await call(getTransaction, { as: me, id: transfer.from.id })).status).toBe(404)
  })

  it('has its status while the account of the other leg is closed or in the trash', async () => {
    const { me, from, to, transfer } = await transferred()
    for (const sql of ["status = 'closed'", "status = 'open', deleted_at = 1"]) {
      await rows(`UPDATE accounts SET ${sql} WHERE id = ?`, to.id)
      expect((await change(me, transfer.from, { status: 'cleared' })).status).toBe(200)
      await change(me, transfer.from, { status: 'uncleared' })
    }
    expect(await balanceOf(me, from)).toBe('-10.00')
  })
})

describe('the history of an account', () => {
  const historyOf = async (as: TestUser, { id }: { id: string }) =>
    (await ok(getAccountHistory, { as, query: { accountId: id } })).map((record) => ({
      type: record.type,
      date: record.date,
      change: record.change,
      balanceAfter: record.balanceAfter,
      transactionId: record.transactionId,
    }))

  it('tells every adjustment of the balance, its changes and its end', async () => {
    const { me, account } = await newBooks()
    await book(me, account, { kind: 'income', amount: '100' })
    const { id } = await book(me, account, { kind: 'adjustment', amount: '-5' })
    await change(me, { id }, { note: 'moves nothing' })
    await change(me, { id }, { amount: '2', date: '2026-11-21' })
    await change(me, { id }, { status: 'void' })
    await change(me, { id }, { status: 'cleared', kind: 'expense' })
    await change(me, { id }, { kind: 'adjustment', amount: '1' })
    await ok(deleteTransaction, { as: me, id })
    const adjusted = { type: 'balanceAdjusted', transactionId: id }
    expect((await historyOf(me, account)).slice(0, -1)).toEqual([
      { ...adjusted, date: '2026-11-21', change: '-1.00', balanceAfter: '100.00' },
      { ...adjusted, date: '2026-11-21', change: '3.00', balanceAfter: '101.00' },
      { ...adjusted, date: '2026-11-21', change: '-2.00', balanceAfter: '98.00' },
      { ...adjusted, date: '2026-11-21', change: '-2.00', balanceAfter: '100.00' },
      { ...adjusted, date: '2026-11-21', change: '7.00', balanceAfter: '102.00' },
      { ...adjusted, date: '2026-11-20', change: '-5.00', balanceAfter: '95.00' },
    ])
  })

  it('tells a change of kind on the account whose balance was adjusted', async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    const { id } = await book(me, account, { amount: '5' })
    await change(me, { id }, { kind: 'adjustment', accountId: other.id, amount: '2' })
    await change(me, { id }, { kind: 'expense' })
    const adjusted = { type: 'balanceAdjusted', date: '2026-11-20', transactionId: id }
    expect((await historyOf(me, other)).slice(0, -1)).toEqual([
      { ...adjusted, change: '-4.00', balanceAfter: '-2.00' },
      { ...adjusted, change: '2.00', balanceAfter: '2.00' },
    ])
    expect(await historyOf(me, account)).toHaveLength(1)
  })

  it('tells both accounts of an adjustment that moves from one to the other', async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    const { id } = await book(me, account, { kind: 'adjustment', amount: '5' })
    await change(me, { id }, { accountId: other.id, date: '2026-11-21' })
    await change(me, { id }, { accountId: account.id, kind: 'income', amount: '7' })
    const adjusted = { type: 'balanceAdjusted', transactionId: id }
    expect((await historyOf(me, account)).slice(0, -1)).toEqual([
      { ...adjusted, date: '2026-11-20', change: '-5.00', balanceAfter: '0.00' },
      { ...adjusted, date: '2026-11-20', change: '5.00', balanceAfter: '5.00' },
    ])
    expect((await historyOf(me, other)).slice(0, -1)).toEqual([
      { ...adjusted, date: '2026-11-21', change: '-5.00', balanceAfter: '0.00' },
      { ...adjusted, date: '2026-11-21', change: '5.00', balanceAfter: '5.00' },
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses a change of an adjustment that no number could tell', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account, { kind: 'adjustment', amount: '-90071992547409.91' })
    const refused = await change(me, { id }, { amount: '90071992547409.91' })
    expect(refusal(refused)).toEqual([400, 'money.outOfRange'])
    expect((await historyOf(me, account)).length).toBe(2)
  })
})
