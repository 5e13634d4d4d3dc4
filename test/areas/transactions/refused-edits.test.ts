import { expect, it } from 'vitest'
import { updateExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  deleteSplits,
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { lock } from '../period-locks/locking.ts'
import { book, change, newCategory, refusal } from './booking.ts'
import { changeAll } from './bulk.ts'

const date = '2025-12-20'

/** One of each that some edits do not fit, on accounts of last year. */
async function newBooks() {
  const me = await newUser()
  const one = await newAccount(me, { openingBalance: '50', openingDate: date })
  const two = await newAccount(me)
  const splits = [{ amount: '10' }, { amount: '2.30', transferAccountId: two.id }]
  const split = await book(me, one, { date, splits })
  const json = { fromAccountId: one.id, toAccountId: two.id, date, amount: '100' }
  return {
    ...{ me, one, split },
    adjustment: await book(me, one, { date, kind: 'adjustment' }),
    category: await newCategory(me),
    transfer: await ok(createTransfer, { as: me, json }),
    /** The other side of the part that is a transfer. */
    side: split.splits[1]?.transfer?.transactionId ?? '',
  }
}

type Books = Awaited<ReturnType<typeof newBooks>>

const parts = [{ amount: '10' }, { amount: '2.30' }]
async function opening({ me, one }: Books): Promise<string> {
  const query = { accountId: one.id, kind: 'opening' }
  return (await ok(listTransactions, { as: me, query })).transactions[0]?.id ?? ''
}

const REFUSED: Record<
  string,
  [ask: (books: Books) => Promise<Parameters<typeof refusal>[0]>, ...refused: (string | number)[]]
> = {
  'a part that is not there': [
    ({ me, split }) =>
      change(me, split, {
        splits: [{ id: `${split.splits[0]?.id}9`, amount: '10' }, { amount: '2.30' }],
      }),
    ...[400, 'transactions.unknownSplit', 'splits.0.id'],
  ],
  'parts of an adjustment': [
    ({ me, adjustment: { id } }) => call(replaceSplits, { as: me, id, json: { splits: parts } }),
    ...[400, 'transactions.categoryOnAdjustment', 'splits'],
  ],
  'a category for an adjustment among many': [
    ({ me, adjustment: { id }, category }) =>
      changeAll(me, { ids: [id], changes: { categoryId: category.id } }),
    ...[400, 'transactions.categoryOnAdjustment', 'changes.categoryId'],
  ],
  'a description for the other side of a part among many': [
    ({ me, side }) => changeAll(me, { ids: [side], changes: { description: 'x' } }),
    ...[409, 'transactions.partLeg', 'changes.description'],
  ],
  'another amount of an expense with parts': [
    ({ me, split: { id } }) => call(updateExpense, { as: me, id, json: { amount: '13' } }),
    ...[400, 'transactions.splitSum', 'splits'],
  ],
  'another amount that arrives in the same currency': [
    ({ me, transfer: { id } }) => call(updateTransfer, { as: me, id, json: { toAmount: '99' } }),
    ...[400, 'ledger.transferMismatch', 'toAmount'],
  ],
  'parts of an opening balance': [
    async (books) =>
      call(replaceSplits, { as: books.me, id: await opening(books), json: { splits: parts } }),
    ...[409, 'transactions.opening', 'splits'],
  ],
  'no parts of an opening balance': [
    async (books) => call(deleteSplits, { as: books.me, id: await opening(books) }),
    ...[409, 'transactions.opening', 'splits'],
  ],
  'a part on a locked day that is no transfer any more': [
    async ({ me, split }) => {
      await lock(me)
      const path = { id: split.id, lineId: split.splits[1]?.id ?? '' }
      return call(updateSplit, { as: me, path, json: { transferAccountId: null } })
    },
    ...[409, 'locks.periodLocked', 'date'],
  ],
}

it.each(Object.entries(REFUSED))('an edit is refused: %s', async (_, [ask, ...refused]) => {
  expect(refusal(await ask(await newBooks()))).toEqual(refused)
})
