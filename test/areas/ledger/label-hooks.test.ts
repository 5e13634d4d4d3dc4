import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledgerHooks } from '../../../src/areas/index.ts'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { LabelMovement, Movement } from '../../../src/ledger/hooks/hooks.usecases.ts'
import { type LedgerHook, ofLabels, registerHooks } from '../../../src/ledger/ledger.public.ts'
import { refuseIf } from '../../../src/platform/database/premises.ts'
import { db } from '../../../src/platform/database/statements.ts'
import { call, ok, rows } from '../../support/api.ts'
import { book, newCategory, refusal } from '../transactions/booking.ts'
import { LAST_YEAR, newBooks } from './ways.ts'

// What hooks see of labels that change on many transactions at once.

interface Seen {
  at: string
  id: string
  line: number
  accountId: string
  date: string
}

let told: Omit<LabelMovement, 'lines'>[] = []

const keep = (at: 'before' | 'after') => (_: unknown, movements: Movement[]) =>
  ofLabels(movements).map(({ lines, ...movement }) => {
    told.push(movement)
    return db.run(
      sql`INSERT INTO seen SELECT ${at}, transaction_id, line, account_id, date FROM (${lines})`,
    )
  })

const witness: LedgerHook = { guard: keep('before'), follow: keep('after') }

const lock: LedgerHook = {
  guard: (_, movements) =>
    ofLabels(movements).map(({ lines }) =>
      refuseIf(
        sql`EXISTS (SELECT 1 FROM (${lines}) WHERE date < '2026-01-01')`,
        () => new AppError('conflict', 'test.locked', 'That year is over.'),
      ),
    ),
}

/** What the witness saw, which is the same before and after the change. */
async function seen(): Promise<unknown[][]> {
  const all = await rows<Seen>(
    'SELECT at, id, line, account AS accountId, date FROM seen ORDER BY id, line',
  )
  const at = (moment: string) =>
    all
      .filter((one) => one.at === moment)
      .map(({ id, line, accountId, date }) => [id, line, accountId, date])
  expect(at('after')).toEqual(at('before'))
  return at('before')
}

beforeAll(() => rows('CREATE TABLE seen (at TEXT, id TEXT, line INTEGER, account TEXT, date TEXT)'))
beforeEach(async () => {
  told = []
  await rows('DELETE FROM seen')
})
afterEach(() => registerHooks(ledgerHooks))

const TODAY = '2026-11-20'

describe('hooks see', () => {
  it('the lines of a category: a whole, a part, a transfer and a fee, but nothing in the trash', async () => {
    const { me, one, two } = await newBooks()
    const [food, meals] = [await newCategory(me), await newCategory(me)]
    const categoryId = food.id
    const whole = await book(me, one, { categoryId, date: LAST_YEAR })
    const splits = [{ amount: '10' }, { amount: '2.30', categoryId }]
    const split = await book(me, two, { splits })
    const dropped = await book(me, one, { categoryId })
    await ok(deleteTransaction, { as: me, id: dropped.id })
    await book(me, one)
    const json = {
      ...{ fromAccountId: one.id, toAccountId: two.id, date: TODAY, amount: '9' },
      ...{ categoryId, fee: { amount: '1', categoryId } },
    }
    const transfer = await ok(createTransfer, { as: me, json })
    registerHooks([...ledgerHooks, witness])
    await ok(mergeCategory, { as: me, id: meals.id, json: { categoryId } })
    const movement = {
      ...{ what: 'relabelled', field: 'categoryId', from: [food.id], to: meals.id },
    }
    expect(told).toEqual([movement, movement])
    expect(await seen()).toEqual(
      [
        [transfer.id, 1, one.id, TODAY],
        [transfer.id, 2, two.id, TODAY],
        [transfer.id, 5, one.id, TODAY],
        [whole.id, 2, one.id, LAST_YEAR],
        [split.id, 3, two.id, TODAY],
      ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
  })

  it('both accounts of a transfer that has a tag, which comes off and back', async () => {
    const { me, one, two } = await newBooks()
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const json = { fromAccountId: one.id, toAccountId: two.id, date: TODAY, amount: '9' }
    const { id } = await ok(createTransfer, { as: me, json: { ...json, tagIds: [tagId] } })
    registerHooks([...ledgerHooks, witness])
    const lines = [
      [id, 1, one.id, TODAY],
      [id, 2, two.id, TODAY],
    ]
    await ok(deleteTag, { as: me, id: tagId })
    expect(told[0]).toEqual({ what: 'relabelled', field: 'tagIds', from: [tagId], to: null })
    expect(await seen()).toEqual(lines)
    await rows('DELETE FROM seen')
    await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: tagId } })
    expect(told[2]).toEqual({ what: 'relabelled', field: 'tagIds', from: [], to: tagId })
    expect(await seen()).toEqual(lines)
  })

  it('that a category goes which nothing is booked with', async () => {
    const { me } = await newBooks()
    const { id } = await newCategory(me)
    registerHooks([...ledgerHooks, witness])
    await ok(deleteCategory, { as: me, id })
    expect(told[0]).toEqual({ what: 'relabelled', field: 'categoryId', from: [id], to: null })
    expect(await seen()).toEqual([])
  })
})

describe('a category without another one in its place', () => {
  it('is refused while anything is booked with it, whatever hooks say', async () => {
    const { me, one } = await newBooks()
    const { id } = await newCategory(me)
    await book(me, one, { categoryId: id })
    registerHooks([...ledgerHooks, lock])
    expect(refusal(await call(deleteCategory, { as: me, id }))).toEqual([
      ...[409, 'categories.inUse', 'reassignTo'],
    ])
  })

  it('goes off what is in the trash, which no lock is about as nothing of it is booked', async () => {
    const { me, one } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const { id } = await book(me, one, { categoryId, date: LAST_YEAR })
    await ok(deleteTransaction, { as: me, id })
    registerHooks([...ledgerHooks, lock, witness])
    await ok(deleteCategory, { as: me, id: categoryId })
    expect(await seen()).toEqual([])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id } })
    expect((await ok(getTransaction, { as: me, id })).categoryId).toBeNull()
    // It goes back to what has none and is in the trash; what is booked again since is locked.
    const path = { kind: 'category', id: categoryId }
    expect(refusal(await call(restoreFromTrash, { as: me, path }))).toEqual([409, 'test.locked'])
  })
})
