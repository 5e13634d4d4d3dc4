import { describe, expect, it } from 'vitest'
import {
  cancelImport,
  getImport,
  revertImport,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { refusal } from '../transactions/booking.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

// Imports whose rows would take a balance out of the range of amounts, alone or in one order of them.

const MAX = '90071992547409.91'

const row = (id: string, amount: string) => ({ id, date: '2026-03-10', amount, name: id })

const book = (
  as: TestUser,
  accountId: string,
  kind: 'income' | 'expense',
  amount: string,
  status: 'uncleared' | 'cleared' = 'uncleared',
) => ok(createTransaction, { as, json: { kind, accountId, amount, date: '2026-01-02', status } })

const balanceOf = async (accountId: string) =>
  (
    await rows<{ balance: number }>(
      'SELECT balance_minor AS balance FROM account_balances WHERE account_id = ?',
      accountId,
    )
  )[0]?.balance

const giveUp = (jobId: string | undefined) =>
  rows("UPDATE tasks SET state = 'dead', attempts = max_attempts WHERE id = ?", jobId)

async function revert(as: TestUser, id: string, json: { force?: boolean } = {}) {
  await ok(revertImport, { as, id, json })
  return settled(as, id)
}

describe('a revert', () => {
  it('is done where only its end is in the range of amounts', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account.id, 'income', MAX)
    const { id } = await uploaded(me, ofx([row('a', '-100.00'), row('b', '100.00')]), {
      accountId: account.id,
    })
    await committed(me, id)
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 2, restored: 0, kept: [] },
    })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is done where the rows of one commit leave the range, but those of the next do not', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const lines = Array.from({ length: 520 }, (_, index) =>
      index < 20
        ? `2026-03-09,In ${index},25.00`
        : `2026-03-${index < 500 ? '10' : '11'},Out ${index},-1.00`,
    )
    const { id } = await uploaded(me, csv(lines), { accountId: account.id })
    await committed(me, id)
    await book(me, account.id, 'income', MAX)
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 520, restored: 0, kept: [] },
    })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('looks at what stays a few times, however many rows make room for each other', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const lines = (name: string, day: string, amount: string) =>
      Array.from({ length: 80 }, (_, index) => `2026-03-${day},${name} ${index},${amount}`)
    const { id } = await uploaded(
      me,
      csv([
        ...lines('Out', '09', '-1.00'),
        ...lines('In', '10', '1.00'),
        '2026-03-11,Ballast,900000.00',
      ]),
      { accountId: account.id },
    )
    await committed(me, id)
    // What is cleared is at one end of the range, and the balance at the other: each row waits for one of the other sign.
    await book(me, account.id, 'expense', MAX, 'cleared')
    await book(me, account.id, 'expense', '900000.00', 'cleared')
    await book(me, account.id, 'income', MAX)
    await book(me, account.id, 'income', '90071992547408.91')
    const { reverted, state } = await revert(me, id, { force: true })
    expect([state, reverted]).toEqual(['reverted', expect.objectContaining({ removed: 7 })])
    const [pieces] = await rows<{ count: number }>(
      'SELECT next_chunk AS count FROM imports WHERE id = ?',
      id,
    )
    // Each time, 100 of them alone and the rest in two pieces at most.
    expect(pieces?.count).toBeLessThan(4 * 170)
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps what would leave the range, and takes it back once there is room', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await uploaded(
      me,
      ofx([row('a', '12.30'), row('b', '2.00'), row('c', '-5.00')]),
      { accountId: account.id },
    )
    await committed(me, id)
    const owed = [
      await book(me, account.id, 'expense', MAX),
      await book(me, account.id, 'expense', '9.30'),
    ]
    const first = await revert(me, id)
    expect(first).toMatchObject({
      state: 'reverted',
      reverted: { removed: 2, restored: 0, kept: [{ reason: 'outOfRange' }] },
    })
    expect(first['reverted']).toMatchObject({
      kept: [{ message: expect.stringContaining('too large') }],
    })
    for (const one of owed) {
      await ok(deleteTransaction, { as: me, id: one.id })
    }
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 3, restored: 0, kept: [] },
    })
    expect(await balanceOf(account.id)).toBe(0)
    expect(refusal(await call(revertImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.nothingToRevert',
    ])
  })

  it('leaves what it added to a transaction where the earlier amount would leave the range', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const typed = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, amount: '12.30', date: '2026-03-10' },
        ...{ payeeRaw: 'Bakery', status: 'pending' },
      },
    })
    const { id } = await uploaded(me, ofx([{ ...row('a', '-12.30'), name: 'Bakery' }]), {
      accountId: account.id,
    })
    expect(await committed(me, id)).toMatchObject({ counts: { matched: 1 } })
    // Only cleared is as large as can be: it would be larger without the row.
    await book(me, account.id, 'income', MAX, 'cleared')
    const more = await book(me, account.id, 'income', '12.30', 'cleared')
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 0, restored: 0, kept: [{ id: typed.id, reason: 'outOfRange' }] },
    })
    await ok(deleteTransaction, { as: me, id: more.id })
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 0, restored: 1, kept: [] },
    })
    expect(await ok(getTransaction, { as: me, id: typed.id })).toMatchObject({
      status: 'pending',
    })
  })
})

describe('a revert whose job has failed', () => {
  it('can be asked for again', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await uploaded(me, ofx([row('a', '12.30'), row('b', '2.00')]), {
      accountId: account.id,
    })
    await committed(me, id)
    const { job } = await ok(revertImport, { as: me, id, json: {} })
    // While its job is at work, it is under way.
    expect(refusal(await call(revertImport, { as: me, id, json: {} }))).toEqual([
      409,
      'imports.underWay',
    ])
    await giveUp(job?.id)
    expect(await ok(getImport, { as: me, id })).toMatchObject({ state: 'reverting' })
    expect(refusal(await call(cancelImport, { as: me, id }))).toEqual([409, 'imports.underWay'])
    expect(await ok(revertImport, { as: me, id, json: { dryRun: true } })).toMatchObject({
      report: { removed: 2 },
    })
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 2, restored: 0, kept: [] },
    })
  })

  it('goes on where it was, also where nothing is left to take back', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await uploaded(me, ofx([row('a', '12.30')]), { accountId: account.id })
    await committed(me, id)
    const { job } = await ok(revertImport, { as: me, id, json: {} })
    // What a run leaves that ends between its last piece and the end.
    await rows(
      `UPDATE imports SET reverted = json_set(reverted, '$.removed', 1), next_chunk = 1 WHERE id = ?`,
      id,
    )
    const [booked] = await rows<{ id: string }>(
      'SELECT id FROM transactions WHERE import_id = ?',
      id,
    )
    await ok(deleteTransaction, { as: me, id: booked?.id ?? '' })
    await rows('DELETE FROM tasks WHERE id = ?', job?.id)
    expect(await revert(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 1, restored: 0 },
    })
  })
})

describe('many lines of one request', () => {
  it('are booked, changed and deleted where only the end is in the range', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account.id, 'income', MAX)
    const of = (kind: 'income' | 'expense', amount: string) =>
      ({ kind, accountId: account.id, amount, date: '2026-03-10' }) as const
    const { results } = await ok(createTransactions, {
      as: me,
      json: { transactions: [of('income', '100.00'), of('expense', '100.00')] },
    })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER)
    const ids = results.flatMap(({ transaction }) => transaction?.id ?? [])
    await ok(updateTransactions, { as: me, json: { ids, changes: { status: 'cleared' } } })
    await ok(deleteTransactions, { as: me, json: { ids: ids.toReversed() } })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER)
    expect(await differencesOf(me)).toEqual([])
    const refused = await call(createTransactions, {
      as: me,
      json: { transactions: [of('expense', '100.00'), of('income', '100.01')] },
    })
    expect(refusal(refused)).toEqual([409, 'ledger.outOfRange'])
  })

  it('are imported where only the end is in the range', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account.id, 'income', MAX)
    const { id } = await uploaded(me, ofx([row('a', '100.00'), row('b', '-100.00')]), {
      accountId: account.id,
    })
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: 2 } })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('count as one where a transaction is changed', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const spent = await book(me, account.id, 'expense', '100.00')
    await book(me, account.id, 'income', MAX)
    await book(me, account.id, 'income', '50.00')
    const json = { amount: '150.00' }
    await ok(updateTransaction, { as: me, id: spent.id, json })
    expect(await balanceOf(account.id)).toBe(Number.MAX_SAFE_INTEGER - 10_000)
    expect(
      refusal(await call(updateTransaction, { as: me, id: spent.id, json: { amount: '49.99' } })),
    ).toEqual([409, 'ledger.outOfRange'])
  })
})
