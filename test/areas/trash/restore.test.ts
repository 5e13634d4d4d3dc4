import { describe, expect, it } from 'vitest'
import {
  createAccount,
  getAccountByID,
  deleteAccount,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, close, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import {
  bringBack,
  dropAccount,
  dropTransaction,
  dropTransfer,
  erase,
  idsIn,
  newBooks,
  purgeNow,
  stored,
  tokenFor,
} from './trashing.ts'

describe('a transaction', () => {
  it('comes back to the byte, with parts, tags, status and external id', async () => {
    const { me, spend } = await newBooks()
    const [food, { id: tagId }] = [
      await newCategory(me),
      await ok(createTag, { as: me, json: { name: 'Trip' } }),
    ]
    const expense = await spend({
      status: 'reconciled',
      externalId: 'x',
      splits: [{ amount: '7', categoryId: food.id, tagIds: [tagId] }, { amount: '-2' }],
      tagIds: [tagId],
      metadata: { a: 1 },
    })
    const before = await stored(me)
    const seen = await ok(getTransaction, { as: me, id: expense.id })
    await rows('UPDATE transactions SET version = version + 1 WHERE id = ?', expense.id)
    await dropTransaction(me, expense)
    const answer = await bringBack(me, 'transaction', expense.id)
    expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
    expect(answer.body).toEqual({ message: 'The transaction was restored.' })
    expect(await stored(me)).toEqual(before)
    const { updatedAt: _, ...after } = await ok(getTransaction, { as: me, id: expense.id })
    expect({ ...seen, version: 4 }).toMatchObject(after)
    expect(await differencesOf(me)).toEqual([])
    const events = await eventsOf(expense.id)
    const [created, dropped, restored] = events.map(({ content }) => content)
    expect(created?.after).toEqual({
      ...{ kind: 'expense', date: '2026-03-02', amountMinor: -500, status: 'reconciled' },
      ...{ externalId: 'x', tagIds: [tagId], metadata: { a: 1 } },
      splits: [
        { line: 2, amountMinor: 700, categoryId: food.id, tagIds: [tagId] },
        { line: 3, amountMinor: -200 },
      ],
    })
    expect(dropped).toEqual({ before: created?.after, forced: true })
    expect(restored).toEqual({ after: created?.after })
    // It had another version meanwhile, without an event.
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['transaction.created', 1],
      ['transaction.deleted', 3],
      ['transaction.restored', 4],
    ])
  })

  it('is refused while its account is in the trash or closed, and where its external id was taken', async () => {
    const { me, one, spend } = await newBooks()
    const expense = await spend({ externalId: 'x' })
    await dropTransaction(me, expense)
    await dropAccount(me, one)
    const again = () => bringBack(me, 'transaction', expense.id)
    expect(refusal(await again())).toEqual([409, 'trash.accountInTrash'])
    expect(await idsIn(me)).toEqual([one.id, expense.id])
    await bringBack(me, 'account', one.id)
    await close(one)
    expect(refusal(await again())).toEqual([409, 'trash.accountClosed'])
    await rows("UPDATE accounts SET status = 'open' WHERE id = ?", one.id)
    const other = await spend({ externalId: 'x' })
    expect(refusal(await again())).toEqual([409, 'trash.externalIdTaken'])
    await dropTransaction(me, other)
    expect((await again()).status).toBe(200)
    expect(refusal(await again())).toEqual([404, 'trash.notFound'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('comes back without a category that is gone', async () => {
    const { me, spend } = await newBooks()
    const food = await newCategory(me)
    const expense = await spend({ categoryId: food.id })
    await dropTransaction(me, expense)
    await ok(deleteCategory, { as: me, id: food.id })
    await bringBack(me, 'transaction', expense.id)
    expect(await ok(getTransaction, { as: me, id: expense.id })).toMatchObject({ categoryId: null })
    expect(await differencesOf(me)).toEqual([])
  })

  it('shows in the history of its account when it adjusts that', async () => {
    const { me, one, spend } = await newBooks()
    const adjustment = await spend({ kind: 'adjustment', amount: '-7' })
    await dropTransaction(me, adjustment)
    await bringBack(me, 'transaction', adjustment.id)
    const [last] = await ok(getAccountHistory, { as: me, query: { accountId: one.id } })
    expect(last).toMatchObject({
      type: 'balanceAdjusted',
      change: '-7.00',
      balanceBefore: '100.00',
      balanceAfter: '93.00',
      transactionId: adjustment.id,
    })
  })
})

it('a transfer comes back with both legs and its fee, and only as a transfer', async () => {
  const { me, yen, move } = await newBooks()
  const food = await newCategory(me)
  const moved = await move(yen, { toAmount: '1600', fee: { amount: '1', categoryId: food.id } })
  const before = await stored(me)
  await dropTransfer(me, moved)
  expect(refusal(await bringBack(me, 'transaction', moved.id))).toEqual([404, 'trash.notFound'])
  expect(refusal(await bringBack(me, 'transaction', moved.from.id))).toEqual([
    404,
    'trash.notFound',
  ])
  expect((await bringBack(me, 'transfer', moved.id)).status).toBe(200)
  expect(await stored(me)).toEqual(before)
  expect(await ok(getTransfer, { as: me, id: moved.id })).toMatchObject({ fee: { amount: '1.00' } })
})

describe('an account', () => {
  it('comes back with all that was booked on it; what was deleted by itself stays in the trash', async () => {
    const { me, one, two, spend, move } = await newBooks()
    await spend()
    await move(two)
    const expense = await spend()
    await dropTransaction(me, expense)
    const before = await stored(me)
    await dropAccount(me, one)
    expect(await balanceOf(me, two)).toBe('10.00')
    const answer = await bringBack(me, 'account', one.id)
    expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
    expect(await stored(me)).toEqual(before)
    expect(await ok(getAccountByID, { as: me, id: one.id })).toMatchObject({
      balance: '85.00',
      transactionCount: 3,
      version: 3,
    })
    expect(await idsIn(me)).toEqual([expense.id])
    const history = await ok(getAccountHistory, { as: me, query: { accountId: one.id } })
    expect(history.map(({ type }) => type)).toEqual(['restored', 'deleted', 'created'])
    expect(history[0]).toMatchObject({ change: '0.00', balanceAfter: '85.00' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is refused while another one has its name', async () => {
    const { me, one } = await newBooks()
    await dropAccount(me, one)
    const json = { name: one.name, type: 'cash', currency: 'EUR' } as const
    const other = await ok(createAccount, { as: me, json })
    expect(refusal(await bringBack(me, 'account', one.id))).toEqual([409, 'trash.nameTaken'])
    await ok(updateAccount, { as: me, id: other.id, json: { name: 'Another' } })
    expect((await bringBack(me, 'account', one.id)).status).toBe(200)
  })

  it('is not there once its erasure was asked for', async () => {
    const { me, one } = await newBooks()
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    expect(refusal(await bringBack(me, 'account', one.id))).toEqual([404, 'trash.notFound'])
    expect(refusal(await erase(me, 'account', one.id))).toEqual([404, 'trash.notFound'])
  })
})

describe('in a race', () => {
  const restoreMeanwhile = async (
    kind: 'account' | 'transaction',
    id: string,
    as: { accessToken: string },
    meanwhile: () => Promise<unknown>,
  ) => refusal(await serviceWith({ meanwhile }).call(restoreFromTrash, { as, path: { kind, id } }))

  it('ten restores at once bring it back once', async () => {
    const { me, one, spend } = await newBooks()
    const expense = await spend()
    await dropTransaction(me, expense)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bringBack(me, 'transaction', expense.id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([])
    expect(await balanceOf(me, one)).toBe('95.00')
  })

  it('a restore loses against the deletion of its account, its closing, and the purge', async () => {
    const { me, one, spend } = await newBooks()
    const expense = await spend()
    await dropTransaction(me, expense)
    const lost = (meanwhile: () => Promise<unknown>) =>
      restoreMeanwhile('transaction', expense.id, me, meanwhile)
    expect(await lost(() => dropAccount(me, one))).toEqual([409, 'trash.accountInTrash'])
    await bringBack(me, 'account', one.id)
    expect(await lost(() => close(one))).toEqual([409, 'trash.accountClosed'])
    await rows("UPDATE accounts SET status = 'open' WHERE id = ?", one.id)
    const purge = async () => {
      await rows('UPDATE transactions SET deleted_at = 1 WHERE id = ?', expense.id)
      await purgeNow()
    }
    expect(await lost(purge)).toEqual([409, 'trash.changedMeanwhile'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('an account is not restored from under its erasure, nor another name beside its own', async () => {
    const { me, one } = await newBooks()
    await dropAccount(me, one)
    const json = { name: one.name, type: 'cash', currency: 'EUR' } as const
    const add = () => ok(createAccount, { as: me, json })
    expect(await restoreMeanwhile('account', one.id, me, add)).toEqual([409, 'trash.nameTaken'])
    expect(
      await restoreMeanwhile('account', one.id, me, () => erase(me, 'account', one.id)),
    ).toEqual([409, 'trash.changedMeanwhile'])
  })
})

it('is for the owner, and a token that sees all accounts of it', async () => {
  const { me, one, two, move, spend } = await newBooks()
  const [moved, expense, stranger] = [await move(two), await spend(), await newUser()]
  await dropTransfer(me, moved)
  await dropTransaction(me, expense)
  await dropAccount(me, two)
  const token = await tokenFor(me, [one])
  for (const [as, kind, id] of [
    [stranger, 'transfer', moved.id],
    [stranger, 'account', two.id],
    [token, 'transfer', moved.id],
    [token, 'account', two.id],
  ] as const) {
    expect(refusal(await bringBack(as, kind, id))).toEqual([404, 'trash.notFound'])
    expect(refusal(await erase(as, kind, id))).toEqual([404, 'trash.notFound'])
  }
  expect((await bringBack(token, 'transaction', expense.id)).status).toBe(200)
  expect((await call(deleteAccount, { as: token, id: one.id })).status).toBe(403)
})
