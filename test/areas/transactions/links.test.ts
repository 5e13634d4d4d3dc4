import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteTransactionLink,
  listTransactionLinks,
  createTransactionLink,
} from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  matchTransfer,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, change, refusal, type TransactionInput, tripsOf } from './booking.ts'

type Wanted = NonNullable<Parameters<typeof call<typeof createTransactionLink>>[1]>['json'] & object

const link = (as: Principal, { id }: { id: string }, json: Wanted) =>
  call(createTransactionLink, { as, id, json })

const linksOf = (as: Principal, { id }: { id: string }) => ok(listTransactionLinks, { as, id })

const unlink = (as: Principal, id: string, linkId: string, headers = {}) =>
  call(deleteTransactionLink, { as, path: { id, linkId }, headers })

/** A user with an expense of 100.00 and an income of 30.00 unless told otherwise. */
async function bought(wanted: Partial<TransactionInput> = {}) {
  const me = await newUser()
  const account = await newAccount(me)
  const expense = await book(me, account, { amount: '100', description: 'Shoes', ...wanted })
  const income = await book(me, account, { kind: 'income', amount: '30' })
  const refundOf = { kind: 'refundOf' as const, transactionId: expense.id }
  return { me, account, expense, income, refundOf }
}

describe('a refund', () => {
  it('is linked to what it refunds, and both tell what is left', async () => {
    const { me, expense, income, refundOf } = await bought()
    const created = await link(me, income, { ...refundOf, note: 'Too small' })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({
      kind: 'refundOf',
      direction: 'source',
      transactionId: expense.id,
      amount: '30.00',
      currency: 'EUR',
      note: 'Too small',
      transaction: { kind: 'expense', description: 'Shoes', amount: '100.00', currency: 'EUR' },
      version: 1,
    })
    const ofIncome = await call(listTransactionLinks, { as: me, id: income.id })
    expect(tripsOf(ofIncome)).toBe(1)
    expect(ofIncome.body).toEqual({
      links: [created.body],
      count: 1,
      summary: { gross: '30.00', linked: '30.00', net: '0.00', currency: 'EUR' },
    })
    const ofExpense = await linksOf(me, expense)
    expect(ofExpense).toMatchObject({
      links: [{ id: created.body.id, direction: 'target', transactionId: income.id }],
      summary: { gross: '100.00', linked: '30.00', net: '70.00', currency: 'EUR' },
    })
  })

  it('may be one of many, and of many, up to the amounts of each', async () => {
    const { me, account, expense, income, refundOf } = await bought()
    const other = await book(me, account, { amount: '50' })
    const second = await book(me, account, { kind: 'income', amount: '90' })
    await link(me, income, { ...refundOf, amount: '20' })
    const rest = await link(me, income, { kind: 'reimburses', transactionId: other.id })
    expect(rest.body.amount).toBe('10.00')
    const refused = await link(me, second, { ...refundOf, amount: '80.01' })
    expect(refusal(refused)).toEqual([409, 'transactions.linkedTooMuch', 'amount'])
    expect((await link(me, second, refundOf)).body.amount).toBe('80.00')
    expect((await linksOf(me, expense)).summary).toMatchObject({ linked: '100.00', net: '0.00' })
    const third = await book(me, account, { kind: 'income', amount: '1' })
    expect(refusal(await link(me, third, refundOf))).toEqual([
      409,
      'transactions.linkedTooMuch',
      'amount',
    ])
  })

  it.each([
    ['12.345', 'money.tooManyDigits'],
    ['9007199254740993', 'money.outOfRange'],
    ['0.00', 'money.zero'],
    ['-1', 'money.negative'],
  ])('covers no amount such as %s', async (amount, code) => {
    const { me, expense, income, refundOf } = await bought()
    const refused = await link(me, income, { ...refundOf, amount })
    expect(refusal(refused)).toEqual([400, code, 'amount'])
    expect((await linksOf(me, expense)).links).toEqual([])
  })

  it('of another currency says how much it covers', async () => {
    const { me, expense, refundOf } = await bought()
    const abroad = await newAccount(me, { currency: 'JPY' })
    const yen = await book(me, abroad, { kind: 'income', amount: '5000' })
    expect(refusal(await link(me, yen, refundOf))).toEqual([
      400,
      'transactions.linkAmountNeeded',
      'amount',
    ])
    const covered = await link(me, yen, { ...refundOf, amount: '31.5' })
    expect([covered.body.amount, covered.body.currency]).toEqual(['31.50', 'EUR'])
    expect((await linksOf(me, yen)).summary).toMatchObject({ gross: '5000', linked: '0' })
    expect((await linksOf(me, expense)).summary.net).toBe('68.50')
  })

  it('is not made twice, but again after it was taken off, from either side', async () => {
    const { me, expense, income, refundOf } = await bought()
    const { body } = await link(me, income, { ...refundOf, amount: '5' })
    const twice = await link(me, income, { ...refundOf, amount: '5' })
    expect(refusal(twice)).toEqual([409, 'transactions.linkedAlready'])
    const stale = await unlink(me, expense.id, body.id, { 'If-Match': '"2-x"' })
    expect(refusal(stale)).toEqual([412, 'request.stale'])
    const gone = await unlink(me, expense.id, body.id, { 'If-Match': '"1-x"' })
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    expect(refusal(await unlink(me, expense.id, body.id))).toEqual([
      404,
      'transactions.linkNotFound',
    ])
    expect((await linksOf(me, income)).count).toBe(0)
    expect((await link(me, income, refundOf)).status).toBe(201)
    const logged = await rows<{ content: string }>(
      `SELECT type, resource_type AS resourceType, owner_id AS ownerId, account_id AS accountId, version, content
        FROM log_entries WHERE resource_id = ? ORDER BY number`,
      body.id,
    )
    const stored = {
      kind: 'refundOf',
      sourceId: income.id,
      targetId: expense.id,
      amountMinor: 500,
      currency: 'EUR',
    }
    const event = { resourceType: 'transactionLink', ownerId: me.id, version: 1 }
    expect(logged.map((one) => ({ ...one, content: JSON.parse(one.content) }))).toEqual([
      {
        ...event,
        type: 'transaction.linked',
        accountId: income.accountId,
        content: { after: stored },
      },
      {
        ...event,
        type: 'transaction.unlinked',
        accountId: expense.accountId,
        content: { before: stored },
      },
    ])
  })

  it('keeps both from becoming less than what is linked, or something else', async () => {
    const { me, expense, income, refundOf } = await bought()
    await link(me, income, refundOf)
    const refused = [409, 'transactions.linkedAmount']
    expect(refusal(await change(me, expense, { amount: '29.99' }))).toEqual(refused)
    expect(refusal(await change(me, income, { amount: '29' }))).toEqual(refused)
    expect(refusal(await change(me, expense, { kind: 'income' }))).toEqual(refused)
    expect(refusal(await change(me, income, { kind: 'adjustment' }))).toEqual(refused)
    const abroad = await newAccount(me, { currency: 'JPY' })
    const moved = await change(me, expense, { accountId: abroad.id, amount: '9000' })
    expect(refusal(moved)).toEqual(refused)
    expect((await ok(getTransaction, { as: me, id: expense.id })).version).toBe(1)
    expect((await change(me, expense, { amount: '30', note: 'x' })).status).toBe(200)
    expect((await change(me, income, { amount: '31' })).status).toBe(200)
    expect((await linksOf(me, expense)).summary.net).toBe('0.00')
  })

  it('is hidden with what is in the trash, and keeps its room there', async () => {
    const { me, account, expense, income, refundOf } = await bought()
    await link(me, income, refundOf)
    await ok(deleteTransaction, { as: me, id: income.id })
    expect(await linksOf(me, expense)).toMatchObject({ count: 0, summary: { net: '100.00' } })
    const other = await book(me, account, { kind: 'income', amount: '90' })
    expect((await link(me, other, refundOf)).body.amount).toBe('70.00')
  })

  it('that is void gives nothing back', async () => {
    const { me, expense, income, refundOf } = await bought()
    await link(me, income, refundOf)
    await change(me, income, { status: 'void' })
    expect(await linksOf(me, expense)).toMatchObject({ count: 1, summary: { net: '100.00' } })
  })

  it('is never more than the expense, however many come at the same moment', async () => {
    const { me, account, expense, refundOf } = await bought()
    const incomes = await Promise.all(
      Array.from({ length: 10 }, () => book(me, account, { kind: 'income', amount: '30' })),
    )
    const answers = await Promise.all(
      incomes.map((income) => link(me, income, { ...refundOf, amount: '30' })),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBe(3)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect((await linksOf(me, expense)).summary.linked).toBe('90.00')
  })

  it.each([
    [
      'another link',
      (me: Principal, id: string, other: string) =>
        link(me, { id: other }, { kind: 'refundOf', transactionId: id, amount: '80' }),
    ],
    ['a smaller amount', (me: Principal, id: string) => change(me, { id }, { amount: '10' })],
    ['the trash', (me: Principal, id: string) => ok(deleteTransaction, { as: me, id })],
  ])('is not made when %s comes in between', async (_, meanwhile) => {
    const { me, account, expense, income, refundOf } = await bought()
    const other = await book(me, account, { kind: 'income', amount: '80' })
    const service = serviceWith({ meanwhile: () => meanwhile(me, expense.id, other.id) })
    const raced = await service.call(createTransactionLink, {
      as: me,
      id: income.id,
      json: refundOf,
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })

  it('that says its amount gives way only when another one leaves too little', async () => {
    const { me, account, expense, income, refundOf } = await bought()
    const other = await book(me, account, { kind: 'income', amount: '80' })
    const service = serviceWith({
      meanwhile: () => link(me, other, { ...refundOf, amount: '75' }),
    })
    const json = { ...refundOf, amount: '25.01' }
    const raced = await service.call(createTransactionLink, { as: me, id: income.id, json })
    expect(refusal(raced)).toEqual([409, 'transactions.linkedTooMuch', 'amount'])
    expect(raced.error.error).toContain('left to link: less than 25.01 EUR.')
    expect((await link(me, income, { ...json, amount: '25' })).status).toBe(201)
    expect((await linksOf(me, expense)).summary.net).toBe('0.00')
  })

  it('stops a smaller amount that was asked for before it came', async () => {
    const { me, expense, income, refundOf } = await bought()
    const service = serviceWith({ meanwhile: () => link(me, income, refundOf) })
    const raced = await service.call(updateTransaction, {
      as: me,
      id: expense.id,
      json: { amount: '10' },
    })
    expect(refusal(raced)).toEqual([409, 'transactions.linkedAmount'])
  })
})

describe('links of other kinds', () => {
  it('have no amount, and may lead to a leg of a transfer', async () => {
    const { me, account, expense, income } = await bought()
    const other = await newAccount(me)
    const move = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-01' }
    const { from, to } = await ok(createTransfer, { as: me, json: { ...move, amount: '7' } })
    const fee = await link(me, expense, { kind: 'feeOf', transactionId: from.id })
    expect(fee.body).toMatchObject({ amount: null, currency: null, transactionId: from.id })
    expect(await linksOf(me, to)).toMatchObject({
      links: [{ kind: 'feeOf', direction: 'target', transactionId: expense.id }],
      summary: { gross: '7.00', linked: '0.00', net: '7.00' },
    })
    expect((await linksOf(me, expense)).links).toEqual([fee.body])
    expect((await link(me, to, { kind: 'partOf', transactionId: income.id })).status).toBe(201)
    const self = await link(me, from, { kind: 'custom', transactionId: to.id })
    expect(refusal(self)).toEqual([400, 'transactions.linkedToItself', 'transactionId'])
    const wrong = await link(me, income, { kind: 'feeOf', transactionId: from.id })
    expect(refusal(wrong)).toEqual([400, 'transactions.linkKinds', 'kind'])
  })

  /** Links a transaction with others that are there for this alone, as many as are said from the first one on. */
  async function linkMany(
    me: { id: string },
    { id }: { id: string },
    first: number,
    count: number,
  ) {
    await rows(
      `INSERT INTO transaction_links (id, owner_id, kind, source_id, target_id, created_at, updated_at)
        SELECT 'lnk' || id || ?3, ?1, 'custom', ?3, id, 0, 0 FROM transactions
        WHERE owner_id = ?1 AND created_at = 0 ORDER BY id LIMIT ?2 OFFSET ?4`,
      me.id,
      count,
      id,
      first,
    )
  }

  /** Gives a user such transactions. They have no entries, which the check of the ledger would tell of. */
  async function withTargets(me: { id: string }, run: () => Promise<void>) {
    await rows(
      `WITH RECURSIVE serial (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < 210)
        INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
        SELECT 'txn_' || n || ?1, ?1, 'expense', '2026-01-01', 'user', ?1, 0, 0 FROM serial`,
      me.id,
    )
    await run()
    await rows('DELETE FROM transactions WHERE owner_id = ? AND created_at = 0', me.id)
  }

  const TOO_MANY = [409, 'transactions.tooManyLinks']

  it('are 200 at most', async () => {
    const { me, expense, income } = await bought()
    await withTargets(me, async () => {
      await linkMany(me, expense, 0, 200)
      const refused = await link(me, income, { kind: 'partOf', transactionId: expense.id })
      expect(refusal(refused)).toEqual(TOO_MANY)
    })
  })

  it('are 200 at most of what is kept of duplicates', async () => {
    const { me, account, expense } = await bought()
    const double = await book(me, account, { amount: '100', description: 'Shoes' })
    const json = { keepId: expense.id, dropId: double.id }
    await withTargets(me, async () => {
      await linkMany(me, expense, 0, 150)
      await linkMany(me, double, 150, 51)
      expect(refusal(await call(mergeDuplicate, { as: me, json }))).toEqual(TOO_MANY)
      await rows(
        'DELETE FROM transaction_links WHERE id = (SELECT max(id) FROM transaction_links WHERE source_id = ?)',
        double.id,
      )
      expect((await call(mergeDuplicate, { as: me, json })).status).toBe(200)
    })
  })

  it('are 200 at most of a row that comes back from a transfer', async () => {
    const { me, expense, income } = await bought({ amount: '30' })
    const elsewhere = await newAccount(me)
    await change(me, income, { accountId: elsewhere.id })
    const transfer = await ok(matchTransfer, {
      as: me,
      json: { fromTransactionId: expense.id, toTransactionId: income.id },
    })
    const unmatch = () => call(unmatchTransfer, { as: me, id: transfer.id })
    await withTargets(me, async () => {
      await linkMany(me, transfer, 0, 150)
      await linkMany(me, expense, 150, 51)
      expect(refusal(await unmatch())).toEqual(TOO_MANY)
      await rows(
        'DELETE FROM transaction_links WHERE id = (SELECT max(id) FROM transaction_links WHERE source_id = ?)',
        expense.id,
      )
      expect((await unmatch()).status).toBe(200)
    })
  })
})

describe('links of somebody else', () => {
  it('are not there', async () => {
    const { me, expense, income, refundOf } = await bought()
    const theirs = await bought()
    const { body } = await link(me, income, refundOf)
    const missing = [404, 'transactions.notFound']
    const asked = await call(listTransactionLinks, { as: theirs.me, id: income.id })
    expect(refusal(asked)).toEqual(missing)
    expect(refusal(await link(theirs.me, income, theirs.refundOf))).toEqual(missing)
    expect(refusal(await unlink(theirs.me, income.id, body.id))).toEqual(missing)
    expect(refusal(await unlink(theirs.me, theirs.income.id, body.id))).toEqual([
      404,
      'transactions.linkNotFound',
    ])
    const unknown = [400, 'transactions.unknownTransaction', 'transactionId']
    expect(refusal(await link(theirs.me, theirs.income, refundOf))).toEqual(unknown)
    expect((await linksOf(me, expense)).count).toBe(1)
  })

  it('are not there for a token that sees only one of the two accounts', async () => {
    const { me, account, expense, income, refundOf } = await bought()
    const secret = await newAccount(me, { name: 'Secret' })
    const hidden = await book(me, secret, { kind: 'income', amount: '40' })
    const { body } = await link(me, hidden, refundOf)
    await link(me, income, refundOf)
    const scopes = ['transactions.read' as const, 'transactions.write' as const]
    const json = { name: 'x', scopes, accountIds: [account.id] }
    const { token } = await ok(createAccessToken, { as: me, json })
    const restricted = { accessToken: token }
    const seen = await call(listTransactionLinks, { as: restricted, id: expense.id })
    expect(seen.body).toMatchObject({ count: 1, summary: { linked: '30.00', net: '70.00' } })
    expect(seen.text.includes(hidden.id)).toBe(false)
    expect(refusal(await unlink(restricted, expense.id, body.id))).toEqual([
      404,
      'transactions.linkNotFound',
    ])
    expect(
      refusal(await link(restricted, expense, { kind: 'custom', transactionId: hidden.id })),
    ).toEqual([400, 'transactions.unknownTransaction', 'transactionId'])
  })
})

it.each([
  ['another kind', { kind: 'loves' }, 'kind'],
  ['an unknown field', { direction: 'source' }, 'direction'],
  ['no transaction', { transactionId: undefined }, 'transactionId'],
  ['an amount that is none', { amount: '1e2' }, 'amount'],
])('is refused with %s', async (_, wrong, field) => {
  const { me, income, refundOf } = await bought()
  const raw = { body: JSON.stringify({ ...refundOf, ...wrong }) }
  const refused = await call(createTransactionLink, { as: me, id: income.id, raw })
  expect(refusal(refused)).toEqual([400, 'request.invalid', field])
})
