import { expect, it } from 'vitest'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteSplits,
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { parseMoney } from '../../../src/domain/money.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, change, newCategory } from './booking.ts'

const EDITS = 100

const many = <Result>(count: number, make: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

/** Two of everything that can be merged, on splits, transfers, and rows that could be one. */
async function newBooks() {
  const me = await newUser()
  const accounts = [
    await newAccount(me, { openingBalance: '1000' }),
    await newAccount(me),
    await newAccount(me, { currency: 'JPY' }),
  ]
  const at = (place: number) => accounts[place % 3] ?? { id: '', currency: '' }
  const categories = await many(6, () => newCategory(me))
  const tags = await many(6, (n) => ok(createTag, { as: me, json: { name: `Tag ${n}` } }))
  const payees = await many(6, (n) => ok(createPayee, { as: me, json: { name: `Payee ${n}` } }))
  const ids = { categories, tags, payees }
  const idOf = (kind: keyof typeof ids, place: number) => ids[kind][place % 6]?.id ?? ''
  const partsAt = (place: number, amounts = ['10', '3', '-1']) =>
    amounts.map((amount, part) => ({
      amount,
      categoryId: idOf('categories', place + part),
      payeeId: idOf('payees', place + part),
      tagIds: [idOf('tags', place + part), idOf('tags', place + part + 1)],
    }))
  const splits = await many(12, (place) =>
    book(me, at(place), { amount: '12', splits: partsAt(place) }),
  )
  const singles = await many(12, (place) =>
    book(me, at(place % 2), {
      kind: place % 2 === 0 ? 'expense' : 'income',
      amount: '40',
      payeeId: idOf('payees', place),
      tagIds: [idOf('tags', place)],
    }),
  )
  const transfers = await many(12, (place) =>
    ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: at(place).id,
        toAccountId: at(place + 1).id,
        date: '2026-11-20',
        amount: '20',
        ...(at(place).currency === at(place + 1).currency ? {} : { rate: '2' }),
        ...(place % 2 === 0 ? {} : { tagIds: [idOf('tags', place)] }),
      },
    }),
  )
  return { me, accounts, at, idOf, partsAt, splits, singles, transfers }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Edit = (books: Books, at: number) => Promise<Answer>

interface Answer {
  status: number
  text: string
  error: { code?: string }
}

/** As somebody who is told that the row has changed, and sends it again. */
async function persistently(edit: () => Promise<Answer>): Promise<Answer> {
  let answer = await edit()
  for (let tries = 1; tries < 8 && answer.error.code === 'request.conflict'; tries++) {
    answer = await edit()
  }
  return answer
}

const one = <Item>(list: Item[], at: number): Item => list[at % list.length] as Item

const ofSplits: Edit[] = [
  ({ me, splits, partsAt }, at) =>
    call(replaceSplits, {
      as: me,
      id: one(splits, at).id,
      json: { splits: partsAt(at, at % 2 === 0 ? ['5', '7'] : ['1', '2', '3', '6']) },
    }),
  ({ me, splits, idOf }, at) => {
    const { id, splits: parts } = one(splits, at)
    const path = { id, lineId: one(parts, at).id }
    const json = { categoryId: idOf('categories', at), payeeId: idOf('payees', at + 2) }
    return call(updateSplit, { as: me, path, json })
  },
  ({ me, splits }, at) => call(deleteSplits, { as: me, id: one(splits, at * 5).id }),
  ({ me, splits, partsAt }, at) =>
    change(me, one(splits, at), { amount: `${21 + at}`, splits: partsAt(at, ['20', `${at + 1}`]) }),
  ({ me, splits, at: accountAt }, at) =>
    change(me, one(splits, at), { accountId: accountAt(at).id, date: `2026-0${1 + (at % 9)}-11` }),
  ({ me, splits }, at) =>
    at % 5 === 0
      ? call(deleteTransaction, { as: me, id: one(splits, at).id })
      : change(me, one(splits, at), { status: at % 2 === 0 ? 'void' : 'cleared' }),
]

const ofTransfers: Edit[] = [
  ({ me, transfers }, at) =>
    call(updateTransfer, { as: me, id: one(transfers, at).id, json: { amount: `${at + 1}` } }),
  ({ me, transfers, idOf }, at) =>
    call(updateTransfer, {
      as: me,
      id: one(transfers, at).id,
      json: { date: '2026-01-31', fee: { amount: '1', categoryId: idOf('categories', at) } },
    }),
  ({ me, transfers }, at) =>
    change(me, one(transfers, at).from, { status: 'cleared', note: `${at}` }),
  ({ me, transfers }, at) =>
    at % 3 === 0
      ? call(deleteTransfer, { as: me, id: one(transfers, at).id })
      : call(updateTransfer, { as: me, id: one(transfers, at).id, json: { status: 'void' } }),
  ({ me, transfers }, at) => call(unmatchTransfer, { as: me, id: one(transfers, at).id }),
  ({ me, singles }, at) =>
    call(matchTransfer, {
      as: me,
      json: {
        fromTransactionId: one(singles, at * 2).id,
        toTransactionId: one(singles, at * 2 + 1 + 2 * (at % 2)).id,
      },
    }),
  ({ me, singles, at: accountAt }, at) =>
    change(me, one(singles, at), { accountId: accountAt(at).id, amount: `${at + 1}` }),
  ({ me, singles, splits }, at) =>
    call(updateTransactions, {
      as: me,
      json: {
        ids: [one(singles, at).id, one(splits, at).id],
        changes: { date: `2026-0${1 + (at % 9)}-12`, status: 'cleared' },
      },
    }),
  ({ me, singles }, at) =>
    call(mergeDuplicate, {
      as: me,
      json: { keepId: one(singles, at).id, dropId: one(singles, at + 2).id },
    }),
]

const ofMerges: Edit[] = [
  ({ me, idOf }, at) =>
    call(mergeCategory, {
      as: me,
      id: idOf('categories', at),
      json: { categoryId: idOf('categories', at + 1) },
    }),
  ({ me, idOf }, at) =>
    call(deleteCategory, {
      as: me,
      id: idOf('categories', at),
      query: { reassignTo: idOf('categories', at + 2) },
    }),
  ({ me, idOf }, at) =>
    call(mergePayees, {
      as: me,
      id: idOf('payees', at),
      json: { payeeIds: [idOf('payees', at + 1)] },
    }),
  ({ me, idOf }, at) =>
    call(mergeTag, {
      as: me,
      id: idOf('tags', at),
      json: { tagId: idOf('tags', at + 1) },
    }),
  ({ me, idOf }, at) => call(deleteTag, { as: me, id: idOf('tags', at) }),
]

it.each([
  ['splits', ofSplits],
  ['transfers', ofTransfers],
  ['splits, transfers and merges', [...ofSplits, ...ofTransfers, ...ofMerges]],
])('100 edits of %s at once leave every transaction balanced', async (_, edits) => {
  const books = await newBooks()
  const { me, accounts } = books
  const answers = await many(EDITS, (at) =>
    persistently(() => one(edits, at)(books, Math.floor(at / edits.length))),
  )
  // Who was overtaken, or names what is gone by now, is told so; nothing else may happen.
  const odd = answers.filter(({ status }) => ![200, 201, 400, 404, 409].includes(status))
  expect(odd.map(({ text }) => text)).toEqual([])
  expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(EDITS / 5)
  expect(await differencesOf(me)).toEqual([])

  const { transactions, nextCursor } = await ok(listTransactions, {
    as: me,
    query: { limit: 200 },
  })
  expect(nextCursor).toBeNull()
  const minor = (text: string, currency: string) => parseMoney(text, currency, { signed: true })
  for (const account of accounts) {
    const moved = transactions
      .filter(({ accountId, status }) => accountId === account.id && status !== 'void')
      .reduce((sum, { signedAmount, currency }) => sum + minor(signedAmount, currency), 0)
    expect(minor(await balanceOf(me, account), account.currency)).toBe(moved)
  }
  for (const { splits, amount, currency } of transactions.filter((row) => row.splits.length > 0)) {
    const parts = splits.reduce((sum, part) => sum + minor(part.amount, currency), 0)
    expect(parts).toBe(minor(amount, currency))
  }
})
