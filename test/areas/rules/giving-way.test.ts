import { describe, expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  close,
  expenseOn,
  newCategory,
  type TransactionInput,
} from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

// A rule never refuses a booking: what it adds gives way where there is no room for it.

const AMZN = { payeeRaw: 'AMZN Mktp DE' }
const MOST = '90071992547409.91'
const PARTS = Array.from({ length: 20 }, () => ({ rest: 1 }))

const many = (
  as: Principal,
  account: { id: string },
  count: number,
  {
    headers = {},
    ...wanted
  }: Partial<TransactionInput> & { headers?: Record<string, string> } = {},
) => {
  const transactions = Array.from({ length: count }, () =>
    expenseOn(account, { ...AMZN, ...wanted }),
  )
  return ok(createTransactions, { as, json: { transactions }, headers })
}

describe('parts', () => {
  it('are left out where a request would have too many lines, and the other rules work', async () => {
    const me = await newUser()
    const [account, food] = [await newAccount(me), await newCategory(me)]
    await newRule(me, { changes: { splits: PARTS } })
    await newRule(me, {
      condition: { field: 'isSplit', op: 'is', value: false },
      changes: { categoryId: food.id },
    })
    const { results } = await many(me, account, 239)
    const counts = results.map((one) => one.transaction?.splits.length)
    expect(counts).toEqual([...Array.from({ length: 238 }, () => 20), 0])
    expect(results.at(-1)?.transaction).toMatchObject({ categoryId: food.id })
  })

  it('that the request sends have their lines first', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await newRule(me, { changes: { splits: PARTS } })
    const sent = Array.from({ length: 99 }, () => ({ amount: '0.10' }))
    const splits = [...sent, { amount: '2.40' }]
    const transactions = Array.from({ length: 50 }, (_, at) =>
      expenseOn(account, at < 2 ? AMZN : { ...AMZN, splits }),
    )
    const { results } = await ok(createTransactions, { as: me, json: { transactions } })
    const counts = results.map((one) => one.transaction?.splits.length)
    expect(counts).toEqual([20, 20, ...Array.from({ length: 48 }, () => 100)])
  })
})

describe('a transfer', () => {
  const fullSavings = async () => {
    const me = await newUser()
    const [account, savings] = [
      await newAccount(me),
      await newAccount(me, { openingBalance: MOST }),
    ]
    await newRule(me, { changes: { transferAccountId: savings.id, note: 'put aside' } })
    await newRule(me, { changes: { description: 'By rule' } })
    return { me, account, savings }
  }

  it('that the balance of the other account has no room for is not made', async () => {
    const { me, account, savings } = await fullSavings()
    const made = await book(me, account, AMZN)
    expect(made).toMatchObject({ kind: 'expense', note: null, description: 'By rule' })
    const income = await book(me, account, { ...AMZN, kind: 'income' })
    expect(income).toMatchObject({ kind: 'transfer', note: 'put aside' })
    const { results } = await many(me, account, 2)
    expect(results.map((one) => one.transaction?.kind)).toEqual(['expense', 'expense'])
    expect(await balanceOf(me, savings)).toBe('90071992547397.61')
    expect(await differencesOf(me)).toEqual([])
  })

  it('stops no import either', async () => {
    const { me, account } = await fullSavings()
    const text = csv(['2026-11-20,AMZN Mktp,-5.00', '2026-11-21,REWE,-6.00'])
    const { id } = await uploaded(me, text, { accountId: account.id })
    expect(await committed(me, id)).toMatchObject({ state: 'done' })
    const { transactions } = await ok(listTransactions, {
      as: me,
      query: { accountId: account.id },
    })
    expect(transactions.map(({ kind, description }) => [kind, description])).toEqual([
      ['expense', ''],
      ['expense', 'By rule'],
    ])
  })

  it('with an account that is closed meanwhile is not made', async () => {
    const me = await newUser()
    const [account, savings] = [await newAccount(me), await newAccount(me)]
    await newRule(me, { changes: { transferAccountId: savings.id } })
    let trips = 0
    const { call } = serviceWith({
      aroundTrips: async (_, run) => {
        trips += 1
        await (trips === 2 ? close(savings) : undefined)
        return run()
      },
    })
    const json = { transactions: [expenseOn(account, AMZN), expenseOn(account)] }
    const { status, body } = await call(createTransactions, { as: me, json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ results: [{ transaction: { kind: 'expense' } }, {}] })
  })

  it('of a request that is refused anyway changes nothing about that', async () => {
    const { me, savings } = await fullSavings()
    await expect(book(me, savings, { ...AMZN, kind: 'income' })).rejects.toThrow(
      'ledger.outOfRange',
    )
  })
})

describe('an answer that is kept for its Idempotency-Key', () => {
  it('has no texts of rules that it has no room for', async () => {
    const me = await newUser()
    const [account, food] = [await newAccount(me), await newCategory(me)]
    await newRule(me, { changes: { note: '漢'.repeat(2000) } })
    await newRule(me, { changes: { categoryId: food.id } })
    const headers = { 'Idempotency-Key': 'long' }
    const { results } = await many(me, account, 500, { headers })
    expect(results[0]?.transaction).toMatchObject({ note: null, categoryId: food.id })
    expect(await many(me, account, 500, { headers })).toMatchObject({ results })
    const id = results[0]?.transaction?.id ?? ''
    expect(await ok(getTransaction, { as: me, id })).toMatchObject({ note: null })
    // Without a key nothing has to be kept.
    const { results: unkept } = await many(me, account, 500)
    expect(unkept[0]?.transaction?.note).toHaveLength(2000)
  })

  it('is without rules where the request itself leaves no room', async () => {
    const me = await newUser()
    const [account, food] = [await newAccount(me), await newCategory(me)]
    const names = Array.from({ length: 50 }, (_, nth) => `Tag ${nth}`)
    const tags = await Promise.all(names.map((name) => ok(createTag, { as: me, json: { name } })))
    const addTagIds = tags.map(({ id }) => id)
    await newRule(me, { changes: { categoryId: food.id, addTagIds } })
    await newRule(me, { changes: { description: 'by rule' } })
    const headers = { 'Idempotency-Key': 'full' }
    const { results } = await many(me, account, 500, { headers, note: 'y'.repeat(1500) })
    expect(results[0]?.transaction).toMatchObject({ categoryId: null, tagIds: [], description: '' })
  })
})
