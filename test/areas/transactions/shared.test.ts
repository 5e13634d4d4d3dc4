import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountByID,
  getHomePage,
  getRegister,
  getUserAccounts,
  updateAccount,
  reorderAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getAccountHistory,
  updateAccountHistoryComment,
} from '../../../src/areas/money/accounts/history/history.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { getNetWorth } from '../../../src/areas/insight/reports/reports.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listAccountLabels,
  listTransactions,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, expenseOn, newCategory, refusal } from './booking.ts'

type Wanted = NonNullable<Parameters<typeof share>[3]>

/** An owner with an account that a friend receives, and one that it does not; and the friend's own. */
async function household(wanted: Wanted = {}) {
  const [owner, friend] = [await newUser(), await newUser()]
  const shared = await newAccount(owner, { openingBalance: '100', openingDate: '2026-01-01' })
  const hidden = await newAccount(owner)
  const own = await newAccount(friend)
  const { id } = await share(owner, shared, friend, wanted)
  return { owner, friend, shared, hidden, own, shareId: id }
}

type Found = Awaited<ReturnType<typeof ok<typeof listTransactions>>>

const idsIn = async (as: Principal, query: Record<string, string> = {}) =>
  (await ok(listTransactions, { as, query })).transactions.map(({ id }) => id)

describe('an account of somebody else', () => {
  it('is listed with what one may do with it, and counts only once one says so', async () => {
    const { friend, shared, own, shareId } = await household({ permission: 'annotate' })
    const { accounts } = await ok(getUserAccounts, { as: friend })
    expect(
      new Map(
        accounts.map(({ id, permission, accountGroupId }) => [id, { permission, accountGroupId }]),
      ),
    ).toEqual(
      new Map([
        [own.id, { permission: 'owner', accountGroupId: null }],
        [shared.id, { permission: 'annotate', accountGroupId: null }],
      ]),
    )
    const counted = async () => {
      const { budgetAccounts } = await ok(getHomePage, { as: friend })
      const worth = await ok(getNetWorth, { as: friend })
      expect(worth.accounts.length).toBe(budgetAccounts.length)
      return budgetAccounts.map(({ id }) => id)
    }
    expect(await counted()).toEqual([own.id])
    await ok(acceptShare, { as: friend, id: shareId, json: { includeInTotals: true } })
    expect((await counted()).toSorted()).toEqual([own.id, shared.id].toSorted())
  })

  it('stands among own rows in every order, page by page', async () => {
    const { owner, friend, shared, hidden, own } = await household()
    const booked = []
    for (let day = 1; day <= 6; day++) {
      const [as, account] = day % 2 === 0 ? ([owner, shared] as const) : ([friend, own] as const)
      booked.push((await book(as, account, { date: `2026-03-0${day}`, amount: `${day}` })).id)
    }
    await book(owner, hidden)
    const opening = (await ok(listTransactions, { as: friend, query: { kind: 'opening' } }))
      .transactions
    expect(opening.map(({ accountId }) => accountId)).toEqual([shared.id])
    for (const sort of ['date', '-date', 'amount', 'createdAt'] as const) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const query = { sort, kind: 'expense' as const, limit: '2', ...(cursor ? { cursor } : {}) }
        const page: Found = await ok(listTransactions, { as: friend, query })
        expect(page.count).toBe(6)
        found.push(...page.transactions.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      // Some were made in the same millisecond.
      const expected = sort === 'createdAt' ? booked.toSorted() : booked
      expect([sort, found]).toEqual([sort, sort === '-date' ? booked.toReversed() : expected])
    }
    expect(await idsIn(friend, { text: 'nothing' })).toEqual([])
  })

  it.each([
    ['view', [403, 403, 403]],
    ['annotate', [200, 403, 403]],
    ['write', [200, 201, 403]],
    ['manage', [200, 201, 200]],
  ] as const)(
    'with %s lets words, bookings and settings be changed as far as that goes',
    async (permission, wanted) => {
      const { owner, friend, shared } = await household({ permission })
      const row = await book(owner, shared)
      const { status: words } = await change(friend, row, { note: 'x', tagIds: [] })
      const { status: booking } = await call(createTransactions, { as: friend, json: one(shared) })
      const { status: settings } = await call(updateAccount, {
        as: friend,
        id: shared.id,
        json: { note: 'x' },
      })
      expect([words, booking, settings]).toEqual(wanted)
      expect((await call(deleteAccount, { as: friend, id: shared.id })).status).toBe(403)
      expect((await call(reorderAccounts, { as: friend, json: { ids: [shared.id] } })).status).toBe(
        403,
      )
      const log = await rows<{ owner: string }>(
        "SELECT owner_id AS owner FROM log_entries WHERE actor_id = ? AND resource_type IN ('transaction', 'account') AND (resource_id = ? OR account_id = ?)",
        friend.id,
        row.id,
        shared.id,
      )
      expect(log.every((entry) => entry.owner === owner.id)).toBe(true)
    },
  )

  it('with own rows only lets those be changed that one recorded', async () => {
    const { owner, friend, shared } = await household({ permission: 'write', writeScope: 'own' })
    const [theirs, mine] = [await book(owner, shared), await book(friend, shared)]
    const statusOf = async (row: { id: string }) => [
      (await change(friend, row, { amount: '5' })).status,
      (await call(deleteTransaction, { as: friend, id: row.id })).status,
    ]
    expect(await statusOf(theirs)).toEqual([403, 403])
    expect((await change(friend, theirs, { note: 'x' })).status).toBe(200)
    const many = { as: friend, json: { ids: [theirs.id] } }
    expect((await call(deleteTransactions, many)).status).toBe(403)
    expect(await statusOf(mine)).toEqual([200, 200])
    expect(await ok(getTransaction, { as: owner, id: theirs.id })).toMatchObject({
      createdBy: owner.id,
    })
  })

  it('has the labels of its owner, whoever puts them there', async () => {
    const { owner, friend, shared, own } = await household({ permission: 'write' })
    const [category, mine] = [await newCategory(owner), await newCategory(friend)]
    const tag = await ok(createTag, { as: owner, json: { name: 'Trip' } })
    const payee = await ok(createPayee, {
      as: owner,
      json: { name: 'Corner shop', aliases: ['CORNER 17'] },
    })
    await ok(createPayee, { as: friend, json: { name: 'Mine', aliases: ['CORNER 17'] } })
    const row = await book(friend, shared, {
      categoryId: category.id,
      tagIds: [tag.id],
      payeeRaw: 'corner 17',
    })
    expect(row).toMatchObject({
      categoryId: category.id,
      tagIds: [tag.id],
      payeeId: payee.id,
      createdBy: friend.id,
    })
    const bulk = { dryRun: false, transactions: [expenseOn(shared, { payeeRaw: 'CORNER 17' })] }
    const { results } = await ok(createTransactions, { as: friend, json: bulk })
    expect(results[0]).toMatchObject({ transaction: { payeeId: payee.id } })
    const foreign = await call(createTransactions, {
      as: friend,
      json: { ...one(shared), transactions: [expenseOn(shared, { categoryId: mine.id })] },
    })
    expect(foreign.status).toBe(400)
    const elsewhere = await change(friend, row, { accountId: own.id })
    expect(refusal(elsewhere)).toEqual([409, 'transactions.otherOwner', 'accountId'])
    const listed = (as: Principal, kind: 'category' | 'tag' | 'payee') =>
      ok(listAccountLabels, { as, id: shared.id, query: { kind } })
    expect((await listed(friend, 'category')).labels.map(({ name }) => name)).toEqual([
      category.name,
    ])
    expect((await listed(friend, 'tag')).count).toBe(1)
    expect((await listed(friend, 'payee')).labels).toMatchObject([
      { id: payee.id, name: 'Corner shop' },
    ])
  })

  it('shows whoever views it the labels on what it sees, and no others', async () => {
    const { owner, friend, shared, hidden } = await household()
    const [used, unused, elsewhere, secret] = await Promise.all(
      ['Used', 'Unused', 'Elsewhere', 'Secret'].map(() => newCategory(owner)),
    )
    await book(owner, shared, { categoryId: used?.id ?? '' })
    await book(owner, hidden, { categoryId: elsewhere?.id ?? '' })
    await book(owner, shared, { categoryId: secret?.id ?? '', private: true })
    const { labels, count } = await ok(listAccountLabels, {
      as: friend,
      id: shared.id,
      query: { kind: 'category' },
    })
    expect([labels.map(({ id }) => id), count]).toEqual([[used?.id], 1])
    expect(unused).toBeDefined()
    const stranger = await newUser()
    const asked = await call(listAccountLabels, {
      as: stranger,
      id: shared.id,
      query: { kind: 'tag' },
    })
    expect(asked.status).toBe(404)
  })
})

describe('a transfer', () => {
  it('stays between accounts of one owner, and names only accounts that one sees', async () => {
    const { owner, friend, shared, hidden, own } = await household({ permission: 'write' })
    const json = { fromAccountId: own.id, toAccountId: shared.id, date: '2026-03-01', amount: '5' }
    expect(refusal(await call(createTransfer, { as: friend, json }))).toEqual([
      409,
      'transfers.otherOwner',
    ])
    await ok(createTransfer, {
      as: owner,
      json: { ...json, fromAccountId: shared.id, toAccountId: hidden.id },
    })
    const [leg] = (await ok(listTransactions, { as: friend, query: { kind: 'transfer' } }))
      .transactions
    expect(leg).toMatchObject({ accountId: shared.id, counterAccountId: null })
    expect((await ok(listTransfers, { as: friend })).transfers).toEqual([])
    const second = await newAccount(owner)
    await share(owner, second, friend)
    await ok(createTransfer, {
      as: owner,
      json: { ...json, fromAccountId: shared.id, toAccountId: second.id },
    })
    const seen = await ok(listTransfers, { as: friend })
    expect(seen.transfers.map(({ to }) => to.accountId)).toEqual([second.id])
    expect(seen.count).toBe(1)
  })
})

describe('a private transaction', () => {
  it('is for who owns the account and who recorded it, in every list and by every way', async () => {
    const { owner, friend, shared } = await household({ permission: 'write' })
    const third = await newUser()
    await share(owner, shared, third)
    const hidden = await book(owner, shared, {
      private: true,
      description: 'Present',
      externalId: 'x',
    })
    const theirs = await book(friend, shared, { private: true, description: 'Surprise' })
    expect(await idsIn(owner, { kind: 'expense' })).toEqual([theirs.id, hidden.id])
    expect(await idsIn(friend, { kind: 'expense' })).toEqual([theirs.id])
    expect(await idsIn(third, { kind: 'expense' })).toEqual([])
    expect(await idsIn(third, { accountId: shared.id, text: 'present' })).toEqual([])
    expect((await ok(listTransactions, { as: third, query: { amountFrom: '12' } })).count).toBe(1)
    for (const [as, row] of [
      [third, hidden],
      [third, theirs],
      [friend, hidden],
    ] as const) {
      expect((await call(getTransaction, { as, id: row.id })).status).toBe(404)
      expect((await call(listTransactionVersions, { as, id: row.id })).status).toBe(404)
      expect((await change(as, row, { note: 'x' })).status).toBe(404)
    }
    const open = await book(owner, shared, { description: 'Open' })
    expect(refusal(await change(friend, open, { private: true }))).toEqual([
      403,
      'transactions.privateIsOwn',
      'private',
    ])
    const many = { ids: [open.id], changes: { private: true }, dryRun: false }
    expect((await call(updateTransactions, { as: friend, json: many })).status).toBe(403)
  })

  it('hides what it was while it was private, and keeps running balances true', async () => {
    const { owner, friend, shared } = await household()
    const row = await book(owner, shared, {
      private: true,
      description: 'Secret',
      date: '2026-03-02',
    })
    await book(owner, shared, { date: '2026-03-01', amount: '1', description: 'Below' })
    await book(owner, shared, { date: '2026-03-03', amount: '2', description: 'Above' })
    const last = await book(owner, shared, { private: true, date: '2026-03-04', amount: '3' })
    const register = await ok(getRegister, { as: friend, id: shared.id })
    expect(
      register.transactions.map(({ description, runningBalance }) => [description, runningBalance]),
    ).toEqual([
      ['Above', '84.70'],
      ['Below', '99.00'],
      ['', '100.00'],
    ])
    await change(owner, row, { private: false, description: 'Told' })
    await change(owner, last, { private: false })
    const { versions } = await ok(listTransactionVersions, { as: friend, id: row.id })
    expect(JSON.stringify(versions)).not.toContain('Secret')
  })
})

describe('the history of a shared account', () => {
  it('is read by who sees it, and commented by its owner', async () => {
    const { owner, friend, shared } = await household({ permission: 'manage' })
    const [record] = await ok(getAccountHistory, { as: owner, query: { accountId: shared.id } })
    const comment = (as: Principal) =>
      call(updateAccountHistoryComment, { as, id: record?.id ?? '', json: { comment: 'Mine' } })
    expect((await comment(owner)).status).toBe(200)
    expect((await comment(friend)).status).toBe(403)
    const seen = await ok(getAccountHistory, { as: friend, query: { accountId: shared.id } })
    expect(seen.map(({ id }) => id)).toContain(record?.id)
    expect(JSON.stringify(seen)).not.toContain('Mine')
    expect((await ok(getAccountByID, { as: friend, id: shared.id })).permission).toBe('manage')
  })
})

const one = (account: { id: string }) => ({ dryRun: false, transactions: [expenseOn(account)] })
