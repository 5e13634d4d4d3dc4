import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { deleteAccount, closeAccount } from '../../src/areas/money/accounts/accounts.routes.ts'
import { mergeCategory } from '../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../src/areas/money/payees/payees.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteTransaction,
  updateTransaction,
} from '../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../src/areas/money/transfers/transfers.routes.ts'
import { eraseFromTrash, restoreFromTrash } from '../../src/areas/money/trash/trash.routes.ts'
import { createValuation } from '../../src/areas/money/valuations/valuations.routes.ts'
import { eventTypes } from '../../src/platform/log/events.ts'
import type { LoggedEvent } from '../../src/platform/work/reader-rows.ts'
import type { Reader } from '../../src/platform/work/readers.ts'
import { tick } from '../../src/platform/work/tasks.ts'
import { book, expenseOn, newCategory } from '../areas/transactions/booking.ts'
import { eventsOfAll } from '../areas/ledger/events.ts'
import { ok } from '../support/api.ts'
import { newAccount, newUser } from '../support/world.ts'
import { giveToken } from '../areas/access-tokens/tokens.ts'

/** Wants all that happens to transactions, and keeps it. */
function newListener() {
  const seen: LoggedEvent[] = []
  const reader: Reader = {
    name: 'test.money',
    types: [...eventTypes()].filter((type) => /^(transaction|transfer)\./.test(type)),
    react: async (_, events) => {
      seen.push(...events)
      return {}
    },
  }
  const run = () => tick({ jobs: [], schedule: {}, readers: [reader] }, 'every now and then', env)
  return { seen, run }
}

it('sees each way in which money comes in or changes once, in the order of the log', async () => {
  const { seen, run } = newListener()
  await run()
  const me = await newUser()
  const [one, two] = [await newAccount(me, { openingBalance: '5' }), await newAccount(me)]
  const [food, meals] = [await newCategory(me), await newCategory(me)]
  const [shop, mill] = [
    await ok(createPayee, { as: me, json: { name: 'Shop' } }),
    await ok(createPayee, { as: me, json: { name: 'Mill' } }),
  ]
  const trash = (id: string) => ({ as: me, path: { kind: 'transaction' as const, id } })

  const single = await book(me, one, { categoryId: food.id, payeeId: shop.id })
  await ok(updateTransaction, { as: me, id: single.id, json: { amount: '1' } })
  const bySelf = await book(await giveToken(me, ['transactions.write']), one)
  const transactions = Array.from({ length: 120 }, () => expenseOn(one))
  const { results } = await ok(createTransactions, { as: me, json: { transactions } })
  const ids = results.map(({ transaction }) => transaction?.id ?? '').slice(0, 3)
  await ok(updateTransactions, { as: me, json: { ids, changes: { note: 'Many' } } })
  await ok(deleteTransactions, { as: me, json: { ids } })
  await run()
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' }
  const transfer = await ok(createTransfer, { as: me, json })
  await ok(updateTransfer, { as: me, id: transfer.id, json: { amount: '90' } })
  const [left, arrived] = [await book(me, one), await book(me, two, { kind: 'income' })]
  const matching = { fromTransactionId: left.id, toTransactionId: arrived.id }
  const matched = await ok(matchTransfer, { as: me, json: matching })
  await ok(unmatchTransfer, { as: me, id: matched.id })
  const house = await newAccount(me, { type: 'property' })
  const value = { accountId: house.id, date: '2026-11-20', value: '100' }
  await ok(createValuation, { as: me, json: value })
  await ok(mergeCategory, { as: me, id: meals.id, json: { categoryId: food.id } })
  await ok(mergePayees, { as: me, id: mill.id, json: { payeeIds: [shop.id] } })
  await ok(deleteTransaction, { as: me, id: single.id })
  await ok(restoreFromTrash, trash(single.id))
  await ok(deleteTransaction, { as: me, id: single.id })
  await ok(eraseFromTrash, trash(single.id))
  await ok(closeAccount, { as: me, id: two.id, json: { transferTo: one.id } })
  await ok(deleteAccount, { as: me, id: house.id })
  await run()
  await run()

  const types = new Set(seen.map(({ type }) => type))
  expect([...types].toSorted()).toEqual([
    ...['transaction.created', 'transaction.deleted', 'transaction.erased', 'transaction.restored'],
    ...['transaction.updated', 'transfer.matched', 'transfer.unmatched'],
  ])
  const mine = seen.filter(({ ownerId }) => ownerId === me.id)
  expect(
    mine.map(({ type, resourceType, resourceId: id, accountId, ownerId, groupId, version }) => ({
      ...{ type, resourceType, id, accountId, ownerId, groupId, version },
    })),
  ).toEqual(
    (await eventsOfAll(me)).map(
      ({ commitId: _, isInHistory: _history, content: _said, ...event }) => event,
    ),
  )
  // Each says by which operation it came, and with which token.
  expect(mine.find(({ resourceId }) => resourceId === single.id)).toMatchObject({
    operation: 'createTransaction',
    tokenId: null,
  })
  expect(mine.find(({ resourceId }) => resourceId === bySelf.id)).toMatchObject({
    operation: 'createTransaction',
    tokenId: expect.stringMatching(/^tok_/),
  })
  const numbers = seen.map(({ number }) => number)
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
})
