import { describe, expect, it } from 'vitest'
import {
  getAccountByID,
  getAccountDetails,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteSplits,
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, change, type Changes, newCategory, refusal } from './booking.ts'

const REFUSED = [409, 'transactions.reconciled']

async function newBooks() {
  const me = await newUser()
  return { me, account: await newAccount(me) }
}

/** Of each change that the log tells of, whether it says that it was forced; the first change first. */
const forcedIn = async (id: string) =>
  (await eventsOf(id))
    .filter(({ type }) => !type.endsWith('.created'))
    .map(({ content }) => content?.forced === true)

describe('a reconciled transaction', () => {
  it('changes what is on the statement only by force, and the log tells of the force', async () => {
    const { me, account } = await newBooks()
    const mine = await book(me, account, { status: 'reconciled' })
    const other = await newAccount(me)
    const changes: Changes[] = [
      { amount: '9' },
      { accountId: other.id },
      { date: '2026-01-05' },
      { kind: 'income' },
      { status: 'cleared' },
      { status: 'void' },
      { splits: [{ amount: '12' }, { amount: '0.30' }] },
      { note: 'late', amount: '9' },
      { originalAmount: '11', originalCurrency: 'USD' },
    ]
    for (const json of changes) {
      expect(refusal(await change(me, mine, json)), JSON.stringify(json)).toEqual(REFUSED)
      expect(refusal(await change(me, mine, { ...json, force: false }))).toEqual(REFUSED)
    }
    expect(await ok(getTransaction, { as: me, id: mine.id })).toEqual(mine)
    const { id: categoryId } = await newCategory(me)
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const free: Changes[] = [
      ...[{ note: 'late' }, { reviewed: true }, { private: true }, { description: 'x' }],
      { excludeFromReports: true },
      ...[{ payeeRaw: 'Shop 12' }, { categoryId }, { tagIds: [tagId] }, { metadata: { a: 1 } }],
      ...[{ status: 'reconciled' as const, note: 'both' }, { amount: mine.amount }, {}],
    ]
    for (const json of free) {
      expect((await change(me, mine, json)).status, JSON.stringify(json)).toBe(200)
    }
    expect(await forcedIn(mine.id)).not.toContain(true)
    const before = (await forcedIn(mine.id)).length
    const forced = await change(me, mine, { amount: '9', force: true })
    expect(forced.body).toMatchObject({ amount: '9.00', status: 'reconciled' })
    await change(me, mine, { status: 'cleared', force: true })
    // It is reconciled no more: force has nothing to say, and is not told.
    await change(me, mine, { note: 'free', force: true })
    expect((await forcedIn(mine.id)).slice(before)).toEqual([true, true, false])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is made one without force, from the start or later, and confirmed again', async () => {
    const { me, account } = await newBooks()
    const mine = await book(me, account)
    const set: Changes = { status: 'reconciled', reviewed: true }
    expect((await change(me, mine, set)).status).toBe(200)
    expect((await change(me, mine, { status: 'reconciled' })).status).toBe(200)
    expect(await forcedIn(mine.id)).toEqual([false, false])
  })

  it('goes to the trash only by force', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account, { status: 'reconciled' })
    for (const query of [{}, { force: 'false' }]) {
      expect(refusal(await call(deleteTransaction, { as: me, id, query }))).toEqual(REFUSED)
    }
    const odd = await call(deleteTransaction, { as: me, id, query: { force: 'yes' } })
    expect(refusal(odd)).toEqual([400, 'request.invalid', 'force'])
    expect((await call(deleteTransaction, { as: me, id, query: { force: 'true' } })).status).toBe(
      200,
    )
    expect(await forcedIn(id)).toEqual([true])
  })

  it('keeps its parts, unless by force', async () => {
    const { me, account } = await newBooks()
    const splits = [{ amount: '12' }, { amount: '0.30' }]
    const mine = await book(me, account, { splits, status: 'reconciled' })
    const { id } = mine
    const path = { id, lineId: mine.splits[0]?.id ?? '' }
    const others = [{ amount: '11' }, { amount: '1.30' }]
    for (const refused of [
      await call(replaceSplits, { as: me, id, json: { splits: others } }),
      await call(deleteSplits, { as: me, id }),
    ]) {
      expect(refusal(refused)).toEqual(REFUSED)
    }
    expect(await ok(getTransaction, { as: me, id })).toEqual(mine)
    await ok(updateSplit, { as: me, path, json: { note: 'x' } })
    await ok(replaceSplits, { as: me, id, json: { splits: others, force: true } })
    const whole = await ok(deleteSplits, { as: me, id, query: { force: 'true' } })
    expect(whole.splits).toEqual([])
    expect(await forcedIn(id)).toEqual([false, true, true])
  })

  it('that became one meanwhile is not changed by a request that saw it before', async () => {
    const { me, account } = await newBooks()
    const mine = await book(me, account)
    const meanwhile = () => change(me, mine, { status: 'reconciled' })
    const asked = await serviceWith({ meanwhile }).call(deleteTransaction, { as: me, id: mine.id })
    expect(refusal(asked)).toEqual([409, 'request.conflict'])
    expect((await ok(getTransaction, { as: me, id: mine.id })).status).toBe('reconciled')
  })
})

describe('a transfer with a reconciled leg', () => {
  const transferred = async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    const json = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20' }
    const transfer = await ok(createTransfer, { as: me, json: { ...json, amount: '10' } })
    await change(me, transfer.from, { status: 'reconciled' })
    return { me, id: transfer.id, from: transfer.from, to: transfer.to }
  }

  it('moves as a whole only by force', async () => {
    const { me, id, from, to } = await transferred()
    const before = await ok(getTransfer, { as: me, id })
    for (const refused of [
      await call(updateTransfer, { as: me, id, json: { date: '2026-01-05' } }),
      await call(updateTransfer, { as: me, id, json: { amount: '11' } }),
      await call(updateTransfer, { as: me, id, json: { status: 'cleared' } }),
      await call(deleteTransfer, { as: me, id }),
    ]) {
      expect(refusal(refused)).toEqual([409, 'transfers.reconciled'])
    }
    expect(await ok(getTransfer, { as: me, id })).toEqual(before)
    await ok(updateTransfer, { as: me, id, json: { status: 'reconciled' } })
    const forced = await ok(updateTransfer, { as: me, id, json: { amount: '11', force: true } })
    expect(forced.toAmount).toBe('11.00')
    await ok(deleteTransfer, { as: me, id, query: { force: 'true' } })
    // The first change was of one leg alone, which the other tells as well: it has a new version.
    expect(await forcedIn(from.id)).toEqual([false, false, true, true])
    expect(await forcedIn(to.id)).toEqual([false, false, true, true])
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps the status of that leg; words, and the other leg, are free', async () => {
    const { me, from, to } = await transferred()
    expect(refusal(await change(me, from, { status: 'cleared' }))).toEqual(REFUSED)
    for (const [leg, json] of [
      [from, { note: 'x' }],
      [to, { note: 'y' }],
      [to, { status: 'cleared' }],
      [to, { status: 'reconciled' }],
    ] as const) {
      expect((await change(me, leg, json)).status).toBe(200)
    }
    expect(refusal(await change(me, to, { status: 'cleared' }))).toEqual(REFUSED)
    expect((await change(me, to, { status: 'cleared', force: true })).body.status).toBe('cleared')
  })

  it('says first that money is not moved by a leg', async () => {
    const { me, to } = await transferred()
    const refused = await change(me, to, { amount: '3' })
    expect(refusal(refused)).toEqual([409, 'transactions.transferLeg', 'amount'])
  })
})

describe('a reconciled opening balance', () => {
  it('is booked anew only by force; the rest of its account changes freely', async () => {
    const me = await newUser()
    const opening = { openingBalance: '100', openingDate: '2026-01-01' }
    const { id } = await newAccount(me, opening)
    const { transactions } = await ok(getAccountDetails, { as: me, id })
    await change(me, { id: transactions[0]?.id ?? '' }, { status: 'reconciled' })
    const wrong = [{ openingBalance: '90' }, { openingDate: '2025-12-31' }, { openingBalance: '0' }]
    for (const json of wrong) {
      const refused = await call(updateAccount, { as: me, id, json })
      expect(refusal(refused)).toEqual([409, 'accounts.openingReconciled'])
    }
    await ok(updateAccount, { as: me, id, json: { note: 'x', openingBalance: '100.00' } })
    expect((await ok(getAccountByID, { as: me, id })).openingBalance).toBe('100.00')
    const json = { openingBalance: '90', force: true }
    const changed = await ok(updateAccount, { as: me, id, json })
    expect(changed).toMatchObject({ openingBalance: '90.00', reconciledBalance: '90.00' })
    await ok(updateAccount, { as: me, id, json: { note: 'y', force: true } })
    expect(await forcedIn(id)).toEqual([false, true, false])
    await ok(updateAccount, { as: me, id, json: { openingBalance: '0', force: true } })
    expect(await forcedIn(transactions[0]?.id ?? '')).toEqual([false, true, true])
    expect(await differencesOf(me)).toEqual([])
  })
})
