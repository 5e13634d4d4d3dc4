import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  archive,
  balanceOf,
  book,
  close,
  expenseOn,
  newCategory,
  refusal,
  tripsOf,
} from './booking.ts'
import { createAll, times, verdicts } from './bulk.ts'

async function newBooks() {
  const me = await newUser()
  return { me, account: await newAccount(me) }
}

const countOf = async (as: Principal) => (await ok(listTransactions, { as })).count

it('books transactions of every form as one by one, in two trips and one commit of the log', async () => {
  const { me, account } = await newBooks()
  const yen = await newAccount(me, { currency: 'JPY' })
  const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const payee = await ok(createPayee, { as: me, json: { name: 'Shop', aliases: ['TESCO 1'] } })
  const wanted = [
    expenseOn(account, { categoryId: food.id, payeeRaw: 'tesco  1', tagIds: [tag.id] }),
    expenseOn(yen, { kind: 'income', amount: '5000', categoryId: salary.id, payeeId: payee.id }),
    expenseOn(account, {
      amount: '10',
      splits: [
        { amount: '12', categoryId: food.id, note: 'Cheese', tagIds: [tag.id] },
        { amount: '-2', payeeId: payee.id },
      ],
      status: 'reconciled',
      externalId: 'bank-1',
      note: 'n',
      location: { lat: 1, lon: 2, name: 'there' },
      metadata: { a: [1, true] },
      originalAmount: '11.5',
      originalCurrency: 'USD',
      rate: '0.87',
      time: '18:45',
      reviewed: true,
      private: true,
    }),
    expenseOn(account, { payeeRaw: 'TESCO 1', payeeId: null }),
  ]
  const answer = await createAll(me, wanted)
  expect([answer.status, tripsOf(answer)]).toEqual([201, 2])
  expect(answer.body).toMatchObject({
    created: 4,
    existing: 0,
    valid: 0,
    invalid: 0,
    dryRun: false,
  })
  const ids = answer.body.results.map(({ transaction }) => transaction?.id ?? '')
  for (const [at, { index, transaction }] of answer.body.results.entries()) {
    const stored = await ok(getTransaction, { as: me, id: ids[at] ?? '' })
    expect([index, transaction]).toEqual([at, stored])
    const { id: _id, createdAt, updatedAt, splits, externalId: _bank, ...single } = stored
    const { body } = await call(createTransaction, {
      as: me,
      json: { ...expenseOn(account, wanted[at]), externalId: null },
    })
    const bare = (parts: typeof splits) => parts.map(({ id: _part, ...part }) => part)
    expect({ ...body, splits: bare(body.splits) }).toMatchObject({
      ...single,
      splits: bare(splits),
    })
    expect([typeof createdAt, typeof updatedAt]).toEqual(['string', 'string'])
  }
  const events = await eventsOf(...ids)
  expect(events.map(({ type, id, version }) => [type, id, version])).toEqual(
    ids.map((id) => ['transaction.created', id, 1]),
  )
  expect(new Set(events.map(({ commitId }) => commitId)).size).toBe(1)
  const [first, second, third, last] = events.map(({ content }) => content)
  const single = { kind: 'expense', date: '2026-11-20', status: 'uncleared' }
  const labels = { categoryId: food.id, tagIds: [tag.id] }
  expect(first).toEqual({
    after: { ...single, ...labels, amountMinor: -1230, payeeId: payee.id, payeeRaw: 'tesco  1' },
  })
  expect(second).toEqual({
    after: {
      ...{ ...single, kind: 'income', amountMinor: 5000 },
      ...{ categoryId: salary.id, payeeId: payee.id },
    },
  })
  expect(third).toEqual({
    private: true,
    after: {
      ...{
        ...single,
        status: 'reconciled',
        amountMinor: -1000,
        time: '18:45',
        externalId: 'bank-1',
      },
      ...{ originalAmountMinor: 1150, originalCurrency: 'USD', rate: '0.87' },
      ...{ reviewed: true, private: true, note: 'n', metadata: { a: [1, true] } },
      location: { lat: 1, lon: 2, name: 'there' },
      splits: [
        { line: 2, amountMinor: 1200, ...labels, note: 'Cheese' },
        { line: 3, amountMinor: -200, payeeId: payee.id },
      ],
    },
  })
  expect(last).toEqual({ after: { ...single, amountMinor: -1230, payeeRaw: 'TESCO 1' } })
  expect(await differencesOf(me)).toEqual([])
})

describe('what the account has by its external id', () => {
  it('is answered, not booked again, wherever the first is', async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    const old = await book(me, account, { externalId: 'a' })
    const wanted = [
      expenseOn(account, { externalId: 'a', amount: '99' }),
      expenseOn(account, { externalId: 'b' }),
      expenseOn(account, { externalId: 'b', amount: '77' }),
      expenseOn(other, { externalId: 'a' }),
    ]
    expect(verdicts(await createAll(me, wanted, true))).toEqual([
      'existing',
      'valid',
      'existing',
      'valid',
    ])
    const { status, body } = await createAll(me, wanted)
    expect([status, body.created, body.existing]).toEqual([201, 2, 2])
    const [first, second, third] = body.results
    expect(first?.transaction).toEqual(old)
    expect(third?.transaction).toEqual(second?.transaction)
    const again = await createAll(me, wanted)
    expect([again.status, again.body.created, again.body.existing]).toEqual([200, 0, 4])
    expect([await balanceOf(me, account), await countOf(me)]).toEqual(['-24.60', 3])
  })

  it('and came meanwhile refuses all', async () => {
    const { me, account } = await newBooks()
    const twin = expenseOn(account, { externalId: 'a' })
    const { call: ask } = serviceWith({
      meanwhile: () => call(createTransaction, { as: me, json: twin }),
    })
    const json = { transactions: [expenseOn(account), twin] }
    const refused = await ask(createTransactions, { as: me, json })
    expect(refusal(refused)).toEqual([409, 'transactions.externalIdTaken', 'transactions'])
    expect(await countOf(me)).toBe(1)
  })
})

describe('one that is wrong', () => {
  it('refuses all by its place and field, or has its verdict in a dry run', async () => {
    const { me, account } = await newBooks()
    const foreign = await newAccount(await newUser())
    const shut = await newAccount(me)
    await close(shut)
    const [income, old] = [await newCategory(me, 'income'), await newCategory(me)]
    await archive(old)
    const unknown = 'tag_01k9v3q8m5t0w2x4y6z8a1b3c5'
    const wrong: [Parameters<typeof createAll>[1][number], number, string][] = [
      [expenseOn(foreign), 400, 'transactions.unknownAccount accountId'],
      [expenseOn(shut), 409, 'transactions.accountClosed'],
      [expenseOn(account, { amount: '1.234' }), 400, 'money.tooManyDigits amount'],
      [expenseOn(account, { categoryId: income.id }), 400, 'transactions.categoryKind categoryId'],
      [expenseOn(account, { categoryId: old.id }), 400, 'transactions.archivedCategory categoryId'],
      [expenseOn(account, { tagIds: [unknown] }), 400, 'tags.unknownTag tagIds.0'],
      [
        expenseOn(account, { splits: [{ amount: '1' }, { amount: '2' }] }),
        400,
        'transactions.splitSum splits',
      ],
      [
        expenseOn(account, { originalAmount: '1' }),
        400,
        'transactions.originalIncomplete originalCurrency',
      ],
    ]
    const all = [expenseOn(account), ...wrong.map(([one]) => one)]
    const dry = await createAll(me, all, true)
    expect(dry.status).toBe(200)
    expect(verdicts(dry)).toEqual(['valid', ...wrong.map(([, , verdict]) => `invalid ${verdict}`)])
    expect(dry.body).toMatchObject({ created: 0, valid: 1, invalid: wrong.length, dryRun: true })
    for (const [one, status, verdict] of wrong) {
      const [code, field] = verdict.split(' ')
      const place = field === undefined ? 'transactions.1' : `transactions.1.${field}`
      const refused = await createAll(me, [expenseOn(account), one])
      expect(refusal(refused)).toEqual([status, code, place])
    }
    expect(await countOf(me)).toBe(0)
  })

  it('refuses all with the problems of every row', async () => {
    const { me, account } = await newBooks()
    const rows = [
      expenseOn(account, { amount: '1.234' }),
      expenseOn(account, {}),
      expenseOn(account, { categoryId: 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5', amount: '0' }),
    ]
    const refused = await createAll(me, rows)
    expect(refused.status).toBe(400)
    expect(refused.error.issues?.map(({ field, code }) => [field, code])).toEqual([
      ['transactions.0.amount', 'money.tooManyDigits'],
      ['transactions.2.amount', 'money.zero'],
      ['transactions.2.categoryId', 'transactions.unknownCategory'],
    ])
    expect(await countOf(me)).toBe(0)
  })

  it('in its form refuses all, also of a dry run', async () => {
    const { me, account } = await newBooks()
    const bad = { ...expenseOn(account), date: '2026-02-30' }
    const refused = await createAll(me, [expenseOn(account), bad], true)
    expect(refusal(refused)).toEqual([400, 'request.invalid', 'transactions.1.date'])
    const none = await createAll(me, [])
    expect(refusal(none)).toEqual([400, 'request.invalid', 'transactions'])
  })
})

it('takes 500 transactions and 5,000 lines, and not one more', async () => {
  const { me, account } = await newBooks()
  const many = await createAll(
    me,
    times(501, () => expenseOn(account)),
  )
  expect(refusal(many)).toEqual([400, 'request.invalid', 'transactions'])
  const parts = (count: number) => times(count, () => ({ amount: '1' }))
  const whole = expenseOn(account, { amount: '100', splits: parts(100) })
  // 49 of 101 lines are 4,949; the last brings what is left.
  const upTo = (count: number) => [
    ...times(49, () => whole),
    expenseOn(account, { amount: `${count}`, splits: parts(count) }),
  ]
  expect(refusal(await createAll(me, upTo(51)))).toEqual([400, 'transactions.tooManyLines'])
  expect((await createAll(me, upTo(50))).body.created).toBe(50)
  const full = await createAll(
    me,
    times(500, () => expenseOn(account, { amount: '0.01' })),
  )
  expect([full.body.created, await balanceOf(me, account)]).toEqual([500, '-4955.00'])
  expect(await differencesOf(me)).toEqual([])
})

it('keeps texts of any length, which are more than one parameter holds', async () => {
  const { me, account } = await newBooks()
  const note = '漢'.repeat(700)
  const wanted = times(400, (at) => expenseOn(account, { note, description: `${at}` }))
  const { body } = await createAll(me, wanted)
  expect(body.created).toBe(400)
  const last = await ok(getTransaction, { as: me, id: body.results[399]?.transaction?.id ?? '' })
  expect([last.note, last.description]).toEqual([note, '399'])
  expect(await differencesOf(me)).toEqual([])
})

it('books once for a repeated request, also when nothing was new', async () => {
  const { me, account } = await newBooks()
  const json = { transactions: times(3, () => expenseOn(account)) }
  const ask = (key: string, transactions = json.transactions) =>
    call(createTransactions, {
      as: me,
      json: { transactions },
      headers: { 'Idempotency-Key': key },
    })
  const [first, second] = [await ask('one'), await ask('one')]
  expect([second.status, second.text]).toEqual([201, first.text])
  const known = [expenseOn(account, { externalId: 'a' })]
  await createAll(me, known)
  const repeated = await ask('two', known)
  expect([repeated.status, repeated.body.existing]).toEqual([200, 1])
  expect(refusal(await ask('two'))).toEqual([409, 'idempotency.mismatch'])
  expect(await countOf(me)).toBe(4)
})

it('refuses an Idempotency-Key for an answer that is too large to be kept', async () => {
  const { me, account } = await newBooks()
  const splits = times(9, () => ({ amount: '1' }))
  const transactions = times(500, () =>
    expenseOn(account, { amount: '9', splits, note: 'x'.repeat(1600) }),
  )
  const headers = { 'Idempotency-Key': 'large' }
  const refused = await call(createTransactions, { as: me, json: { transactions }, headers })
  expect(refusal(refused)).toEqual([413, 'idempotency.answerTooLarge'])
  expect(await countOf(me)).toBe(0)
})

it('sees and touches only the accounts of a restricted token', async () => {
  const { me, account } = await newBooks()
  const other = await newAccount(me)
  const theirs = await book(me, other, { externalId: 'a' })
  const { token } = await ok(createAccessToken, {
    as: me,
    json: { name: 'One', scopes: ['transactions.write'], accountIds: [account.id] },
  })
  const as = { accessToken: token }
  for (const externalId of ['a', 'b']) {
    const refused = await createAll(as, [expenseOn(other, { externalId })])
    expect(refusal(refused)).toEqual([
      400,
      'transactions.unknownAccount',
      'transactions.0.accountId',
    ])
  }
  expect((await createAll(as, [expenseOn(account)])).body.created).toBe(1)
  expect(await ok(getTransaction, { as: me, id: theirs.id })).toEqual(theirs)
})

it('refuses an account that closed meanwhile', async () => {
  const { me, account } = await newBooks()
  const { call: ask } = serviceWith({ meanwhile: () => close(account) })
  const json = { transactions: [expenseOn(account)] }
  const refused = await ask(createTransactions, { as: me, json })
  expect(refusal(refused)).toEqual([409, 'transactions.accountClosed'])
})
