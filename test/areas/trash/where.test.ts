import { expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { deleteExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { deleteTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, fetchRaw, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { newBooks, trashOf } from './trashing.ts'

type Trashed = Awaited<ReturnType<typeof ok<typeof deleteAccount>>>

/** Restores something by what the answer to its deletion says, and nothing else. */
async function restoreBy(as: Principal, { trash }: Trashed): Promise<number> {
  const headers = { Authorization: `Bearer ${as.accessToken}` }
  return (await fetchRaw(trash?.restore ?? '', { method: 'POST', headers })).status
}

it('says of everything that goes to the trash where it is, until when, and what restores it', async () => {
  const { me, one, two, spend, move } = await newBooks()
  const [category, expense, other, transfer] = [
    await newCategory(me),
    await spend(),
    await spend(),
    await move(two),
  ]
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
  const answers = {
    [category.id]: await ok(deleteCategory, { as: me, id: category.id }),
    [tag.id]: await ok(deleteTag, { as: me, id: tag.id }),
    [payee.id]: await ok(deletePayee, { as: me, id: payee.id }),
    [expense.id]: await ok(deleteTransaction, { as: me, id: expense.id }),
    [other.id]: await ok(deleteExpense, { as: me, id: other.id }),
    [transfer.id]: await ok(deleteTransfer, { as: me, id: transfer.id }),
    [one.id]: await ok(deleteAccount, { as: me, id: one.id }),
  }
  const listed = (await trashOf(me)).items.map(({ kind, id, purgeAt }) => ({ kind, id, purgeAt }))
  expect(listed).toHaveLength(7)
  for (const { kind, id, purgeAt } of listed) {
    expect(answers[id]?.trash).toEqual({
      kind,
      id,
      purgeAt,
      restore: `/trash/${kind}/${id}/restore`,
    })
  }
  // The account first: what was booked on it waits for it.
  for (const answer of Object.values(answers).toReversed()) {
    expect(await restoreBy(me, answer)).toBe(200)
  }
  expect((await trashOf(me)).count).toBe(0)
})

it('names no place to whoever deletes a booking on an account of somebody else', async () => {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  await share(owner, account, friend, { permission: 'write' })
  const { id } = await book(friend, account)
  const { status, body } = await call(deleteTransaction, { as: friend, id })
  expect([status, body]).toEqual([
    200,
    { message: 'The transaction is in the trash.', trash: null },
  ])
  expect((await trashOf(friend)).count).toBe(0)
  expect((await trashOf(owner)).items.map((item) => item.id)).toEqual([id])
})
