import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  listCategories,
  getCategory,
  updateCategory,
  deleteCategory,
  getCategoryUsage,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer, getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  archive,
  balanceOf,
  book,
  change,
  close,
  refusal,
  tripsOf,
} from '../transactions/booking.ts'
import { depthsOf, newBranch, newCategory } from './trees.ts'

const remove = (as: TestUser, id: string, reassignTo?: string, headers = {}) =>
  call(deleteCategory, {
    as,
    id,
    headers,
    ...(reassignTo === undefined ? {} : { query: { reassignTo } }),
  })

const merge = (as: TestUser, id: string, categoryId: string) =>
  call(mergeCategory, { as, id, json: { categoryId } })

describe('deleting', () => {
  it('what nothing hangs on is enough by itself', async () => {
    const me = await newUser()
    const { id } = await newCategory(me)
    const gone = await remove(me, id)
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    expect(refusal(await call(getCategory, { as: me, id }))).toEqual([404, 'categories.notFound'])
    expect(refusal(await remove(me, id))).toEqual([404, 'categories.notFound'])
  })

  it('what is in use needs a target, and says what hangs on it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const food = await newCategory(me)
    await newCategory(me, { parentId: food.id })
    await book(me, account, { categoryId: food.id, date: '2026-11-02' })
    await book(me, account, {
      splits: [
        { amount: '2.30', categoryId: food.id },
        { amount: '10', categoryId: food.id },
      ],
    })
    const usage = await call(getCategoryUsage, { as: me, id: food.id })
    expect(usage.body).toEqual({
      transactionCount: 2,
      lineCount: 3,
      childCount: 1,
      payeeCount: 0,
      lastDate: '2026-11-20',
    })
    expect(tripsOf(usage)).toBe(1)
    const refused = await remove(me, food.id)
    expect(refusal(refused)).toEqual([409, 'categories.inUse', 'reassignTo'])
    expect(refused.error.error).toContain('2 transactions, 1 subcategories')
  })

  it('hands everything over: lines of every kind, and what stands below', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const child = await newCategory(me, { parentId: food.id })
    const plain = await book(me, account, { categoryId: food.id, status: 'reconciled' })
    const voided = await book(me, account, { categoryId: food.id, status: 'void' })
    const split = await book(me, account, {
      splits: [
        { amount: '20', categoryId: food.id, note: 'much' },
        { amount: '-7.70', categoryId: home.id },
      ],
    })
    const move = await ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: account.id,
        toAccountId: other.id,
        date: '2026-11-20',
        amount: '5',
        fee: { amount: '1', categoryId: food.id },
      },
    })
    await close(other)
    const balance = await balanceOf(me, account)
    const gone = await remove(me, food.id, home.id)
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    for (const before of [plain, voided]) {
      const after = await ok(getTransaction, { as: me, id: before.id })
      expect(after).toEqual({
        ...before,
        categoryId: home.id,
        version: 2,
        updatedAt: after.updatedAt,
      })
    }
    expect((await ok(getTransaction, { as: me, id: split.id })).splits).toEqual(
      split.splits.map((part) => ({ ...part, categoryId: home.id })),
    )
    expect((await ok(getTransfer, { as: me, id: move.id })).fee).toEqual({
      amount: '1.00',
      categoryId: home.id,
    })
    expect((await ok(getCategory, { as: me, id: child.id })).parentId).toBe(home.id)
    expect(await balanceOf(me, account)).toBe(balance)
    expect(await differencesOf(me)).toEqual([])
    const sums = await ok(listCategories, { as: me, query: { fromMonth: '2026-11' } })
    expect(sums.categories[0]?.sums).toEqual([
      { currency: 'EUR', lineCount: 4, ownAmount: '25.60', amount: '25.60' },
    ])
    const late = await change(me, plain, { description: 'x' }, { 'If-Match': '"1-x"' })
    expect(refusal(late)).toEqual([412, 'request.stale'])
  })

  it('leaves in the log what it takes to bring the category back', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [food, home] = [await newCategory(me, { note: 'kept' }), await newCategory(me)]
    const child = await newCategory(me, { parentId: food.id })
    const { id } = await book(me, account, { categoryId: food.id })
    await remove(me, food.id, home.id)
    const logged = await rows<{ type: string; resource_id: string; content: string }>(
      `SELECT l.type, l.resource_id, l.content FROM log_entries d
        JOIN log_entries l ON l.commit_number = d.commit_number
        WHERE d.resource_id = ? AND d.type = 'category.deleted' ORDER BY l.number`,
      food.id,
    )
    expect(logged.map(({ content, ...event }) => ({ ...event, ...JSON.parse(content) }))).toEqual([
      {
        type: 'category.deleted',
        resource_id: food.id,
        before: expect.objectContaining({ name: food.name, note: 'kept' }),
        into: home.id,
        childIds: [child.id],
        payeeIds: [],
      },
      {
        type: 'transaction.updated',
        resource_id: id,
        before: { categoryId: food.id },
        after: { categoryId: home.id },
      },
    ])
  })

  it('refuses targets that cannot take over', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const [food, child] = await newBranch(me, 2)
    const id = food?.id ?? ''
    const income = await newCategory(me, { kind: 'income' })
    const old = await newCategory(me)
    await archive(old)
    const foreign = await newCategory(stranger)
    const to = async (target: string) => refusal(await remove(me, id, target))
    expect(await to(id)).toEqual([400, 'categories.unknownTarget', 'reassignTo'])
    expect(await to(foreign.id)).toEqual([400, 'categories.unknownTarget', 'reassignTo'])
    expect(await to(income.id)).toEqual([400, 'categories.targetKind', 'reassignTo'])
    expect(await to(old.id)).toEqual([400, 'categories.targetArchived', 'reassignTo'])
    expect(await to(child?.id ?? '')).toEqual([400, 'categories.targetBelow', 'reassignTo'])
    const deep = await newBranch(me, 5)
    expect(await to(deep[4]?.id ?? '')).toEqual([400, 'categories.tooDeep', 'reassignTo'])
    expect(refusal(await remove(stranger, id, foreign.id))).toEqual([404, 'categories.notFound'])
    expect((await ok(getCategory, { as: me, id })).version).toBe(1)
  })

  it('refuses when a name would stand twice below the target', async () => {
    const me = await newUser()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    await newCategory(me, { name: 'Same', parentId: food.id })
    await newCategory(me, { name: 'same', parentId: home.id })
    expect(refusal(await remove(me, food.id, home.id))).toEqual([409, 'categories.childNameTaken'])
  })

  it('refuses another version than If-Match names', async () => {
    const me = await newUser()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const headers = { 'If-Match': '"2-x"' }
    expect(refusal(await remove(me, food.id, undefined, headers))).toEqual([412, 'request.stale'])
    expect(refusal(await remove(me, food.id, home.id, headers))).toEqual([412, 'request.stale'])
  })
})

describe('merging', () => {
  it('puts the other into this one, into a parent also', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [food, fruit, apples] = await newBranch(me, 3)
    const { id } = await book(me, account, { categoryId: fruit?.id ?? '' })
    const merged = await merge(me, food?.id ?? '', fruit?.id ?? '')
    expect(merged.body).toEqual({ ...food, lockedLines: 0 })
    expect(tripsOf(merged)).toBe(2)
    expect((await ok(getTransaction, { as: me, id })).categoryId).toBe(food?.id)
    expect((await ok(getCategory, { as: me, id: apples?.id ?? '' })).parentId).toBe(food?.id)
    expect(await differencesOf(me)).toEqual([])
    const depths = await depthsOf(me)
    expect(depths.kept).toEqual(depths.true)
  })

  it('refuses itself, what is not there, and the other kind', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const { id } = await newCategory(me)
    const income = await newCategory(me, { kind: 'income' })
    const foreign = await newCategory(stranger)
    expect(refusal(await merge(me, id, id))).toEqual([
      400,
      'categories.unknownTarget',
      'categoryId',
    ])
    expect(refusal(await merge(me, id, foreign.id))).toEqual([
      400,
      'categories.unknownCategory',
      'categoryId',
    ])
    expect(refusal(await merge(me, id, income.id))).toEqual([
      400,
      'categories.targetKind',
      'categoryId',
    ])
    expect(refusal(await merge(stranger, id, foreign.id))).toEqual([404, 'categories.notFound'])
  })

  it('is refused above 5,000 lines, and does them', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)'
    await rows(
      `${numbers} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
       SELECT printf('txn_%s%05d', ?1, i), ?2, 'expense', '2026-11-02', 'user', ?2, 0, 0 FROM n`,
      account.id,
      me.id,
    )
    for (const [line, end, sign, category] of [
      [1, 'account', -1, null],
      [2, 'expense', 1, food.id],
    ] as const) {
      await rows(
        `${numbers} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, category_id)
         SELECT printf('txn_%s%05d', ?1, i), ?3, ?2, ?1, ?4, '2026-11-02', ?5, 'EUR', 'cleared', ?6 FROM n`,
        account.id,
        me.id,
        line,
        end,
        sign,
        category,
      )
    }
    const one = await book(me, account, { categoryId: food.id })
    const refused = await merge(me, home.id, food.id)
    expect(refusal(refused)).toEqual([409, 'categories.tooManyLines'])
    await change(me, one, { categoryId: null })
    expect((await merge(me, home.id, food.id)).status).toBe(200)
    expect(await differencesOf(me)).toEqual([])
    const usage = await ok(getCategoryUsage, { as: me, id: home.id })
    expect(usage.lineCount).toBe(5000)
  })
})

describe('in a race', () => {
  it.each([
    ['a booking on it', 'book'],
    ['a change of it', 'change'],
    ['a change of the target', 'target'],
    ['a new child', 'child'],
  ] as const)('%s in between stops the merge', async (_, what) => {
    const me = await newUser()
    const account = await newAccount(me)
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const edit = (id: string) => ok(updateCategory, { as: me, id, json: { order: 7 } })
    const doing: Record<typeof what, () => Promise<unknown>> = {
      book: () => book(me, account, { categoryId: food.id }),
      change: () => edit(food.id),
      target: () => edit(home.id),
      child: () => newCategory(me, { parentId: food.id }),
    }
    const raced = await serviceWith({ meanwhile: doing[what] }).call(mergeCategory, {
      as: me,
      id: home.id,
      json: { categoryId: food.id },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('100 merges, moves, edits and bookings at once leave a sound tree and a balanced ledger', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const all = await Promise.all(Array.from({ length: 12 }, () => newCategory(me)))
    const idAt = (at: number) => all[at % 12]?.id ?? ''
    const booked = await Promise.all(
      all.flatMap(({ id }) => [
        book(me, account, { categoryId: id }),
        book(me, account, {
          splits: [
            { amount: '10', categoryId: id },
            { amount: '2.30', categoryId: id },
          ],
        }),
      ]),
    )
    const writes: ((at: number) => Promise<{ status: number }>)[] = [
      (at) => merge(me, idAt(at), idAt(at * 5 + 1)),
      (at) => call(updateCategory, { as: me, id: idAt(at), json: { parentId: idAt(at * 7 + 2) } }),
      (at) => remove(me, idAt(at * 3), idAt(at + 4)),
      (at) =>
        change(me, booked[at % booked.length] ?? { id: '' }, { categoryId: idAt(at), splits: [] }),
    ]
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => writes[at % 4]?.(at) ?? Promise.reject(new Error())),
    )
    const odd = answers.filter(({ status }) => ![200, 400, 404, 409].includes(status))
    expect(odd).toEqual([])
    expect(await differencesOf(me)).toEqual([])
    const depths = await depthsOf(me)
    expect(depths.kept).toEqual(depths.true)
    const dangling = await rows(
      'SELECT 1 FROM entries WHERE owner_id = ? AND (category_id NOT IN (SELECT id FROM categories) OR line < 0)',
      me.id,
    )
    expect(dangling).toEqual([])
  })
})

it('does not let a token for some accounts move lines of others', async () => {
  const me = await newUser()
  const [seen, unseen] = [await newAccount(me), await newAccount(me)]
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const response = await call(createAccessToken, {
    as: me,
    json: { name: 'x', scopes: ['categories.read', 'categories.write'], accountIds: [seen.id] },
  })
  const token = { accessToken: response.body.token } as TestUser
  await book(me, seen, { categoryId: food.id })
  await book(me, unseen, { categoryId: food.id })
  expect(await ok(getCategoryUsage, { as: token, id: food.id })).toMatchObject({ lineCount: 1 })
  expect(refusal(await merge(token, home.id, food.id))).toEqual([403, 'auth.accountHidden'])
  expect((await merge(me, home.id, food.id)).status).toBe(200)
})
