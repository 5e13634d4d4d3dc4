import { expect, it } from 'vitest'
import { accountData } from '../../../src/areas/money/accounts/accounts.data.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { coreOf } from '../../../src/domain/ids.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, newCategory, refusal } from '../transactions/booking.ts'
import { matched, newReceipt, unmatch } from '../transactions/matched-parts.fixtures.ts'
import { bringBack, dropAccount, dropTransaction, erase, newBooks, work } from './trashing.ts'

// Rows that are made of ids of somebody else, as an archive may have brought them: nothing of that person changes.

/** Somebody with a transaction of 40.00 that has a category, a payee and a tag. */
async function newVictim() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '100' })
  const category = await newCategory(me)
  const payee = await ok(createPayee, { as: me, json: { name: 'Bakery' } })
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const labels = { categoryId: category.id, payeeId: payee.id, tagIds: [tag.id] }
  const bought = await book(me, account, { amount: '40', ...labels })
  return { me, account, category, payee, tag, bought }
}

const shown = (as: Principal, { id }: { id: string }) => ok(getTransaction, { as, id })

/** Gives an account, on which nothing is booked, another id. */
async function renameAccount({ id }: { id: string }, to: string): Promise<void> {
  await rows('DELETE FROM account_balances WHERE account_id = ?', id)
  await rows('UPDATE accounts SET id = ? WHERE id = ?', to, id)
  await rows('INSERT INTO account_balances (account_id) VALUES (?)', to)
}

it("erases an account, and no transaction of somebody else that has its opening's id", async () => {
  const victim = await newVictim()
  const other = await newUser()
  const forged = `acc_${coreOf(victim.bought.id)}`
  await renameAccount(await newAccount(other), forged)
  const accounts = accountData.erase?.find(({ name }) => name === 'accounts')
  const ctx = contextWith()
  const scope = { ownerId: other.id, before: ctx.now }
  const statements = (await accounts?.erase([forged, victim.account.id], scope, ctx)) ?? []
  await commit(ctx, { changes: [withoutEvents(statements)], result: undefined })
  expect(await rows('SELECT 1 FROM accounts WHERE owner_id = ?', other.id)).toEqual([])
  expect(await shown(victim.me, victim.bought)).toEqual(victim.bought)
  expect(await balanceOf(victim.me, victim.account)).toBe('60.00')
  expect(await differencesOf(victim.me)).toEqual([])
})

/** Deletes a category, payee and tag of a user, and gives their images these lines. */
async function newImages(as: Principal, id: string, into: Record<string, string | null>) {
  const category = await newCategory(as)
  const payee = await ok(createPayee, { as, json: { name: 'Gotcha' } })
  const tag = await ok(createTag, { as, json: { name: 'Gotcha' } })
  await ok(deleteCategory, { as, id: category.id })
  await ok(deletePayee, { as, id: payee.id })
  await ok(deleteTag, { as, id: tag.id })
  const lines = { category: [2], payee: [0], tag: [0] }
  const all = { category, payee, tag }
  for (const kind of ['category', 'payee', 'tag'] as const) {
    await rows(
      "UPDATE trashed_rows SET image = json_set(image, '$.lines', json(?), '$.into', ?) WHERE id = ?",
      JSON.stringify({ [id]: lines[kind] }),
      into[kind] ?? null,
      all[kind].id,
    )
  }
  return all
}

it('gives a label that is restored no lines of somebody else, booked or in the trash', async () => {
  const { me, category, payee, bought } = await newVictim()
  const other = await newUser()
  for (const isInTrash of [false, true]) {
    if (isInTrash) {
      await dropTransaction(me, bought)
    }
    const [before] = await rows('SELECT * FROM transactions WHERE id = ?', bought.id)
    const images = await newImages(other, bought.id, { category: category.id, payee: payee.id })
    for (const kind of ['category', 'payee', 'tag'] as const) {
      expect((await bringBack(other, kind, images[kind].id)).status).toBeLessThan(300)
      await rows('DELETE FROM trashed_rows WHERE id = ?', images[kind].id)
    }
    expect(await rows('SELECT * FROM transactions WHERE id = ?', bought.id)).toEqual([before])
    for (const kind of ['payee', 'tag'] as const) {
      await ok(kind === 'tag' ? deleteTag : deletePayee, { as: other, id: images[kind].id })
      await rows('DELETE FROM trashed_rows WHERE id = ?', images[kind].id)
    }
  }
  await bringBack(me, 'transaction', bought.id)
  const { version: _v, updatedAt: _u, ...after } = await shown(me, bought)
  expect(bought).toMatchObject(after)
})

it('restores no label whose image names somebody else as its owner', async () => {
  const [victim, other] = [await newUser(), await newUser()]
  const images = await newImages(other, 'txn_0', {})
  await rows(
    "UPDATE trashed_rows SET image = json_set(image, '$.row.ownerId', ?) WHERE owner_id = ?",
    victim.id,
    other.id,
  )
  for (const kind of ['category', 'payee', 'tag'] as const) {
    const { status, error } = await bringBack(other, kind, images[kind].id)
    expect([status, error.code]).toEqual([409, 'trash.damaged'])
  }
  expect((await ok(listTags, { as: victim })).tags).toEqual([])
})

it("gives a part that is unmatched no labels of somebody else's", async () => {
  const { me: victim, category, payee, bought } = await newVictim()
  const { me, whole, part, row } = await newReceipt()
  await matched(me, whole, part, row)
  await rows(
    `UPDATE transactions SET matched_part = json_set(matched_part, '$.categoryId', ?, '$.payeeId', ?) WHERE id = ?`,
    category.id,
    payee.id,
    row.id,
  )
  // What the part has now is what it would have kept of that category.
  await rows(
    `UPDATE transactions SET matched_part = json_set(matched_part, '$.side', 'expense') WHERE id = ?`,
    row.id,
  )
  expect((await unmatch(me, whole, part)).status).toBe(200)
  expect(await rows('SELECT 1 FROM transaction_payees WHERE payee_id = ?', payee.id)).toHaveLength(
    1,
  )
  expect(
    await rows('SELECT owner_id AS owner FROM entries WHERE category_id = ?', category.id),
  ).toEqual([{ owner: victim.id }])
  const next = await ok(createPayee, { as: victim, json: { name: 'Baker' } })
  await ok(deletePayee, { as: victim, id: payee.id, query: { reassignTo: next.id } })
  expect((await shown(victim, bought)).payeeId).toBe(next.id)
  expect(await differencesOf(me)).toEqual([])
})

/** A header of somebody else that has this id, with nothing booked on it. */
async function takeId(id: string): Promise<void> {
  const me = await newUser()
  const { id: from } = await book(me, await newAccount(me), { amount: '1' })
  const columns = await rows<{ name: string }>("SELECT name FROM pragma_table_info('transactions')")
  const names = columns.map(({ name }) => name)
  await rows(
    `INSERT INTO transactions (${names.join()}) SELECT ${names.map((name) => (name === 'id' ? '?1' : name)).join()}
      FROM transactions WHERE id = ?2`,
    id,
    from,
  )
}

it('refuses an opening balance whose id is taken, with what to do', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await takeId(`txn_${coreOf(account.id)}`)
  const answer = await call(updateAccount, {
    as: me,
    id: account.id,
    json: { openingBalance: '5' },
  })
  expect(refusal(answer)).toEqual([409, 'accounts.openingIdTaken', 'openingBalance'])
  expect(await balanceOf(me, account)).toBe('0.00')
})

it('leaves what an erased account moved under another id, where its own is taken', async () => {
  const { me, one, two, move } = await newBooks()
  const [free, taken] = [await move(two), await move(two)]
  await takeId(`txn_${coreOf(taken.id)}`)
  await dropAccount(me, two)
  await erase(me, 'account', two.id)
  await work(me.id)
  expect(await balanceOf(me, one)).toBe('80.00')
  const { transactions } = await ok(listTransactions, { as: me, query: { accountId: one.id } })
  const left = transactions.filter(({ kind }) => kind === 'adjustment').map(({ id }) => id)
  expect(left).toHaveLength(2)
  expect(left).toContain(`txn_${coreOf(free.id)}`)
  expect(left).not.toContain(`txn_${coreOf(taken.id)}`)
  expect(await differencesOf(me)).toEqual([])
})
