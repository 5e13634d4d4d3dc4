import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, expenseOn, newCategory } from './booking.ts'

it('reads a list in one trip, with two rows more at most for each tag and payee that there is', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const tag = await ok(createTag, { as: me, json: { name: 'Tag' } })
  const payee = await ok(createPayee, { as: me, json: { name: 'Payee' } })
  const cost = async () => costOf((await call(listTransactions, { as: me })).headers)
  await book(me, account)
  await book(me, account)
  const [, plain] = [await cost(), await cost()]
  await rows(
    'INSERT INTO transaction_tags SELECT id, 0, ?2 FROM transactions WHERE owner_id = ?1',
    me.id,
    tag.id,
  )
  await rows(
    'INSERT INTO transaction_payees SELECT id, 0, ?2 FROM transactions WHERE owner_id = ?1',
    me.id,
    payee.id,
  )
  const linked = await cost()
  expect(linked.trips).toBe(1)
  expect(linked.rowsRead - plain.rowsRead).toBeLessThanOrEqual(8)
})

it('writes few rows for a booking, also with all labels, and in bulk', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const category = await newCategory(me)
  await ok(createPayee, { as: me, json: { name: 'Corner shop', aliases: ['CORNER SHOP 1'] } })
  const tagIds = await Promise.all(
    ['One', 'Two'].map(async (name) => (await ok(createTag, { as: me, json: { name } })).id),
  )
  const labels = { categoryId: category.id, payeeRaw: 'CORNER SHOP 1', tagIds }
  // The first of a day and month makes rows of sums.
  await book(me, account, labels)
  const written = async (json: object) => {
    const answer = await call(createTransaction, { as: me, json: expenseOn(account, json) })
    return costOf(answer.headers).rowsWritten
  }
  const transactions = Array.from({ length: 500 }, () => expenseOn(account))
  const many = await call(createTransactions, { as: me, json: { transactions } })
  // Header, two lines, sums by account, day, month and category, the log, and what the indexes of these hold.
  expect(await written({})).toBeLessThanOrEqual(19)
  expect(await written({ ...labels, externalId: 'bank-1' })).toBeLessThanOrEqual(27)
  expect(costOf(many.headers).rowsWritten / 500).toBeLessThan(16.1)
})
