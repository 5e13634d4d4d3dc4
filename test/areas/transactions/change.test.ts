import { describe, expect, it } from 'vitest'
import {
  deleteSplits,
  listSplits,
  replaceSplits,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf, toldOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  archive,
  balanceOf,
  book,
  change,
  type Changes,
  close,
  expenseOn,
  newCategory,
  REFUSED_AMOUNTS,
  refusal,
  type TransactionInput,
  tripsOf,
} from './booking.ts'

async function newBooks(currency = 'EUR') {
  const me = await newUser()
  return { me, account: await newAccount(me, { currency }) }
}

describe('one transaction', () => {
  it('is not found under any id that is not its own', async () => {
    const { me, account } = await newBooks()
    const mine = await book(me, account)
    const other = await newUser()
    const foreign = await book(other, await newAccount(other))
    for (const id of [someId('txn'), `${mine.id}-1`, `${mine.id}-2`, foreign.id]) {
      for (const answer of [
        await call(getTransaction, { as: me, id }),
        await call(updateTransaction, { as: me, id, json: { note: 'x' } }),
        await call(deleteTransaction, { as: me, id }),
      ]) {
        expect(refusal(answer), id).toEqual([404, 'transactions.notFound'])
      }
    }
    expect(await ok(getTransaction, { as: other, id: foreign.id })).toEqual(foreign)
    expect(await ok(getTransaction, { as: me, id: mine.id })).toEqual(mine)
  })

  it('is read in one trip, and not again while nothing changed', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const first = await call(getTransaction, { as: me, id })
    expect(tripsOf(first)).toBe(1)
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await call(getTransaction, { as: me, id, headers })).status).toBe(304)
    await change(me, { id }, { note: 'x' })
    expect((await call(getTransaction, { as: me, id, headers })).status).toBe(200)
  })

  it('with its account in the trash is gone', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', account.id)
    expect((await call(getTransaction, { as: me, id })).status).toBe(404)
    expect((await change(me, { id }, { note: 'x' })).status).toBe(404)
    expect((await ok(listTransactions, { as: me })).count).toBe(0)
  })
})

describe('a change', () => {
  it('touches what was sent and nothing else, and null clears', async () => {
    const { me, account } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const before = await book(me, account, {
      description: 'Dinner',
      time: '18:45',
      originalAmount: '20',
      originalCurrency: 'USD',
      rate: '0.9',
      payeeRaw: 'BAR',
      categoryId,
      status: 'cleared',
      reviewed: true,
      externalId: 'x',
      note: 'n',
      location: { lat: 1, lon: 2, name: 'there' },
      metadata: { a: 1 },
      private: true,
    })
    const changes: Changes[] = [
      { description: '' },
      { time: null },
      { originalAmount: '21.5', originalCurrency: 'GBP' },
      { originalAmount: null, originalCurrency: null },
      { rate: null },
      { payeeRaw: 'CAFÉ' },
      { categoryId: null },
      { categoryId },
      { status: 'pending' },
      { reviewed: false },
      { note: null },
      { location: null },
      { metadata: { b: [2] } },
      { metadata: null },
      { private: false },
      { date: '2024-02-29' },
      {},
    ]
    const expected: typeof before = { ...before }
    for (const json of changes) {
      const changed = await change(me, before, json)
      const { version, updatedAt } = changed.body
      expect(version).toBe(expected.version + 1)
      Object.assign(expected, json, { version, updatedAt })
      if (json.originalAmount) {
        expected.originalAmount = '21.50'
      }
      expect(changed.body, JSON.stringify(json)).toEqual(expected)
      expect(await ok(getTransaction, { as: me, id: before.id })).toEqual(expected)
    }
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })

  it('of the amount, the kind or both moves the balance', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const steps: [Changes, string][] = [
      [{ amount: '20' }, '-20.00'],
      [{ kind: 'income' }, '20.00'],
      [{ kind: 'expense', amount: '7.5' }, '-7.50'],
      [{ kind: 'adjustment' }, '-7.50'],
      [{ amount: '3' }, '3.00'],
      [{ amount: '-4' }, '-4.00'],
      [{ kind: 'income' }, '4.00'],
      [{ kind: 'adjustment', amount: '-1' }, '-1.00'],
      [{ kind: 'expense' }, '-1.00'],
      [{ status: 'void' }, '0.00'],
      [{ status: 'pending' }, '-1.00'],
    ]
    for (const [json, balance] of steps) {
      const { body } = await change(me, { id }, json)
      const moved = body.status === 'void' ? '0.00' : body.signedAmount
      expect([moved, await balanceOf(me, account)], JSON.stringify(json)).toEqual([
        balance,
        balance,
      ])
      expect(body.amount).toBe(body.signedAmount.replace('-', ''))
    }
    expect(await differencesOf(me)).toEqual([])
  })

  it('may move it to another account, and to another currency with an amount in it', async () => {
    const { me, account } = await newBooks()
    const [euro, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const { id } = await book(me, account, { externalId: 'x' })
    const moved = await change(me, { id }, { accountId: euro.id })
    expect(moved.body).toMatchObject({ accountId: euro.id, amount: '12.30', externalId: 'x' })
    const bare = await change(me, { id }, { accountId: yen.id })
    expect(refusal(bare)).toEqual([400, 'transactions.otherCurrency', 'amount'])
    const converted = await change(me, { id }, { accountId: yen.id, amount: '2000' })
    expect(converted.body).toMatchObject({ amount: '2000', currency: 'JPY' })
    const balances = [account, euro, yen].map((one) => balanceOf(me, one))
    expect(await Promise.all(balances)).toEqual(['0.00', '0.00', '-2000'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('to another currency asks for the parts again: the old numbers would pass for new money', async () => {
    const { me, account } = await newBooks()
    const yen = await newAccount(me, { currency: 'JPY' })
    const parts = (...amounts: string[]) => amounts.map((amount) => ({ amount }))
    const { id } = await book(me, account, { amount: '10', splits: parts('5', '5') })
    const json = { accountId: yen.id, amount: '1000' }
    const refused = await change(me, { id }, json)
    expect(refusal(refused)).toEqual([400, 'transactions.otherCurrency', 'splits'])
    const done = await change(me, { id }, { ...json, splits: parts('400', '600') })
    expect(done.body.splits.map(({ amount }) => amount)).toEqual(['400', '600'])
  })

  it('to an account that has its external id is a conflict', async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    await book(me, other, { externalId: 'x' })
    const { id } = await book(me, account, { externalId: 'x' })
    const refused = await change(me, { id }, { accountId: other.id })
    expect(refusal(refused)).toEqual([409, 'transactions.externalIdTaken', 'externalId'])
    expect(await balanceOf(me, account)).toBe('-12.30')
  })

  it("to an unknown account or another user's is 400, to a closed one 409", async () => {
    const { me, account } = await newBooks()
    const other = await newUser()
    const [foreign, closed] = [await newAccount(other), await newAccount(me)]
    await close(closed)
    const { id } = await book(me, account)
    for (const accountId of [foreign.id, 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5']) {
      const refused = await change(me, { id }, { accountId })
      expect(refusal(refused)).toEqual([400, 'transactions.unknownAccount', 'accountId'])
    }
    const refused = await change(me, { id }, { accountId: closed.id })
    expect(refusal(refused)).toEqual([409, 'transactions.accountClosed'])
    expect(await balanceOf(other, foreign)).toBe('0.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('on a closed account may say more of a transaction, but not move money', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    await close(account)
    expect((await change(me, { id }, { note: 'late', reviewed: true })).status).toBe(200)
    for (const json of [{ amount: '1' }, { status: 'cleared' as const }, { date: '2026-01-01' }]) {
      expect(refusal(await change(me, { id }, json))).toEqual([409, 'transactions.accountClosed'])
    }
    const removed = await call(deleteTransaction, { as: me, id })
    expect(refusal(removed)).toEqual([409, 'transactions.accountClosed'])
    expect(await balanceOf(me, account)).toBe('-12.30')
  })

  it('keeps categories to the kind of the transaction', async () => {
    const { me, account } = await newBooks()
    const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
    const { id } = await book(me, account, { categoryId: food.id })
    const code = 'transactions.categoryKind'
    const wrong = await change(me, { id }, { categoryId: salary.id })
    expect(refusal(wrong)).toEqual([400, code, 'categoryId'])
    const adjusted = await change(me, { id }, { kind: 'adjustment' })
    expect(refusal(adjusted)).toEqual([400, 'transactions.categoryOnAdjustment', 'categoryId'])
    const both = await change(me, { id }, { kind: 'income', categoryId: salary.id })
    expect(both.body).toMatchObject({ kind: 'income', categoryId: salary.id })
    const back = await change(me, { id }, { kind: 'expense' })
    expect(refusal(back)).toEqual([400, code, 'categoryId'])
    const none = await change(me, { id }, { kind: 'adjustment', categoryId: null })
    expect(none.body).toMatchObject({ kind: 'adjustment', categoryId: null, signedAmount: '12.30' })
  })

  it('keeps an archived category, but takes none that it did not have', async () => {
    const { me, account } = await newBooks()
    const [old, other] = [await newCategory(me), await newCategory(me)]
    const mine = await book(me, account, { categoryId: old.id })
    const parts = (...ids: string[]) => [
      { amount: '12', categoryId: ids[0] },
      { amount: '0.30', categoryId: ids[1] },
    ]
    await archive(old)
    await archive(other)
    const code = 'transactions.archivedCategory'
    const wrong: [Pick<TransactionInput, 'categoryId' | 'splits'>, string][] = [
      [{ categoryId: other.id }, 'categoryId'],
      [{ categoryId: null, splits: parts(old.id, other.id) }, 'splits.1.categoryId'],
    ]
    for (const [json, field] of wrong) {
      expect(refusal(await change(me, mine, json))).toEqual([400, code, field])
      const created = await call(createTransaction, { as: me, json: expenseOn(account, json) })
      expect([created.status, created.error.code]).toEqual([400, code])
    }
    const kept = await change(me, mine, { categoryId: old.id, amount: '7' })
    expect(kept.body).toMatchObject({ categoryId: old.id, amount: '7.00' })
    const split = await change(me, mine, { amount: '12.30', splits: parts(old.id) })
    const [first] = split.body.splits
    expect(first?.categoryId).toBe(old.id)
    await change(me, mine, { splits: [] })
    expect(refusal(await change(me, mine, { categoryId: old.id }))).toEqual([
      400,
      code,
      'categoryId',
    ])
  })

  it('that would not have been allowed at the start is refused by its field', async () => {
    const { me, account } = await newBooks()
    const foreign = await newCategory(await newUser())
    const mine = await book(me, account)
    const invalid = 'request.invalid'
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ kind: 'transfer' }, invalid, 'kind'],
      [{ date: '2026-02-30' }, invalid, 'date'],
      [{ status: null }, invalid, 'status'],
      [{ description: null }, invalid, 'description'],
      [{ externalId: 'y' }, invalid, 'externalId'],
      [{ source: 'api' }, invalid, 'source'],
      [{ amount: '-1' }, 'money.negative', 'amount'],
      [{ originalAmount: '1' }, 'transactions.originalIncomplete', 'originalCurrency'],
      [{ originalCurrency: 'USD' }, 'transactions.originalIncomplete', 'originalAmount'],
      [{ rate: '0.0' }, 'exchange.malformedRate', 'rate'],
      [{ categoryId: foreign.id }, 'transactions.unknownCategory', 'categoryId'],
      ...REFUSED_AMOUNTS.map((amount): [Record<string, unknown>, string, string] => [
        { amount },
        expect.any(String) as string,
        'amount',
      ]),
    ]
    for (const [json, code, field] of wrong) {
      const refused = await change(me, mine, json as Changes)
      expect(refusal(refused), JSON.stringify(json)).toEqual([400, code, field])
    }
    expect(await ok(getTransaction, { as: me, id: mine.id })).toEqual(mine)
  })

  it('logs what was before and what is after', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account, { note: 'old', time: '10:30' })
    await change(me, { id }, { note: 'new', amount: '1', date: '2026-01-01', time: null })
    await ok(deleteTransaction, { as: me, id })
    const common = { kind: 'expense', status: 'uncleared' }
    const was = { date: '2026-11-20', time: '10:30', amountMinor: -1230, note: 'old' }
    const is = { date: '2026-01-01', amountMinor: -100, note: 'new' }
    expect(await toldOf(id)).toEqual([
      ['transaction.created', { after: { ...common, ...was } }],
      ['transaction.updated', { before: was, after: is }],
      ['transaction.deleted', { before: { ...common, ...is } }],
    ])
    expect(
      (await eventsOf(id)).map(({ accountId, ownerId, version }) => [accountId, ownerId, version]),
    ).toEqual([
      [account.id, me.id, 1],
      [account.id, me.id, 2],
      [account.id, me.id, 3],
    ])
  })

  it('takes two trips', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    expect(tripsOf(await change(me, { id }, { amount: '1' }))).toBe(2)
    expect(tripsOf(await call(deleteTransaction, { as: me, id }))).toBe(2)
  })
})

describe('If-Match', () => {
  it('with the version that was read lets a change through, with another refuses it', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const etag = (await call(getTransaction, { as: me, id })).headers.get('ETag') ?? ''
    const headers = { 'If-Match': etag }
    expect((await change(me, { id }, { note: '1' }, headers)).status).toBe(200)
    expect(refusal(await change(me, { id }, { note: '2' }, headers))).toEqual([
      412,
      'request.stale',
    ])
    const removed = await call(deleteTransaction, { as: me, id, headers })
    expect(refusal(removed)).toEqual([412, 'request.stale'])
    expect((await ok(getTransaction, { as: me, id })).note).toBe('1')
  })

  it('lets one of 50 changes of one version through', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const etag = (await call(getTransaction, { as: me, id })).headers.get('ETag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        change(me, { id }, { amount: `${at + 1}` }, { 'If-Match': etag }),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49)
    expect(await ok(getTransaction, { as: me, id })).toEqual(won[0]?.body)
    expect(await balanceOf(me, account)).toBe(won[0]?.body.signedAmount)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is not needed for a change to be refused that was overtaken between reading and booking', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const { call: callMeanwhile } = serviceWith({
      meanwhile: () => change(me, { id }, { amount: '1' }),
    })
    const json = { amount: '2' }
    const overtaken = await callMeanwhile(updateTransaction, { as: me, id, json })
    expect(refusal(overtaken)).toEqual([409, 'request.conflict'])
    const gone = serviceWith({ meanwhile: () => call(deleteTransaction, { as: me, id }) })
    expect((await gone.call(updateTransaction, { as: me, id, json })).status).toBe(409)
    expect(await balanceOf(me, account)).toBe('0.00')
  })
})

describe('nobody', () => {
  it('is asked to sign in before anything in the request is looked at', async () => {
    const raw = { body: 'no JSON' }
    const answers = [
      await call(listTransactions, { query: { limit: 'x' } }),
      await call(createTransaction, { raw }),
      await call(getTransaction, { id: 'x' }),
      await call(updateTransaction, { id: 'x', raw }),
      await call(deleteTransaction, { id: 'x' }),
      await call(listSplits, { id: 'x' }),
      await call(replaceSplits, { id: 'x', raw }),
      await call(deleteSplits, { id: 'x' }),
    ]
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([401, 'auth.required'])
    }
  })
})

describe('deleting', () => {
  it('moves a transaction to the trash: its header stays, its entries live on in the log', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account, { externalId: 'x' })
    expect(await ok(deleteTransaction, { as: me, id })).toMatchObject({
      message: 'The transaction is in the trash.',
    })
    expect(await balanceOf(me, account)).toBe('0.00')
    for (const route of [getTransaction, deleteTransaction]) {
      expect((await call(route, { as: me, id })).status).toBe(404)
    }
    const [header] = await rows<{ deleted_at: number }>(
      'SELECT deleted_at FROM transactions WHERE id = ?',
      id,
    )
    expect(header?.deleted_at).toBeGreaterThan(0)
    expect(await rows('SELECT 1 FROM entries WHERE transaction_id = ?', id)).toEqual([])
    expect((await book(me, account, { externalId: 'x' })).id).not.toBe(id)
    expect(await differencesOf(me)).toEqual([])
  })
})
