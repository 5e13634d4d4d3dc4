import { describe, expect, it } from 'vitest'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, newCategory, refusal, tripsOf } from './booking.ts'

const list = (as: TestUser, query: Record<string, string | number> = {}) =>
  ok(listTransactions, { as, query })

/** Two accounts with six lines on six days, a transfer with a fee among them. */
async function newBooks() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const food = await newCategory(me)
  const expense = await book(me, one, {
    date: '2026-01-01',
    categoryId: food.id,
    status: 'cleared',
  })
  const income = await book(me, two, { date: '2026-01-02', kind: 'income' })
  const split = await book(me, two, {
    date: '2026-01-03',
    splits: [{ amount: '12', categoryId: food.id }, { amount: '0.3' }],
  })
  const adjustment = await book(me, one, { date: '2026-01-04', kind: 'adjustment' })
  const transfer = await ok(createTransfer, {
    as: me,
    json: {
      fromAccountId: one.id,
      toAccountId: two.id,
      date: '2026-01-05',
      amount: '10',
      fee: { amount: '1', categoryId: food.id },
    },
  })
  const { from: out, to: into } = transfer
  return { me, one, two, food, expense, income, split, adjustment, out, into }
}

describe('the list of transactions', () => {
  it('shows all that the caller has, newest first, in one trip', async () => {
    const { me, expense, income, split, adjustment, out, into } = await newBooks()
    const answer = await call(listTransactions, { as: me })
    expect(tripsOf(answer)).toBe(1)
    expect(answer.body).toEqual({
      transactions: [into, out, adjustment, split, income, expense],
      count: 6,
      nextCursor: null,
    })
  })

  it('narrows to what is asked for, and counts all that match', async () => {
    const { me, one, two, food, ...books } = await newBooks()
    const { expense, income, split, adjustment, out, into } = books
    const cases: [Record<string, string>, { id: string }[]][] = [
      [{ accountId: one.id }, [out, adjustment, expense]],
      [{ accountId: two.id }, [into, split, income]],
      [{ from: '2026-01-03' }, [into, out, adjustment, split]],
      [{ to: '2026-01-03' }, [split, income, expense]],
      [{ from: '2026-01-03', to: '2026-01-03' }, [split]],
      [{ kind: 'expense' }, [split, expense]],
      [{ kind: 'income' }, [income]],
      [{ kind: 'adjustment' }, [adjustment]],
      [{ kind: 'transfer' }, [into, out]],
      [{ kind: 'opening' }, []],
      [{ status: 'cleared' }, [expense]],
      [{ status: 'uncleared', kind: 'expense' }, [split]],
      // The fee is the sending account's.
      [{ categoryId: food.id }, [out, split, expense]],
      [{ categoryId: food.id, accountId: two.id }, [split]],
      [{ categoryId: 'cat_none' }, []],
      [{ accountId: 'acc_none' }, []],
    ]
    for (const [query, expected] of cases) {
      const { transactions, count, nextCursor } = await list(me, query)
      expect(
        transactions.map(({ id }) => id),
        JSON.stringify(query),
      ).toEqual(expected.map(({ id }) => id))
      expect([count, nextCursor]).toEqual([expected.length, null])
      const narrow = await list(me, { ...query, limit: 1 })
      expect(narrow.count).toBe(expected.length)
    }
  })

  it('of a stranger is empty, whatever is asked for', async () => {
    const { one, food } = await newBooks()
    const stranger = await newUser()
    for (const query of [{}, { accountId: one.id }, { categoryId: food.id }]) {
      const empty = { transactions: [], count: 0, nextCursor: null }
      expect(await list(stranger, query)).toEqual(empty)
    }
  })

  it('refuses what it does not know', async () => {
    const me = await newUser()
    const cases: [Record<string, string | string[]>, string][] = [
      [{ limit: '0' }, 'limit'],
      [{ limit: '201' }, 'limit'],
      [{ limit: '1.5' }, 'limit'],
      [{ limit: ['1', '1'] }, 'limit'],
      [{ from: '2023-02-29' }, 'from'],
      [{ to: 'today' }, 'to'],
      [{ from: '2026-01-04', to: '2026-01-03' }, 'to'],
      [{ kind: 'refund' }, 'kind'],
      [{ status: 'open' }, 'status'],
      [{ accountId: '' }, 'accountId'],
      [{ sort: 'payee' }, 'sort'],
    ]
    for (const [query, field] of cases) {
      const refused = await call(listTransactions, { as: me, query })
      expect(refusal(refused), JSON.stringify(query)).toEqual([400, 'request.invalid', field])
    }
  })
})

describe('pages', () => {
  /** Walks all pages; between two of them something may happen. */
  async function walk(
    as: TestUser,
    query: Record<string, string | number>,
    meanwhile: (page: number) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const seen = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(as, {
        ...query,
        ...(cursor === null ? {} : { cursor }),
      })
      seen.push(...page.transactions)
      cursor = page.nextCursor
      pages += 1
      await meanwhile(pages)
    } while (cursor !== null)
    return { seen, pages }
  }

  it('hold every row once, also of equal dates and of both legs of a transfer', async () => {
    const { me, one, two } = await newBooks()
    for (const at of [1, 2, 3, 4]) {
      await book(me, at % 2 ? one : two, { date: '2026-01-05', amount: `${at}` })
    }
    const all = (await list(me)).transactions
    for (const limit of [1, 2, 3, 7]) {
      const { seen, pages } = await walk(me, { limit })
      expect(seen).toEqual(all)
      expect(pages).toBe(Math.ceil(all.length / limit))
    }
  })

  it('stay as they were while rows are added before and removed behind', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const booked: { id: string }[] = []
    for (let at = 10; at < 22; at++) {
      booked.push(await book(me, account, { date: `2026-02-${at}` }))
    }
    const { seen } = await walk(me, { limit: 3 }, async (page) => {
      await book(me, account, { date: '2026-02-28' })
      const behind = booked[booked.length - page]
      if (behind) {
        await ok(deleteTransaction, { as: me, id: behind.id })
      }
    })
    expect(seen.map(({ id }) => id)).toEqual(booked.toReversed().map(({ id }) => id))
  })

  it('go by cursors that nobody can make up, borrow or use with another question', async () => {
    const { me, one } = await newBooks()
    const stranger = await newUser()
    const { nextCursor } = await list(me, { limit: 1 })
    const cursor = nextCursor ?? ''
    const [payload = '', signature = ''] = cursor.split('.')
    const forged = `${btoa(JSON.stringify(['9999-12-31', 'z', '1']))}.${signature}`
    const attempts = [
      { as: me, query: { cursor: `${cursor}x` } },
      { as: me, query: { cursor: payload } },
      { as: me, query: { cursor: forged } },
      { as: me, query: { cursor, accountId: one.id } },
      { as: me, query: { cursor, kind: 'expense' } },
      { as: stranger, query: { cursor } },
    ]
    for (const attempt of attempts) {
      const refused = await call(listTransactions, attempt)
      expect(refusal(refused)).toEqual([400, 'request.invalidCursor', 'cursor'])
    }
    expect((await call(listTransactions, { as: me, query: { cursor, limit: 5 } })).status).toBe(200)
  })

  it('of one account are found among many by other users', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const other = await newUser()
    const foreign = await newAccount(other)
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        call(createTransaction, {
          as: at % 3 ? other : me,
          json: {
            kind: 'income',
            accountId: at % 3 ? foreign.id : account.id,
            date: '2026-03-01',
            amount: '1',
          },
        }),
      ),
    )
    const { seen } = await walk(me, { limit: 4 })
    expect(seen).toHaveLength(10)
    expect(new Set(seen.map(({ accountId }) => accountId))).toEqual(new Set([account.id]))
  })
})
