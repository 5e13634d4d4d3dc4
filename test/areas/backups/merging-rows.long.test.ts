import { beforeAll, describe, expect, it } from 'vitest'
import {
  createCategory,
  listCategories,
  updateCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import {
  deleteAccount,
  getUserAccounts,
  closeAccount,
  reopenAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee, listPayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  convertToTransfer,
  createTransfer,
  deleteTransfer,
  matchTransfer,
  revertToSingle,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { lock, unlock } from '../period-locks/locking.ts'
import { eraseTrashJob } from '../../../src/areas/money/trash/trash.jobs.ts'
import { bringBack, erase } from '../trash/trashing.ts'
import { backedUp, restored, sendRestore } from './restoring.ts'

const merge = { mode: 'merge' } as const

const balanceOf = async (as: Principal, accountId: string) =>
  (await ok(getUserAccounts, { as })).accounts.find(({ id }) => id === accountId)?.balance

/** Somebody with an account, and what was booked on it. */
interface Household extends TestUser {
  everyday: string
  savings: string
  food: string
  fruit: string
  tag: string
  coffee: string
  move: string
}

async function household(): Promise<Household> {
  const as = await newUser()
  const everyday = await newAccount(as, {
    name: 'Everyday',
    openingBalance: '100',
    openingDate: '2026-01-01',
  })
  const savings = await newAccount(as, { name: 'Savings' })
  const food = await ok(createCategory, { as, json: { name: 'Food', kind: 'expense' } })
  const fruit = await ok(createCategory, {
    as,
    json: { name: 'Fruit', kind: 'expense', parentId: food.id },
  })
  const tag = await ok(createTag, { as, json: { name: 'Trip' } })
  const payee = await ok(createPayee, { as, json: { name: 'Baker', defaultCategoryId: food.id } })
  const spent = { kind: 'expense', accountId: everyday.id, date: '2026-02-01' } as const
  const coffee = await ok(createTransaction, {
    as,
    json: {
      ...{ ...spent, amount: '4', categoryId: fruit.id, payeeId: payee.id, tagIds: [tag.id] },
      externalId: 'bank 1',
    },
  })
  const move = await ok(createTransfer, {
    as,
    json: { fromAccountId: everyday.id, toAccountId: savings.id, date: '2026-02-02', amount: '10' },
  })
  return {
    ...{ ...as, everyday: everyday.id, savings: savings.id, food: food.id, fruit: fruit.id },
    ...{ tag: tag.id, coffee: coffee.id, move: move.id },
  }
}

const eraseCoffee = async (as: Household) => {
  await ok(deleteTransaction, { as, id: as.coffee })
  await erase(as, 'transaction', as.coffee)
}

/** Erases an account to the last row. */
async function eraseAccount(as: TestUser, id: string): Promise<void> {
  await erase(as, 'account', id)
  await eraseTrashJob.run(contextWith(), { ownerId: as.id, before: Date.now() }, [])
}

const merged = async (as: Principal, archive: Uint8Array, query = {}) =>
  restored(as, archive, { ...merge, ...query })

const codeOf = async (as: Principal, archive: Uint8Array, query = {}) =>
  (await merged(as, archive, query)).error?.code

describe('rows of a backup that is merged', () => {
  it('come back when they were erased, and nothing else', async () => {
    const me = await household()
    const { archive, hash } = await backedUp(me)
    await ok(deleteTransaction, { as: me, id: me.coffee })
    const inTrash = await merged(me, archive)
    expect([inTrash.error, await balanceOf(me, me.everyday)]).toEqual([null, '90.00'])
    await erase(me, 'transaction', me.coffee)
    await ok(deleteTag, { as: me, id: me.tag })
    // The tag that the transaction needs.
    expect(await codeOf(me, archive)).toBe('backups.inTrash')
    await erase(me, 'tag', me.tag)
    const dry = await merged(me, archive, { dryRun: 'true' })
    expect(dry.merged).toMatchObject({
      transactions: { added: 1, mapped: 0, skipped: 2 },
      entries: { added: 2 },
      tags: { added: 1 },
      accounts: { added: 0, skipped: 2 },
    })
    expect(await balanceOf(me, me.everyday)).toBe('90.00')
    const report = await merged(me, archive)
    expect(report).toMatchObject({ state: 'done', merged: dry.merged, contentHash: hash })
    expect(await balanceOf(me, me.everyday)).toBe('86.00')
    expect((await backedUp(me)).hash).toBe(hash)
  })

  it('are known by their names, and accounts get new ones', async () => {
    const [me, other] = [await household(), await household()]
    const { archive } = await backedUp(me)
    const report = await merged(other, archive)
    expect(report.error).toBe(null)
    expect(report.merged).toMatchObject({
      categories: { added: 0, mapped: 2 },
      payees: { added: 0, mapped: 1 },
      tags: { added: 0, mapped: 1 },
      accounts: { added: 2, mapped: 0 },
      transactions: { added: 3 },
    })
    const { accounts } = await ok(getUserAccounts, { as: other })
    expect(accounts.map(({ name, balance }) => `${name}: ${balance}`).toSorted()).toEqual([
      ...['Everyday (2): 86.00', 'Everyday: 86.00', 'Savings (2): 10.00', 'Savings: 10.00'],
    ])
    const { transactions } = await ok(listTransactions, {
      as: other,
      query: { categoryId: other.fruit },
    })
    expect(transactions).toHaveLength(2)
    for (const transaction of transactions) {
      expect(transaction).toMatchObject({ tagIds: [other.tag] })
    }
    expect((await ok(listPayees, { as: other })).count).toBe(1)
    // What is merged later of the same user is found again, with its new name.
    await ok(createTag, { as: me, json: { name: 'New' } })
    const later = await merged(other, (await backedUp(me)).archive)
    const added = Object.entries(later.merged ?? {}).filter(([, count]) => count.added > 0)
    expect(added).toEqual([['tags', { added: 1, mapped: 1, skipped: 0 }]])
    for await (const { found } of compareLedger(contextWith())) {
      expect(Object.values(found).flat()).toEqual([])
    }
  })

  it('keep their names where these were swapped, and stand below what is here', async () => {
    const me = await household()
    const { archive } = await backedUp(me)
    const other = await newUser()
    await merged(other, archive)
    const { categories } = await ok(listCategories, { as: other, query: { view: 'flat' } })
    const [food, fruit] = ['Food', 'Fruit'].map((name) =>
      categories.find((one) => one.name === name),
    )
    // The one has the name of another one of the archive, and stands deeper.
    const top = await ok(createCategory, { as: other, json: { name: 'Top', kind: 'expense' } })
    await ok(updateCategory, { as: other, id: food?.id ?? '', json: { parentId: top.id } })
    await ok(createCategory, { as: me, json: { name: 'Meat', kind: 'expense', parentId: me.food } })
    await ok(updateCategory, { as: other, id: fruit?.id ?? '', json: { name: 'Meat' } })
    const report = await merged(other, (await backedUp(me)).archive)
    expect(report.error).toBe(null)
    const after = await rows<{ name: string; depth: number }>(
      'SELECT name, depth FROM categories WHERE owner_id = ? ORDER BY depth, name',
      other.id,
    )
    expect(after.map(({ name, depth }) => `${depth} ${name}`)).toEqual([
      ...['1 Top', '2 Food', '3 Meat', '3 Meat (2)'],
    ])
  })

  it('are not booked again where a bank or a match says that they are here', async () => {
    const me = await household()
    const income = {
      kind: 'income',
      accountId: me.savings,
      date: '2026-03-01',
      amount: '7',
    } as const
    const arrived = await ok(createTransaction, { as: me, json: income })
    const left = await ok(createTransaction, {
      as: me,
      json: { ...income, kind: 'expense', accountId: me.everyday },
    })
    const apart = await backedUp(me)
    const halves = { fromTransactionId: left.id, toTransactionId: arrived.id }
    const match = await ok(matchTransfer, { as: me, json: halves })
    const matched = await backedUp(me)
    await eraseCoffee(me)
    await ok(createTransaction, {
      as: me,
      json: {
        ...income,
        kind: 'expense',
        accountId: me.everyday,
        amount: '4',
        externalId: 'bank 1',
      },
    })
    const balances = [await balanceOf(me, me.everyday), await balanceOf(me, me.savings)]
    const check = async (archive: Uint8Array) => {
      const { error, merged: counts } = await merged(me, archive)
      expect([error, counts?.['transactions']?.added]).toEqual([null, 0])
      expect([await balanceOf(me, me.everyday), await balanceOf(me, me.savings)]).toEqual(balances)
    }
    await check(apart.archive)
    await check(matched.archive)
    await ok(unmatchTransfer, { as: me, id: match.id })
    await check(matched.archive)
    await check(apart.archive)
  })

  it('are not booked twice where one is a transfer here or there, nor where an account of that is erased', async () => {
    const me = await household()
    const json = {
      kind: 'expense',
      accountId: me.everyday,
      date: '2026-03-01',
      amount: '7',
    } as const
    const row = await ok(createTransaction, { as: me, json })
    const apart = await backedUp(me)
    const other = await newAccount(me, { name: 'Cash' })
    await ok(convertToTransfer, { as: me, id: row.id, json: { accountId: me.savings } })
    const moved = await backedUp(me)
    const balances = async () => [
      await balanceOf(me, me.everyday),
      await balanceOf(me, me.savings),
      await balanceOf(me, other.id),
    ]
    const check = async (archive: Uint8Array) => {
      const before = await balances()
      const { error, merged: counts } = await merged(me, archive)
      expect([error, counts?.['transactions']?.added]).toEqual([null, 0])
      expect(await balances()).toEqual(before)
    }
    await check(apart.archive)
    await check(moved.archive)
    const before = await balances()
    await ok(revertToSingle, { as: me, id: row.id })
    await check(moved.archive)
    // All of it comes back to somebody who has nothing of it.
    await ok(convertToTransfer, { as: me, id: row.id, json: { accountId: me.savings } })
    expect(await balances()).toEqual(before)
    const { archive } = await backedUp(me)
    const stranger = await newUser()
    expect(await merged(stranger, archive)).toMatchObject({ error: null })
    const { accounts } = await ok(getUserAccounts, { as: stranger })
    expect(accounts.map(({ balance }) => balance).toSorted()).toEqual(before.toSorted())
    const { transactions } = await ok(listTransactions, { as: stranger })
    const leg = transactions.find(({ amount, kind }) => kind === 'transfer' && amount === '7.00')
    const { from } = await ok(revertToSingle, { as: stranger, id: leg?.id ?? '' })
    expect(from?.id).toBe(leg?.id.slice(0, 30))
    expect(await differencesOf(stranger)).toEqual([])
  })

  it('are refused where they would be booked in part, or where nothing may be booked', async () => {
    const me = await household()
    const { archive } = await backedUp(me)
    await eraseCoffee(me)
    const period = await lock(me, { through: '2026-02-15' })
    expect(await codeOf(me, archive)).toBe('backups.periodLocked')
    await unlock(me, period)
    await ok(deleteAccount, { as: me, id: me.everyday })
    expect(await codeOf(me, archive)).toBe('backups.accountInTrash')
    await bringBack(me, 'account', me.everyday)
    // Nothing is left on it, so that it can be closed.
    const trip = { fromAccountId: me.everyday, toAccountId: me.savings, date: '2026-04-01' }
    const out = await ok(createTransfer, { as: me, json: { ...trip, amount: '90' } })
    await ok(closeAccount, { as: me, id: me.everyday, json: {} })
    expect(await codeOf(me, archive)).toBe('backups.accountClosed')
    await ok(reopenAccount, { as: me, id: me.everyday })
    await ok(deleteTransfer, { as: me, id: out.id })
    await erase(me, 'transfer', out.id)
    // The other side of the transfer stays when an account is erased.
    await ok(deleteAccount, { as: me, id: me.savings })
    await eraseAccount(me, me.savings)
    expect(await codeOf(me, archive)).toBe('backups.transactionHere')
    const { transactions } = await ok(listTransactions, { as: me })
    const rest = transactions.find(({ kind }) => kind === 'adjustment')
    await ok(deleteTransaction, { as: me, id: rest?.id ?? '' })
    await erase(me, 'transaction', rest?.id ?? '')
    const report = await merged(me, archive)
    expect(report).toMatchObject({ state: 'done', error: null })
    expect([await balanceOf(me, me.everyday), await balanceOf(me, me.savings)]).toEqual([
      '86.00',
      '10.00',
    ])
  })
})

describe('a part that is a transfer', () => {
  it('is not booked again where it was left behind by an account that was erased', async () => {
    const me = await household()
    const shop = await newAccount(me, { name: 'Shop' })
    const parts = {
      ...{ kind: 'expense' as const, accountId: shop.id, date: '2026-05-01', amount: '30' },
      splits: [{ amount: '20', transferAccountId: me.savings }, { amount: '10' }],
    }
    await ok(createTransaction, { as: me, json: parts })
    const { archive, hash } = await backedUp(me)
    await ok(deleteAccount, { as: me, id: shop.id })
    await eraseAccount(me, shop.id)
    expect(await balanceOf(me, me.savings)).toBe('30.00')
    expect(await codeOf(me, archive)).toBe('backups.transactionHere')
    const { transactions } = await ok(listTransactions, { as: me })
    const rest = transactions.find(({ kind }) => kind === 'adjustment')?.id ?? ''
    await ok(deleteTransaction, { as: me, id: rest })
    await erase(me, 'transaction', rest)
    expect(await balanceOf(me, me.savings)).toBe('10.00')
    expect(await merged(me, archive)).toMatchObject({ error: null, contentHash: hash })
    expect(await balanceOf(me, me.savings)).toBe('30.00')
  })
})

describe('accounts that the user says are the same', () => {
  let me: Household
  let archive: Uint8Array

  beforeAll(async () => {
    me = await household()
    ;({ archive } = await backedUp(me))
  })

  it('get the transactions, once', async () => {
    const other = await household()
    const accountMap = `${me.everyday}:${other.everyday}`
    const report = await merged(other, archive, { accountMap })
    expect(report).toMatchObject({
      error: null,
      merged: { accounts: { added: 1, mapped: 1 }, transactions: { added: 1, skipped: 2 } },
    })
    // Its row of the bank is known; the transfer goes to an account that is added.
    expect(await balanceOf(other, other.everyday)).toBe('76.00')
    const again = await merged(other, archive, { accountMap })
    expect(again.merged?.['transactions']?.added).toBe(0)
    // Without it, the account would be added without them.
    expect(await codeOf(other, archive)).toBe('backups.transactionHere')
    expect(await balanceOf(other, other.everyday)).toBe('76.00')
  })

  it('are in the archive, own, and of one currency', async () => {
    const other = await household()
    const yen = await newAccount(other, { currency: 'JPY', name: 'Yen' })
    const asked = [
      [`${other.savings}:${other.everyday}`, 'backups.unknownArchivedAccount'],
      [`${me.everyday}:${me.everyday}`, 'backups.unknownOwnAccount'],
      [`${me.everyday}:${yen.id}`, 'backups.otherCurrency'],
    ] as const
    const plain = await sendRestore(other, archive, { accountMap: asked[2][0] })
    expect(plain.error.code).toBe('backups.mapWithoutMerge')
    for (const [accountMap, code] of asked) {
      expect([accountMap, await codeOf(other, archive, { accountMap })]).toEqual([accountMap, code])
    }
  })
})
