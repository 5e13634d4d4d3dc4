import { describe, expect, it } from 'vitest'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createTag, updateTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { updateTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, expenseOn, newCategory, refusal } from './booking.ts'

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const category = await newCategory(me)
  const tag = await ok(createTag, { as: me, json: { name: 'Tag' } })
  const stored = await book(me, account)
  const ofOtherKind = () =>
    ok(updateCategory, { as: me, id: category.id, json: { kind: 'income' } })
  const archived = () => ok(updateTag, { as: me, id: tag.id, json: { archived: true } })
  const lines = () =>
    rows<{ id: string }>(
      `SELECT e.transaction_id AS id FROM entries e WHERE e.owner_id = ? AND e.category_id IS NOT NULL
        UNION ALL SELECT t.transaction_id FROM transaction_tags t JOIN transactions x ON x.id = t.transaction_id
          WHERE x.owner_id = ?`,
      me.id,
      me.id,
    )
  return { me, account, category, tag, stored, ofOtherKind, archived, lines }
}

type Books = Awaited<ReturnType<typeof newBooks>>

const bulk = ({ account, category, tag }: Books, what: 'category' | 'tag') => ({
  transactions: [
    expenseOn(account),
    expenseOn(account, what === 'tag' ? { tagIds: [tag.id] } : { categoryId: category.id }),
  ],
})

const changed = ({ category, tag }: Books, what: 'category' | 'tag') =>
  what === 'tag' ? { tagIds: [tag.id] } : { categoryId: category.id }

describe.each([
  ['category', 'that gets another kind', 'transactions.categoryKind'],
  ['tag', 'that is archived', 'tags.archivedTag'],
] as const)('with a %s %s between reading and writing', (what, _, code) => {
  const meanwhileOf = (books: Books) => (what === 'tag' ? books.archived : books.ofOtherKind)

  it('nothing of many is booked', async () => {
    const books = await newBooks()
    const { call } = serviceWith({ meanwhile: meanwhileOf(books) })
    const refused = await call(createTransactions, { as: books.me, json: bulk(books, what) })
    expect(refusal(refused)).toEqual([400, code])
    expect(await books.lines()).toEqual([])
  })

  it('nothing is changed', async () => {
    const books = await newBooks()
    const { call } = serviceWith({ meanwhile: meanwhileOf(books) })
    const { id } = books.stored
    const json = changed(books, what)
    expect(refusal(await call(updateTransaction, { as: books.me, id, json }))).toEqual([400, code])
    expect(await books.lines()).toEqual([])
  })

  it('nothing of many is changed', async () => {
    const books = await newBooks()
    const { call } = serviceWith({ meanwhile: meanwhileOf(books) })
    const json = { ids: [books.stored.id], changes: changed(books, what) }
    expect(refusal(await call(updateTransactions, { as: books.me, json }))).toEqual([400, code])
    expect(await books.lines()).toEqual([])
  })
})
