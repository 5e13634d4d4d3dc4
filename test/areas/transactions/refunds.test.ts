import { describe, expect, it } from 'vitest'
import {
  createCategory,
  listCategories,
  updateCategory,
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createExpense, listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  matchTransfer,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { bringBack } from '../trash/trashing.ts'
import {
  archive,
  balanceOf,
  book,
  change,
  newCategory,
  refusal,
  type TransactionInput,
  tripsOf,
} from './booking.ts'

/** Clothes for 100.00 in November, and categories for expenses and income. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const named = (name: string, kind: 'expense' | 'income' = 'expense') =>
    ok(createCategory, { as: me, json: { name, kind } })
  const [clothes, food, salary] = [
    await named('Clothes'),
    await named('Food'),
    await named('Salary', 'income'),
  ]
  const expense = await book(me, account, { amount: '100', categoryId: clothes.id })
  const earn = (wanted: Partial<TransactionInput> = {}) =>
    book(me, account, { kind: 'income', amount: '30', ...wanted })
  return { me, account, clothes, food, salary, expense, earn }
}

/** The lines of a transaction as `side amount category`, in their order. */
const linesOf = async ({ id }: { id: string }, table = 'entries') =>
  (
    await rows<{ told: string }>(
      `SELECT side || ' ' || amount_minor || ' ' || ifnull(category_id, '') AS told FROM ${table}
        WHERE transaction_id = ? ORDER BY line`,
      id,
    )
  ).map(({ told }) => told.trim())

/** The sums of November, by the name of the category. */
async function sumsOf(as: Principal): Promise<Record<string, string>> {
  const query = { view: 'tree', fromMonth: '2026-11', toMonth: '2026-11' } as const
  const { categories } = await ok(listCategories, { as, query })
  return Object.fromEntries(
    categories.flatMap(({ name, sums = [] }) =>
      sums.map(({ currency, ownAmount }) => [name, `${ownAmount} ${currency}`]),
    ),
  )
}

describe('an income with a category for expenses', () => {
  it('is on the side of the expenses below zero, and lowers what the category cost', async () => {
    const { me, account, clothes, earn } = await newBooks()
    const refund = await earn({ categoryId: clothes.id })
    expect(refund).toMatchObject({
      ...{ kind: 'income', amount: '30.00', signedAmount: '30.00', categoryId: clothes.id },
    })
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '70.00 EUR' })
    expect(await balanceOf(me, account)).toBe('-70.00')
    const spent = await ok(listExpenses, { as: me, query: { categoryId: clothes.id } })
    expect(spent.count).toBe(1)
    const query = { categoryId: clothes.id, totals: 'true' } as const
    expect(await ok(listTransactions, { as: me, query })).toMatchObject({
      count: 2,
      totals: [{ currency: 'EUR', inflow: '30.00', outflow: '100.00', net: '-70.00', count: 2 }],
    })
    expect(await differencesOf(me)).toEqual([])
  })

  it('may have it on some of its parts', async () => {
    const { me, clothes, salary, earn } = await newBooks()
    const { splits, ...refund } = await earn({
      splits: [
        { amount: '25', categoryId: salary.id },
        { amount: '6', categoryId: clothes.id },
        { amount: '-1', categoryId: clothes.id },
      ],
    })
    expect(splits.map(({ amount }) => amount)).toEqual(['25.00', '6.00', '-1.00'])
    expect(await linesOf(refund)).toEqual([
      'account 3000',
      `income -2500 ${salary.id}`,
      `expense -600 ${clothes.id}`,
      `expense 100 ${clothes.id}`,
    ])
    expect(await sumsOf(me)).toEqual({ Clothes: '95.00 EUR', Salary: '25.00 EUR' })
    const [, second] = splits
    const path = { id: refund.id, lineId: second?.id ?? '' }
    await ok(updateSplit, { as: me, path, json: { categoryId: null } })
    expect((await linesOf(refund))[2]).toBe('income -600')
    const json = { splits: [{ amount: '29', categoryId: clothes.id }, { amount: '1' }] }
    await ok(replaceSplits, { as: me, id: refund.id, json })
    expect((await linesOf(refund)).slice(1)).toEqual([`expense -2900 ${clothes.id}`, 'income -100'])
    expect(await sumsOf(me)).toEqual({ Clothes: '71.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('becomes one, and is none any more, by its category alone', async () => {
    const { me, clothes, food, salary, earn } = await newBooks()
    const refund = await earn({ categoryId: salary.id, status: 'pending' })
    const steps = [
      [clothes.id, `expense -3000 ${clothes.id}`, { Clothes: '70.00 EUR' }],
      [food.id, `expense -3000 ${food.id}`, { Clothes: '100.00 EUR', Food: '-30.00 EUR' }],
      [null, 'income -3000', { Clothes: '100.00 EUR' }],
      [food.id, `expense -3000 ${food.id}`, { Clothes: '100.00 EUR', Food: '-30.00 EUR' }],
      [salary.id, `income -3000 ${salary.id}`, { Clothes: '100.00 EUR', Salary: '30.00 EUR' }],
    ] as const
    for (const [categoryId, line, sums] of steps) {
      const changed = await change(me, refund, { categoryId })
      expect([changed.status, changed.body.categoryId]).toEqual([200, categoryId])
      expect(await linesOf(refund)).toEqual(['account 3000', line])
      expect(await sumsOf(me)).toEqual(sums)
      expect(await differencesOf(me)).toEqual([])
    }
  })

  it('becomes an expense with its category, and a refund again', async () => {
    const { me, clothes, earn } = await newBooks()
    const refund = await earn({ categoryId: clothes.id })
    await change(me, refund, { kind: 'expense' })
    expect(await linesOf(refund)).toEqual(['account -3000', `expense 3000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '130.00 EUR' })
    await change(me, refund, { kind: 'income' })
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '70.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('stays one when its amount, day and account change', async () => {
    const { me, clothes, earn } = await newBooks()
    const refund = await earn({ categoryId: clothes.id })
    const other = await newAccount(me)
    for (const json of [{ amount: '20' }, { date: '2026-11-02' }, { accountId: other.id }]) {
      expect((await change(me, refund, json)).status).toBe(200)
    }
    expect(await linesOf(refund)).toEqual(['account 2000', `expense -2000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '80.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes the category also of somebody who may only describe transactions', async () => {
    const { me, account, clothes, earn } = await newBooks()
    const refund = await earn()
    const friend = await newUser()
    await share(me, account, friend, { permission: 'annotate' })
    expect((await change(friend, refund, { categoryId: clothes.id })).status).toBe(200)
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is one of many that are recorded, and changed, at once', async () => {
    const { me, account, clothes, salary } = await newBooks()
    const income = {
      kind: 'income',
      accountId: account.id,
      date: '2026-11-20',
      amount: '1',
    } as const
    const { results } = await ok(createTransactions, {
      as: me,
      json: {
        transactions: [
          { ...income, categoryId: clothes.id },
          { ...income, categoryId: salary.id },
          { ...income, kind: 'expense', categoryId: clothes.id },
          { ...income, categoryName: 'clothes' },
        ],
      },
    })
    expect(await sumsOf(me)).toEqual({ Clothes: '99.00 EUR', Salary: '1.00 EUR' })
    const ids = results.flatMap(({ transaction }) => transaction?.id ?? [])
    const json = { ids, changes: { categoryId: clothes.id } }
    expect(await ok(updateTransactions, { as: me, json })).toMatchObject({ changed: 1 })
    expect(await sumsOf(me)).toEqual({ Clothes: '98.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is recorded without reading once the process knows the category', async () => {
    const { me, account, clothes } = await newBooks()
    const json = { kind: 'income', accountId: account.id, date: '2026-11-20', amount: '1' } as const
    const create = () =>
      call(createTransaction, { as: me, json: { ...json, categoryId: clothes.id } })
    const [first, second] = [await create(), await create()]
    // The first is booked as an income, refused, read and booked.
    expect([tripsOf(first), tripsOf(second)]).toEqual([3, 1])
    expect(await linesOf(first.body)).toEqual(await linesOf(second.body))
    expect(await sumsOf(me)).toEqual({ Clothes: '98.00 EUR' })
  })

  it('is no refund by a category that was remembered and is for income since', async () => {
    const { me, earn } = await newBooks()
    const category = await newCategory(me)
    const first = await earn({ categoryId: category.id })
    await change(me, first, { categoryId: null })
    await ok(updateCategory, { as: me, id: category.id, json: { kind: 'income' } })
    const income = await earn({ categoryId: category.id })
    expect(await linesOf(income)).toEqual(['account 3000', `income -3000 ${category.id}`])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is refused a category that becomes one for income between reading and writing', async () => {
    const { me, earn } = await newBooks()
    const [category, income] = [await newCategory(me), await earn()]
    const meanwhile = () =>
      ok(updateCategory, { as: me, id: category.id, json: { kind: 'income' } })
    const service = serviceWith({ meanwhile })
    const json = { ids: [income.id], changes: { categoryId: category.id } }
    const refused = await service.call(updateTransactions, { as: me, json })
    expect(refusal(refused)).toEqual([400, 'transactions.categoryKind'])
    expect(await linesOf(income)).toEqual(['account 3000', 'income -3000'])
  })

  it('keeps the kind of its category', async () => {
    const { me, earn } = await newBooks()
    const category = await newCategory(me)
    await earn({ categoryId: category.id })
    const json = { kind: 'income' } as const
    const refused = await call(updateCategory, { as: me, id: category.id, json })
    expect(refusal(refused)).toEqual([409, 'categories.kindStays', 'kind'])
  })
})

describe('a name', () => {
  it('of an income means a category for income, else one for expenses', async () => {
    const { me, clothes, earn } = await newBooks()
    const refund = await earn({ categoryName: 'CLOTHES' })
    expect(refund.categoryId).toBe(clothes.id)
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    const inParts = await earn({
      splits: [{ amount: '29', categoryName: 'clothes' }, { amount: '1' }],
    })
    expect((await linesOf(inParts))[1]).toBe(`expense -2900 ${clothes.id}`)
    const sold = await ok(createCategory, { as: me, json: { name: 'Clothes', kind: 'income' } })
    expect((await earn({ categoryName: 'Clothes' })).categoryId).toBe(sold.id)
    const other = await earn({ categoryName: 'Gifts', createMissing: true })
    expect(await linesOf(other)).toEqual(['account 3000', `income -3000 ${other.categoryId}`])
    expect(await differencesOf(me)).toEqual([])
  })

  it('of an expense that is that of a category for income is refused, or made for expenses', async () => {
    const { me, account, salary } = await newBooks()
    const expense = { accountId: account.id, date: '2026-11-20', amount: '1' }
    const json = { ...expense, kind: 'expense' } as const
    const create = (wanted: Partial<TransactionInput>) =>
      call(createTransaction, { as: me, json: { ...json, ...wanted } })
    const categoryName = 'Salary'
    const splits = [{ amount: '0.5', categoryName: 'salary' }, { amount: '0.5' }]
    const fee = { amount: '0.1', categoryName }
    const { id: toAccountId } = await newAccount(me)
    const transfer = {
      ...expense,
      accountId: undefined,
      fromAccountId: account.id,
      toAccountId,
      fee,
    }
    for (const [refused, field] of [
      [await create({ categoryName }), 'categoryName'],
      [await create({ splits }), 'splits.0.categoryName'],
      [await call(createExpense, { as: me, json: { ...expense, categoryName } }), 'categoryName'],
      [await call(createTransfer, { as: me, json: transfer }), 'fee.categoryName'],
      [
        await call(createTransactions, {
          as: me,
          json: { transactions: [{ ...json, categoryName }] },
        }),
        'transactions.0.categoryName',
      ],
    ] as const) {
      expect(refusal(refused)).toEqual([400, 'categories.incomeName', field])
    }
    const made = await create({ categoryName, createMissing: true })
    expect(made.status).toBe(201)
    expect(made.body.categoryId).not.toBe(salary.id)
  })

  it('that only an archived category has is refused to an income, too', async () => {
    const { clothes, me, account } = await newBooks()
    await archive(clothes)
    const json = { kind: 'income', accountId: account.id, date: '2026-11-20', amount: '1' } as const
    const refused = await call(createTransaction, {
      as: me,
      json: { ...json, categoryName: 'Clothes' },
    })
    expect(refusal(refused)).toEqual([400, 'categories.archivedCategory', 'categoryName'])
  })
})

describe('a refund', () => {
  it('goes with its category when that is merged or reassigned, and comes back with it', async () => {
    const { me, clothes, food, earn } = await newBooks()
    const refund = await earn({ categoryId: clothes.id })
    const trashed = await earn({ categoryId: clothes.id })
    await ok(deleteTransaction, { as: me, id: trashed.id })
    await ok(deleteCategory, { as: me, id: clothes.id, query: { reassignTo: food.id } })
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${food.id}`])
    expect(await sumsOf(me)).toEqual({ Food: '70.00 EUR' })
    await bringBack(me, 'category', clothes.id)
    expect(await linesOf(refund)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '70.00 EUR' })
    await ok(mergeCategory, { as: me, id: food.id, json: { categoryId: clothes.id } })
    await bringBack(me, 'transaction', trashed.id)
    expect(await linesOf(trashed)).toEqual(['account 3000', `expense -3000 ${food.id}`])
    expect(await sumsOf(me)).toEqual({ Food: '40.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is an income when it loses its category in the trash, and a refund when that comes back', async () => {
    const { me, food, earn } = await newBooks()
    const [one, two] = [
      await earn({ categoryId: food.id }),
      await earn({ splits: [{ amount: '29', categoryId: food.id }, { amount: '1' }] }),
    ]
    await ok(deleteTransaction, { as: me, id: one.id })
    await ok(deleteTransaction, { as: me, id: two.id })
    await ok(deleteCategory, { as: me, id: food.id })
    expect(await linesOf(two, 'unbooked_entries')).toEqual([
      ...['account 3000', 'income -2900', 'income -100'],
    ])
    await bringBack(me, 'transaction', one.id)
    expect(await linesOf(one)).toEqual(['account 3000', 'income -3000'])
    expect(await sumsOf(me)).toEqual({ Clothes: '100.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
    await bringBack(me, 'category', food.id)
    await bringBack(me, 'transaction', two.id)
    expect(await linesOf(one)).toEqual(['account 3000', `expense -3000 ${food.id}`])
    expect((await linesOf(two)).slice(1)).toEqual([`expense -2900 ${food.id}`, 'income -100'])
    expect(await sumsOf(me)).toEqual({ Clothes: '100.00 EUR', Food: '-59.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('that became something else meanwhile does not get its category back', async () => {
    const { me, food, earn } = await newBooks()
    const refund = await earn({ categoryId: food.id })
    await ok(deleteTransaction, { as: me, id: refund.id })
    await ok(deleteCategory, { as: me, id: food.id })
    await bringBack(me, 'transaction', refund.id)
    await change(me, refund, { kind: 'expense' })
    await bringBack(me, 'category', food.id)
    expect(await linesOf(refund)).toEqual(['account -3000', 'expense 3000'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('may be matched into a transfer, and comes back from it', async () => {
    const { me, clothes, expense, earn } = await newBooks()
    const other = await newAccount(me)
    const refund = await earn({ categoryId: clothes.id, amount: '100', accountId: other.id })
    const json = { fromTransactionId: expense.id, toTransactionId: refund.id }
    const transfer = await ok(matchTransfer, { as: me, json })
    expect(await sumsOf(me)).toEqual({})
    await ok(unmatchTransfer, { as: me, id: transfer.id })
    expect(await linesOf(refund)).toEqual(['account 10000', `expense -10000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '0.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('gives its category to the duplicate that is kept', async () => {
    const { me, clothes, earn } = await newBooks()
    const [keep, drop] = [await earn(), await earn({ categoryId: clothes.id })]
    await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
    expect(await ok(getTransaction, { as: me, id: keep.id })).toMatchObject({
      categoryId: clothes.id,
    })
    expect(await linesOf(keep)).toEqual(['account 3000', `expense -3000 ${clothes.id}`])
    expect(await sumsOf(me)).toEqual({ Clothes: '70.00 EUR' })
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('the check of the ledger', () => {
  it('tells of a line on another side than its transaction and its category say', async () => {
    const { me, salary, expense, earn } = await newBooks()
    const earned = await earn({ categoryId: salary.id })
    const setKind = (kind: string, id: string) =>
      rows('UPDATE transactions SET kind = ? WHERE id = ?', kind, id)
    await setKind('expense', earned.id)
    await change(me, expense, { categoryId: null })
    await setKind('income', expense.id)
    expect((await differencesOf(me)).toSorted()).toEqual(
      [
        `entry ${earned.id}-2: its side is income, its transaction an expense`,
        `entry ${expense.id}-2: its side is expense, its transaction an income`,
      ].toSorted(),
    )
    await setKind('income', earned.id)
    await setKind('expense', expense.id)
    await rows(
      'UPDATE entries SET category_id = ? WHERE transaction_id = ? AND line = 2',
      salary.id,
      expense.id,
    )
    expect(await differencesOf(me)).toEqual([
      `entry ${expense.id}-2: its side is expense, its category of the kind income`,
    ])
  })
})
