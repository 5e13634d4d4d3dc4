import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { updateAccount, closeAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { mergeCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listTransactions,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, change, newCategory, refusal, tripsOf } from './booking.ts'

const historyOf = async (as: Principal, { id }: { id: string }) =>
  (await ok(listTransactionVersions, { as, id })).versions

type Versions = Awaited<ReturnType<typeof historyOf>>

const actionsOf = (versions: Versions) => versions.map(({ action }) => action)

/** The fields of a version, as `[before, after]`. */
const fieldsOf = (version: Versions[number] | undefined) =>
  Object.fromEntries(
    (version?.changes ?? []).map(({ field, before, after }) => [field, [before, after]]),
  )

const restrictedTo = async (as: Principal, { id }: { id: string }): Promise<Principal> => {
  const json = { name: 'x', scopes: ['read' as const], accountIds: [id] }
  return { accessToken: (await ok(createAccessToken, { as, json })).token }
}

describe('the history of a transaction', () => {
  it('tells every change field by field, the last one first', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const food = await newCategory(me)
    const expense = await book(me, account, { description: 'Lunch', metadata: { seat: 4 } })
    const place = { lat: 53.3, lon: -6.2, name: 'Trinity' }
    await change(me, expense, { amount: '20', categoryId: food.id, location: place })
    await change(me, expense, { status: 'cleared', note: 'With Ada', metadata: null })

    const found = await call(listTransactionVersions, { as: me, id: expense.id })
    const { versions, count, nextCursor } = found.body
    expect([found.status, tripsOf(found), count, nextCursor]).toEqual([200, 1, 3, null])
    expect(actionsOf(versions)).toEqual([
      'transaction.updated',
      'transaction.updated',
      'transaction.created',
    ])
    expect(versions[0]).toMatchObject({ actorId: me.id, actorType: 'user' })
    expect(fieldsOf(versions[0])).toEqual({
      status: ['uncleared', 'cleared'],
      note: [null, 'With Ada'],
      metadata: [{ seat: 4 }, null],
    })
    expect(fieldsOf(versions[1])).toEqual({
      amount: ['12.30', '20.00'],
      signedAmount: ['-12.30', '-20.00'],
      categoryId: [null, food.id],
      location: [null, place],
    })
    expect(fieldsOf(versions[2])).toMatchObject({
      kind: [null, 'expense'],
      accountId: [null, account.id],
      amount: [null, '12.30'],
      description: [null, 'Lunch'],
    })
  })

  it('tells parts, payees and tags', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const payee = await ok(createPayee, { as: me, json: { name: 'Baker' } })
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const expense = await book(me, account)
    const splits = [{ amount: '10', payeeId: payee.id }, { amount: '2.3' }]
    await change(me, expense, { splits, tagIds: [tag.id] })
    const { splits: parts } = await ok(getTransaction, { as: me, id: expense.id })
    const [version] = await historyOf(me, expense)
    expect(fieldsOf(version)).toEqual({ splits: [[], parts], tagIds: [[], [tag.id]] })
  })

  it('tells what a merge or a deletion of something else moved, and no more', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [food, out] = [await newCategory(me), await newCategory(me)]
    const named = async (name: string) => ok(createPayee, { as: me, json: { name } })
    const [baker, mill] = [await named('Baker'), await named('Mill')]
    const [trip, work] = [
      await ok(createTag, { as: me, json: { name: 'Trip' } }),
      await ok(createTag, { as: me, json: { name: 'Work' } }),
    ]
    const said = { payeeId: baker.id, tagIds: [trip.id] }
    const whole = await book(me, account, { ...said, categoryId: food.id })
    const parts = [{ amount: '10', categoryId: food.id, ...said }, { amount: '2.3' }]
    const split = await book(me, account, { splits: parts })
    const [part] = split.splits
    await ok(mergeCategory, { as: me, id: out.id, json: { categoryId: food.id } })
    await ok(mergePayees, { as: me, id: mill.id, json: { payeeIds: [baker.id] } })
    await ok(mergeTag, { as: me, id: work.id, json: { tagId: trip.id } })
    await ok(deleteTag, { as: me, id: work.id })

    const ofWhole = await historyOf(me, whole)
    expect(actionsOf(ofWhole)).toEqual([
      ...Array.from({ length: 4 }, () => 'transaction.updated'),
      'transaction.created',
    ])
    expect(ofWhole.slice(0, 4).map(fieldsOf)).toEqual([
      { tagIds: [[work.id], []] },
      { tagIds: [[trip.id], [work.id]] },
      { payeeId: [baker.id, mill.id] },
      { categoryId: [food.id, out.id] },
    ])
    const ofSplit = await historyOf(me, split)
    const id = part?.id
    expect(ofSplit.slice(0, 4).map(fieldsOf)).toEqual([
      { splits: [[{ id, tagIds: [work.id] }], [{ id, tagIds: [] }]] },
      { splits: [[{ id, tagIds: [trip.id] }], [{ id, tagIds: [work.id] }]] },
      { splits: [[{ id, payeeId: baker.id }], [{ id, payeeId: mill.id }]] },
      { splits: [[{ id, categoryId: food.id }], [{ id, categoryId: out.id }]] },
    ])
  })

  it('of a leg tells its transfer as the leg sees it', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const [costs, fees] = [await newCategory(me), await newCategory(me)]
    const json = {
      fromAccountId: one.id,
      toAccountId: two.id,
      date: '2026-11-01',
      amount: '100',
      toAmount: '16000',
      fee: { amount: '1', categoryId: costs.id },
    }
    const transfer = await ok(createTransfer, { as: me, json })
    const { from, to } = transfer
    const fee = { amount: '2', categoryId: costs.id }
    await ok(updateTransfer, { as: me, id: transfer.id, json: { toAmount: '15900', fee } })
    await ok(mergeCategory, { as: me, id: fees.id, json: { categoryId: costs.id } })

    const [merged, updated, created] = await historyOf(me, from)
    expect(fieldsOf(merged)).toEqual({
      fees: [[{ categoryId: costs.id }], [{ categoryId: fees.id }]],
    })
    expect(fieldsOf(updated)).toEqual({
      fees: [
        [{ amount: '1.00', categoryId: costs.id, note: null }],
        [{ amount: '2.00', categoryId: costs.id, note: null }],
      ],
    })
    expect(fieldsOf(created)).toMatchObject({
      transferId: [null, transfer.id],
      counterAccountId: [null, two.id],
    })
    const ofOther = await historyOf(me, to)
    expect(ofOther.map(fieldsOf)).toEqual([
      { amount: ['16000', '15900'], signedAmount: ['16000', '15900'] },
      expect.objectContaining({ amount: [null, '16000'] }),
    ])
  })

  it('says what was forced upon a reconciled one', async () => {
    const me = await newUser()
    const expense = await book(me, await newAccount(me), { status: 'reconciled' })
    await change(me, expense, { note: 'Checked', force: true })
    await change(me, expense, { amount: '9.00', force: true })
    expect((await historyOf(me, expense)).map(({ forced }) => forced)).toEqual([true, false, false])
  })

  it('of an opening balance, and of what closed an account, is there as well', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingBalance: '50', openingDate: '2026-01-01' })
    const other = await newAccount(me)
    const json = { openingBalance: '60', openingDate: '2026-01-02' }
    await ok(updateAccount, { as: me, id: account.id, json })
    const query = { accountId: account.id }
    const [opening] = (await ok(listTransactions, { as: me, query })).transactions
    const versions = await historyOf(me, opening ?? account)
    expect(actionsOf(versions)).toEqual(['transaction.updated', 'transaction.created'])
    expect(fieldsOf(versions[0])).toEqual({
      date: ['2026-01-01', '2026-01-02'],
      amount: ['50.00', '60.00'],
      signedAmount: ['50.00', '60.00'],
    })
    await ok(closeAccount, { as: me, id: account.id, json: { transferTo: other.id } })
    const listed = await ok(listTransactions, { as: me, query: { accountId: other.id } })
    const [version] = await historyOf(me, listed.transactions[0] ?? account)
    expect(version?.action).toBe('transaction.created')
    expect(fieldsOf(version).amount).toEqual([null, '60.00'])
  })

  it('comes page by page, each version once', async () => {
    const me = await newUser()
    const expense = await book(me, await newAccount(me))
    for (const amount of ['1', '2', '3', '4']) {
      await change(me, expense, { amount })
    }
    const all = await historyOf(me, expense)
    const pageAfter = (cursor: string | null) =>
      ok(listTransactionVersions, {
        as: me,
        id: expense.id,
        query: { limit: 2, ...(cursor ? { cursor } : {}) },
      })
    const first = await pageAfter(null)
    const second = await pageAfter(first.nextCursor)
    const third = await pageAfter(second.nextCursor)
    expect([first, second, third].map(({ count }) => count)).toEqual([5, 5, 5])
    expect([...first.versions, ...second.versions, ...third.versions]).toEqual(all)
    expect(third.nextCursor).toBeNull()
  })

  it('is not there for a stranger, in the trash, or of what never was', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const expense = await book(me, await newAccount(me))
    const asked = (as: Principal, id: string) => call(listTransactionVersions, { as, id })
    const missing = [404, 'transactions.notFound']
    expect(refusal(await asked(other, expense.id))).toEqual(missing)
    expect(refusal(await asked(me, 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'))).toEqual(missing)
    await ok(deleteTransaction, { as: me, id: expense.id })
    expect(refusal(await asked(me, expense.id))).toEqual(missing)
  })

  it('refuses a query that it does not know', async () => {
    const me = await newUser()
    const expense = await book(me, await newAccount(me))
    const refused = await call(listTransactionVersions, {
      as: me,
      id: expense.id,
      query: { order: 'asc' },
    })
    expect(refusal(refused)).toEqual([400, 'request.invalid', 'order'])
  })
})

describe('a token that is restricted to some accounts', () => {
  it('learns nothing of when the transaction was on another one', async () => {
    const me = await newUser()
    const [open, secret] = [await newAccount(me), await newAccount(me)]
    const [food, out] = [await newCategory(me), await newCategory(me)]
    const expense = await book(me, secret, { amount: '77', categoryId: food.id, note: 'Hush' })
    await change(me, expense, { amount: '78', status: 'reconciled' })
    await change(me, expense, { status: 'cleared', force: true })
    await ok(mergeCategory, { as: me, id: out.id, json: { categoryId: food.id } })
    await change(me, expense, { accountId: open.id, amount: '5', note: null })
    await change(me, expense, { description: 'Seen' })
    const token = await restrictedTo(me, open)

    const { text, body } = await call(listTransactionVersions, { as: token, id: expense.id })
    expect([text.includes(secret.id), text.includes(food.id), text.includes('Hush')]).toEqual([
      false,
      false,
      false,
    ])
    expect(/"7[78]\.00"/.test(text)).toBe(false)
    expect(body.versions.map(({ changes }) => changes.length > 0)).toEqual([
      true,
      true,
      ...[false, false, false, false],
    ])
    expect(body.versions.some(({ forced }) => forced)).toBe(false)
    expect(fieldsOf(body.versions[1])).toMatchObject({ accountId: [null, open.id] })
    const first = await call(listTransactionVersions, {
      as: token,
      id: expense.id,
      query: { limit: 2 },
    })
    const query = { limit: 2, cursor: first.body.nextCursor ?? '' }
    const second = await call(listTransactionVersions, { as: token, id: expense.id, query })
    expect(second.body.versions.map(({ changes }) => changes)).toEqual([[], []])
    // Its owner is told all of it.
    const own = await historyOf(me, expense)
    expect(fieldsOf(own[1])).toMatchObject({ accountId: [secret.id, open.id] })
    expect(fieldsOf(own[2])).toEqual({ categoryId: [food.id, out.id] })
  })

  it('learns nothing of the other side of a transfer', async () => {
    const me = await newUser()
    const [open, secret] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const json = {
      fromAccountId: open.id,
      toAccountId: secret.id,
      date: '2026-11-01',
      amount: '100',
      toAmount: '16000',
    }
    const { from, to } = await ok(createTransfer, { as: me, json })
    const token = await restrictedTo(me, open)
    const seen = await call(listTransactionVersions, { as: token, id: from.id })
    expect([seen.text.includes(secret.id), seen.text.includes('16000')]).toEqual([false, false])
    const unseen = await call(listTransactionVersions, { as: token, id: to.id })
    expect(refusal(unseen)).toEqual([404, 'transactions.notFound'])
  })
})
