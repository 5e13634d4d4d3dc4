import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  listTransactions,
  listTransactionsAsCsv,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  type Condition,
  CONDITION_FIELDS,
  type ConditionField,
  fieldRule,
} from '../../../src/domain/conditions/conditions.ts'
import { someId } from '../../support/of-file.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, refusal, tripsOf } from './booking.ts'
import { times } from './bulk.ts'

const json = (condition: unknown) => JSON.stringify(condition)

const find = async (as: Principal, condition: Condition) => {
  const { transactions, count } = await ok(listTransactions, {
    as,
    query: { condition: json(condition), limit: 200 },
  })
  expect(count).toBe(transactions.length)
  return transactions.map(({ id }) => id)
}

const newLabels = async (me: Principal) => {
  const category = (name: string, parentId?: string) =>
    ok(createCategory, {
      as: me,
      json: { name, kind: 'expense', ...(parentId ? { parentId } : {}) },
    })
  const food = await category('Food')
  return {
    food,
    fruit: await category('Fruit', food.id),
    car: await category('Car'),
    payee: await ok(createPayee, { as: me, json: { name: 'Blue Bottle' } }),
    tag: await ok(createTag, { as: me, json: { name: 'x' } }),
  }
}

describe('a condition', () => {
  it('selects in lists, in lists of expenses, as CSV, and in changes and deletions of many', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const rent = await book(me, account, { description: 'Rent March', amount: '600' })
    const large = await book(me, account, { description: 'Insurance', amount: '810' })
    await book(me, account, { description: 'Parents', amount: '799.99' })
    const condition: Condition = {
      any: [
        { field: 'text', op: 'word', value: 'rent' },
        { field: 'amount', op: 'from', value: '800' },
      ],
    }
    const ids = [large.id, rent.id]
    expect(await find(me, condition)).toEqual(ids)
    const query = { condition: json(condition) }
    const { expenses } = await ok(listExpenses, { as: me, query })
    expect(expenses.map(({ id }) => id)).toEqual(ids)
    const table = await call(listTransactionsAsCsv, { as: me, query })
    expect(table.text).toContain('Insurance')
    expect(table.text).not.toContain('Parents')
    const filter = { condition: { all: [condition] } }
    const changed = await ok(updateTransactions, {
      as: me,
      json: { filter, changes: { reviewed: true } },
    })
    expect(changed.results.map(({ id }) => id)).toEqual(ids)
    const reviewed: Condition = { field: 'reviewed', op: 'is', value: true }
    expect(await find(me, reviewed)).toEqual(ids)
    const { results } = await ok(deleteTransactions, { as: me, json: { filter } })
    expect(results.map(({ id }) => id)).toEqual(ids)
    expect(await find(me, condition)).toEqual([])
  })

  it('is joined with the other filters, and the cursor is bound to it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await Promise.all(times(3, () => book(me, account, { description: 'Tea' })))
    const pending = await book(me, account, { description: 'Tea', status: 'pending' })
    const condition = json({ field: 'description', op: 'is', value: 'tea' })
    const query = { condition, status: 'pending' }
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ id }) => id)).toEqual([pending.id])
    const page = await ok(listTransactions, { as: me, query: { condition, limit: 1 } })
    const cursor = page.nextCursor ?? ''
    const next = await ok(listTransactions, { as: me, query: { condition, limit: 3, cursor } })
    expect(next.transactions).toHaveLength(3)
    const other = json({ field: 'description', op: 'is', value: 'coffee' })
    const mixed = await call(listTransactions, { as: me, query: { condition: other, cursor } })
    expect(refusal(mixed)).toEqual([400, 'request.invalidCursor', 'cursor'])
  })

  it('may have twenty patterns in every list', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const tea = await book(me, account, { description: 'Green tea', payeeRaw: 'TEA SHOP 19' })
    for (const pattern of ['tea*', 'tea*p', '*ea*sh*']) {
      const any = times(20, (at) => ({ field: 'text', op: 'like', value: `${pattern}${at}` }))
      const condition = json({ any })
      for (const more of [{}, { totals: 'true', sort: 'amount' }, { accountId: account.id }]) {
        const found = await call(listTransactions, { as: me, query: { condition, ...more } })
        expect(found.status).toBe(200)
      }
      const filter = { condition: { any } }
      const { results } = await ok(deleteTransactions, { as: me, json: { filter, dryRun: true } })
      expect(results.map(({ id }) => id)).toEqual(pattern.endsWith('p') ? [] : [tea.id])
    }
  })

  it('may have each comparison on its fifth level, beside a line, in every list', async () => {
    const me = await newUser()
    const date: Condition = { field: 'date', op: 'is', value: '2026' }
    const values = {
      amount: '1',
      date: '2026',
      currency: 'EUR',
      flag: true,
      metadata: { key: 'a' },
    }
    for (const field of Object.keys(CONDITION_FIELDS) as ConditionField[]) {
      const { ops, takes, words = [], prefix = '' } = fieldRule(field)
      const value = { text: 'a*b', words: words[0], id: someId(prefix), ...values }[takes]
      for (const op of ops) {
        const comparison = {
          ...{ field, op },
          ...(op === 'isEmpty' ? {} : { value: op === 'oneOf' ? [value] : value }),
          ...(op === 'between' ? { value: [value, value] } : {}),
          ...(field === 'metadata' && op === 'is' ? { value: { key: 'a', value: 'b' } } : {}),
        }
        const condition = json({ not: { any: [date, { not: { any: [comparison, date] } }] } })
        const query = { condition, q: 'rent -note:x raw:y' }
        for (const list of [listTransactions, listExpenses, listTransactionsAsCsv]) {
          const { status } = await call(list, { as: me, query })
          expect([field, op, status]).toEqual([field, op, 200])
        }
      }
    }
  })

  it('may have twenty spans of amounts beside all filters', async () => {
    const me = await newUser()
    const { id } = await book(me, await newAccount(me), { amount: '5', status: 'cleared' })
    const any = times(20, (at) => ({ field: 'amount', op: 'between', value: ['1.123', `${at}`] }))
    const found = await call(listTransactions, {
      as: me,
      query: {
        ...{ condition: json({ any }), amountFrom: '1', amountTo: '20', currency: 'EUR' },
        ...{ hasAttachment: 'false', reviewed: 'false', uncategorised: 'true', source: 'user' },
        ...{ kind: ['expense', 'income'], status: ['cleared', 'void'] },
      },
    })
    expect(found.status).toBe(200)
    expect(found.body.transactions.map((one) => one.id)).toEqual([id])
  })

  it('costs one round trip; a name of a period one more, for the time zone', async () => {
    const me = await newUser()
    await book(me, await newAccount(me))
    const trips = async (condition: Condition) =>
      tripsOf(await call(listTransactions, { as: me, query: { condition: json(condition) } }))
    expect(await trips({ field: 'text', op: 'contains', value: 'tea' })).toBe(1)
    expect(await trips({ field: 'date', op: 'is', value: '2026-11-01' })).toBe(1)
    expect(await trips({ field: 'date', op: 'from', value: 'lastMonth' })).toBe(2)
  })

  it('finds by labels of the whole or a part, and transfers without a category', async () => {
    const me = await newUser()
    const [account, savings] = [await newAccount(me), await newAccount(me)]
    const { food, fruit, car, payee, tag } = await newLabels(me)
    const parts = await book(me, account, {
      splits: [
        { amount: '10', categoryId: fruit.id, tagIds: [tag.id] },
        { amount: '2.30', payeeId: payee.id },
      ],
    })
    const plain = await book(me, account, { categoryId: food.id, payeeId: payee.id })
    const drive = await book(me, account, { categoryId: car.id, tagIds: [tag.id] })
    const { from, to } = await ok(createTransfer, {
      as: me,
      json: { fromAccountId: account.id, toAccountId: savings.id, date: '2026-01-01', amount: '5' },
    })
    const cases: [Condition, string[]][] = [
      [{ field: 'categoryId', op: 'is', value: food.id }, [plain.id]],
      [{ field: 'categoryId', op: 'within', value: food.id }, [plain.id, parts.id]],
      [{ field: 'categoryId', op: 'oneOf', value: [car.id, fruit.id] }, [drive.id, parts.id]],
      [{ field: 'categoryId', op: 'isEmpty' }, [parts.id, to.id, from.id]],
      [{ field: 'uncategorised', op: 'is', value: true }, [parts.id]],
      [{ field: 'isSplit', op: 'is', value: true }, [parts.id]],
      [{ field: 'payeeId', op: 'is', value: payee.id }, [plain.id, parts.id]],
      [{ field: 'payeeId', op: 'isEmpty' }, [drive.id, to.id, from.id]],
      [{ field: 'tagId', op: 'isEmpty' }, [plain.id, to.id, from.id]],
      [{ not: { field: 'tagId', op: 'is', value: tag.id } }, [plain.id, to.id, from.id]],
      [{ field: 'accountId', op: 'oneOf', value: [savings.id] }, [to.id]],
      [{ field: 'kind', op: 'is', value: 'transfer' }, [to.id, from.id]],
      [{ field: 'text', op: 'contains', value: 'blue bottle' }, [plain.id, parts.id]],
      [{ field: 'categoryId', op: 'is', value: someId('cat') }, []],
    ]
    for (const [condition, ids] of cases) {
      expect((await find(me, condition)).toSorted(), json(condition)).toEqual(ids.toSorted())
    }
  })

  it('never finds what the caller does not see, also where it says what is not', async () => {
    const [owner, receiver] = [await newUser(), await newUser()]
    const account = await newAccount(owner)
    const hidden = await newAccount(owner)
    await share(owner, account, receiver)
    await book(owner, account, { description: 'Surprise', private: true })
    const seen = await book(owner, account, { description: 'Bread' })
    // The receiver sees only the other side of the part.
    const whole = await book(owner, hidden, {
      description: 'Secret',
      splits: [{ amount: '10', transferAccountId: account.id }, { amount: '2.30' }],
    })
    const nothing: Condition = { field: 'text', op: 'contains', value: 'nothing' }
    expect(await find(receiver, { not: nothing })).toEqual([seen.id])
    for (const value of ['surprise', 'secret']) {
      expect(await find(receiver, { field: 'text', op: 'contains', value })).toEqual([])
    }
    const amount: Condition = { field: 'amount', op: 'is', value: '10' }
    expect(await find(receiver, amount)).toHaveLength(1)
    expect(await find(receiver, { all: [amount, { not: nothing }] })).toEqual([])
    expect(await find(owner, { field: 'text', op: 'contains', value: 'secret' })).toContain(
      whole.id,
    )
    expect(await find(await newUser(), { not: nothing })).toEqual([])
  })
})

describe('several values of a filter', () => {
  it('are any of them, repeated or separated by commas', async () => {
    const me = await newUser()
    const [one, two, three] = await Promise.all(times(3, () => newAccount(me)))
    const { food, fruit, car } = await newLabels(me)
    const accounts = [one, two, three].map((account) => account?.id ?? '')
    const [a, b, c] = await Promise.all(
      [food, fruit, car].map((category, at) =>
        book(
          me,
          { id: accounts[at] ?? '' },
          {
            categoryId: category.id,
            status: (['pending', 'cleared', 'uncleared'] as const)[at],
          },
        ),
      ),
    )
    const ids = async (query: Record<string, string | string[]>) =>
      (await ok(listTransactions, { as: me, query })).transactions.map(({ id }) => id).toSorted()
    const sorted = (...rows: ({ id: string } | undefined)[]) =>
      rows.map((row) => row?.id).toSorted()
    expect(await ids({ accountId: accounts.slice(0, 2) })).toEqual(sorted(a, b))
    expect(await ids({ accountId: `${accounts[0]},${accounts[2]}` })).toEqual(sorted(a, c))
    expect(await ids({ status: 'pending,uncleared' })).toEqual(sorted(a, c))
    expect(await ids({ categoryId: `${food.id},${car.id}` })).toEqual(sorted(a, b, c))
    expect(await ids({ categoryId: food.id, status: ['cleared', 'uncleared'] })).toEqual(sorted(b))
    expect(await ids({ kind: 'income,transfer' })).toEqual([])
  })

  it('are each checked, and at most 50', async () => {
    const me = await newUser()
    const refused = async (query: Record<string, string | string[]>) =>
      refusal(await call(listTransactions, { as: me, query }))
    expect(await refused({ status: 'pending,done' })).toEqual([400, 'request.invalid', 'status'])
    expect(await refused({ status: ['pending', 'done'] })).toEqual([
      400,
      'request.invalid',
      'status.1',
    ])
    expect(await refused({ accountId: times(51, (at) => `acc_${at}`).join(',') })).toEqual([
      400,
      'request.invalid',
      'accountId',
    ])
  })
})

describe('a condition is refused', () => {
  it.each<[unknown, string, string]>([
    ['{', 'request.invalid', 'condition'],
    ['[]', 'request.invalid', 'condition'],
    ['"text"', 'request.invalid', 'condition'],
    [`{"all":[${' '.repeat(4000)}]}`, 'request.invalid', 'condition'],
    [json({ all: [] }), 'conditions.invalid', 'condition.all'],
    [
      json({
        all: [
          { field: 'date', op: 'is', value: 'today' },
          { field: 'text', op: 'word', value: 1 },
        ],
      }),
      'conditions.invalid',
      'condition.all.1.value',
    ],
  ])('in a query: %s', async (condition, code, field) => {
    const answer = await call(listTransactions, {
      as: await newUser(),
      query: { condition: String(condition) },
    })
    expect(refusal(answer)).toEqual([400, code, field])
  })

  it('in a body, with its place there', async () => {
    const as = await newUser()
    const filter = { condition: { not: { field: 'text', op: 'is', value: 'x' } } }
    const answers = [
      await call(updateTransactions, { as, json: { filter, changes: { reviewed: true } } }),
      await call(deleteTransactions, { as, json: { filter } }),
    ]
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([400, 'conditions.invalid', 'filter.condition.not.op'])
    }
  })
})
