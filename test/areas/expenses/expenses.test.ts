import { describe, expect, it } from 'vitest'
import {
  createExpense,
  deleteExpense,
  getExpense,
  listExpenses,
  updateExpense,
} from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { balanceOf, book, change, newCategory, refusal, tripsOf } from '../transactions/booking.ts'

/** A user with an expense, and one transaction of each other kind on the same account. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const other = await newAccount(me)
  const expense = await book(me, account, { date: '2026-01-02' })
  const income = await book(me, account, { date: '2026-01-03', kind: 'income' })
  const adjustment = await book(me, account, { date: '2026-01-04', kind: 'adjustment' })
  const { from } = await ok(createTransfer, {
    as: me,
    json: { fromAccountId: account.id, toAccountId: other.id, date: '2026-01-05', amount: '1' },
  })
  const opening = (
    await ok(listTransactions, { as: me, query: { kind: 'opening' } })
  ).transactions.map(({ id }) => ({ id }))[0] ?? { id: '' }
  return { me, account, other, expense, others: [income, adjustment, from, opening] }
}

const expenseOn = ({ id: accountId }: { id: string }) => ({
  accountId,
  date: '2026-02-01',
  amount: '9.5',
})

/** The header that asserts that it is still as it is now. */
const unchanged = async (as: Principal, { id }: { id: string }) => ({
  'If-Match': (await call(getExpense, { as, id })).headers.get('ETag') ?? '',
})

describe('expenses', () => {
  it('are the transactions of that kind, in one trip', async () => {
    const { me, expense } = await newBooks()
    const answer = await call(listExpenses, { as: me })
    expect(tripsOf(answer)).toBe(1)
    expect(answer.body).toEqual({ expenses: [expense], count: 1, nextCursor: null })
    const one = await call(getExpense, { as: me, id: expense.id })
    expect([one.body, tripsOf(one)]).toEqual([expense, 1])
    expect(one.headers.get('ETag')).toMatch(/^"1/)
  })

  it('are searched, ordered and summed up as transactions are', async () => {
    const { me, account, expense } = await newBooks()
    const json = { ...expenseOn(account), description: 'Alpha', metadata: { trip: 'Dublin' } }
    const { body } = await call(createExpense, { as: me, json })
    const ids = async (query: Record<string, string>) =>
      (await ok(listExpenses, { as: me, query })).expenses.map(({ id }) => id)
    expect(await ids({ sort: 'amount' })).toEqual([body.id, expense.id])
    expect(await ids({ text: 'alpha', metadataValue: 'Dublin', amountTo: '9.5' })).toEqual([
      body.id,
    ])
    expect(await ids({ to: '2026-01-31' })).toEqual([expense.id])
    const first = await ok(listExpenses, { as: me, query: { limit: 1, totals: 'true' } })
    expect(first.totals).toEqual([
      { currency: 'EUR', inflow: '0.00', outflow: '21.80', net: '-21.80', count: 2 },
    ])
    const next = { limit: 1, cursor: first.nextCursor ?? '' }
    expect((await ok(listExpenses, { as: me, query: next })).expenses).toEqual([expense])
    const refused: [Record<string, string>, string, string][] = [
      [{ kind: 'income' }, 'request.invalid', 'kind'],
      [{ sort: 'kind' }, 'request.invalid', 'sort'],
      [{ sort: 'date', cursor: next.cursor }, 'request.invalidCursor', 'cursor'],
    ]
    for (const [query, code, field] of refused) {
      expect(refusal(await call(listExpenses, { as: me, query }))).toEqual([400, code, field])
    }
    const elsewhere = await call(listTransactions, { as: me, query: next })
    expect(refusal(elsewhere)).toEqual([400, 'request.invalidCursor', 'cursor'])
  })

  it('of a stranger, of another kind, or that never were, are not there', async () => {
    const { me, expense, others } = await newBooks()
    const stranger = await newUser()
    const nobodys = [
      ...others.map(({ id }) => [me, id] as const),
      [stranger, expense.id] as const,
      [me, 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'] as const,
    ]
    for (const [as, id] of nobodys) {
      const answers = [
        await call(getExpense, { as, id }),
        await call(updateExpense, { as, id, json: { note: 'x' } }),
        await call(updateExpense, { as, id, json: {}, headers: { 'If-Match': '"99"' } }),
        await call(deleteExpense, { as, id }),
      ]
      expect(answers.map(refusal)).toEqual(answers.map(() => [404, 'transactions.notFound']))
    }
    expect((await ok(listExpenses, { as: stranger })).count).toBe(0)
  })

  it('of accounts that a token is not for are not there', async () => {
    const { me, account, other, expense } = await newBooks()
    const bound = async (accountId: string) => {
      const scopes = ['transactions.read' as const, 'transactions.write' as const]
      const json = { name: 'Bound', scopes, accountIds: [accountId] }
      return { accessToken: (await ok(createAccessToken, { as: me, json })).token }
    }
    const as = await bound(other.id)
    const { id } = expense
    const refused = [
      await call(getExpense, { as, id }),
      await call(updateExpense, { as, id, json: {} }),
      await call(deleteExpense, { as, id }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
    const onOther = await call(createExpense, { as, json: expenseOn(account) })
    expect(refusal(onOther)).toEqual([400, 'transactions.unknownAccount', 'accountId'])
    expect((await ok(listExpenses, { as })).count).toBe(0)
    expect((await ok(listExpenses, { as: await bound(account.id) })).count).toBe(1)
  })
})

describe('a new expense', () => {
  it('is a transaction like any other', async () => {
    const { me, account } = await newBooks()
    const food = await newCategory(me)
    const json = {
      ...expenseOn(account),
      splits: [{ amount: '9', categoryId: food.id }, { amount: '0.5' }],
    }
    const answer = await call(createExpense, { as: me, json })
    expect([answer.status, tripsOf(answer)]).toEqual([201, 1])
    const { body } = answer
    expect([body.kind, body.signedAmount, body.status]).toEqual(['expense', '-9.50', 'uncleared'])
    expect(await ok(getTransaction, { as: me, id: body.id })).toEqual(body)
    const logged = await rows<{ action: string }>(
      'SELECT type AS action FROM log_entries WHERE resource_id = ?',
      body.id,
    )
    expect(logged).toEqual([{ action: 'transaction.created' }])
  })

  it('is refused for what a transaction is refused for, and has no other kind', async () => {
    const { me, account } = await newBooks()
    const salary = await newCategory(me, 'income')
    const json = expenseOn(account)
    const cases: [object, (string | number)[]][] = [
      [{ kind: 'expense' }, [400, 'request.invalid', 'kind']],
      [{ amount: '-1' }, [400, 'money.negative', 'amount']],
      [{ categoryId: salary.id }, [400, 'transactions.categoryKind', 'categoryId']],
      [{ accountId: 'acc_none' }, [400, 'transactions.unknownAccount', 'accountId']],
    ]
    for (const [wrong, expected] of cases) {
      expect(refusal(await call(createExpense, { as: me, json: { ...json, ...wrong } }))).toEqual(
        expected,
      )
    }
  })

  it('whose externalId an expense has is that one; whose another kind has is refused', async () => {
    const { me, account } = await newBooks()
    const json = { ...expenseOn(account), externalId: 'bank-1' }
    const first = await call(createExpense, { as: me, json })
    const again = await call(createExpense, { as: me, json })
    expect([again.status, again.body]).toEqual([200, first.body])
    await book(me, account, { kind: 'income', externalId: 'bank-2' })
    const headers = { 'Idempotency-Key': 'once' }
    for (const more of [{}, { headers }, { headers }]) {
      const taken = { ...json, externalId: 'bank-2' }
      const refused = await call(createExpense, { as: me, json: taken, ...more })
      expect(refusal(refused)).toEqual([409, 'transactions.externalIdTaken', 'externalId'])
    }
    let income: Promise<unknown> | undefined
    const slow = serviceWith({
      meanwhile: () => (income ??= book(me, account, { kind: 'income', externalId: 'bank-3' })),
    })
    const raced = await slow.call(createExpense, {
      as: me,
      // A text that was not booked before, as only that has to be read first.
      json: { ...json, externalId: 'bank-3', payeeRaw: 'SHOP 7' },
    })
    expect(refusal(raced)).toEqual([409, 'transactions.externalIdTaken', 'externalId'])
  })

  it('is stored once for its Idempotency-Key', async () => {
    const { me, account } = await newBooks()
    const options = {
      as: me,
      json: expenseOn(account),
      headers: { 'Idempotency-Key': 'once' },
    }
    const first = await call(createExpense, options)
    const again = await call(createExpense, options)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await ok(listExpenses, { as: me })).count).toBe(2)
  })
})

describe('a change of an expense', () => {
  it('touches what is sent only, and asserts the version', async () => {
    const { me, account, expense } = await newBooks()
    const { id } = expense
    const headers = await unchanged(me, expense)
    const json = { amount: '20', note: 'x' }
    const answer = await call(updateExpense, { as: me, id, json, headers })
    expect(tripsOf(answer)).toBe(2)
    expect(answer.body).toEqual({
      ...expense,
      amount: '20.00',
      signedAmount: '-20.00',
      note: 'x',
      version: 2,
      updatedAt: answer.body.updatedAt,
    })
    expect(await balanceOf(me, account)).toBe('103.60')
    const stale = await call(updateExpense, { as: me, id, json: { amount: '30' }, headers })
    expect(stale.status).toBe(412)
    const kind = await call(updateExpense, { as: me, id, json: { kind: 'income' } as object })
    expect(refusal(kind)).toEqual([400, 'request.invalid', 'kind'])
  })

  it('is stopped by one that makes it another kind meanwhile', async () => {
    const { me, expense } = await newBooks()
    const { id } = expense
    const meanwhile = () => change(me, expense, { kind: 'income' })
    const slow = serviceWith({ meanwhile })
    const refused = await slow.call(updateExpense, { as: me, id, json: { note: 'x' } })
    expect(refused.status).toBe(409)
    expect((await call(getExpense, { as: me, id })).status).toBe(404)
    expect((await ok(getTransaction, { as: me, id })).note).toBe(null)
  })

  it('needs force where it is reconciled, and so does its deletion', async () => {
    const { me, account, expense } = await newBooks()
    const { id } = expense
    await ok(updateExpense, { as: me, id, json: { status: 'reconciled' } })
    const refused = await call(updateExpense, { as: me, id, json: { amount: '1' } })
    expect(refusal(refused).slice(0, 2)).toEqual([409, 'transactions.reconciled'])
    await ok(updateExpense, { as: me, id, json: { amount: '1', force: true } })
    expect(refusal(await call(deleteExpense, { as: me, id })).slice(0, 2)).toEqual([
      409,
      'transactions.reconciled',
    ])
    await ok(deleteExpense, { as: me, id, query: { force: 'true' } })
    expect((await call(getExpense, { as: me, id })).status).toBe(404)
    expect(await balanceOf(me, account)).toBe('123.60')
  })

  it('that deletes it asserts the version', async () => {
    const { me, expense } = await newBooks()
    const { id } = expense
    const headers = await unchanged(me, expense)
    await ok(updateExpense, { as: me, id, json: { note: 'x' } })
    expect((await call(deleteExpense, { as: me, id, headers })).status).toBe(412)
    const fresh = await unchanged(me, expense)
    expect((await call(deleteExpense, { as: me, id, headers: fresh })).status).toBe(200)
    expect((await call(deleteExpense, { as: me, id })).status).toBe(404)
  })
})
