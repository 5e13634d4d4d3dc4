import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  listDuplicates,
  dismissDuplicate,
  mergeDuplicate,
} from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, close, newCategory, refusal, type TransactionInput } from './booking.ts'

const WINDOW = { from: '2026-11-01', to: '2026-12-31' }

const listed = (as: Principal, query: object = {}) =>
  ok(listDuplicates, { as, query: { ...WINDOW, ...query } })

const merge = (as: Principal, keep: { id: string }, drop: { id: string }, more: object = {}) =>
  call(mergeDuplicate, { as, json: { keepId: keep.id, dropId: drop.id, ...more } })

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  return {
    me,
    account,
    add: (wanted: Partial<TransactionInput> = {}) => book(me, account, wanted),
  }
}

describe('listing duplicates', () => {
  it('pairs rows of one account with one amount, in one trip', async () => {
    const { me, add } = await newBooks()
    const first = await add({ description: 'Tesco' })
    const second = await add({
      payeeRaw: 'TESCO STORES 3021',
      date: '2026-11-21',
      externalId: 'b-1',
    })
    const { status, body, headers } = await call(listDuplicates, { as: me, query: WINDOW })
    expect([status, costOf(headers).trips]).toEqual([200, 1])
    expect(body).toEqual({
      duplicates: [
        {
          first,
          second,
          score: 0.89,
          reasons: ['sameAmount', 'closeDays', 'sameDescription', 'otherSource'],
        },
      ],
      count: 1,
      truncated: false,
    })
  })

  it('trusts a bank that tells of two coffees, but shows them', async () => {
    const { me, add } = await newBooks()
    const payeeId = (await ok(createPayee, { as: me, json: { name: 'Cafe' } })).id
    const coffee = { amount: '3', description: 'Coffee', payeeId }
    await add({ ...coffee, externalId: 'b-1' })
    await add({ ...coffee, externalId: 'b-2' })
    const typed = { ...coffee, amount: '4' }
    await add(typed)
    await add(typed)
    await add({ amount: '5', description: 'One' })
    await add({ amount: '5', description: 'Other', date: '2026-11-23' })
    const { duplicates } = await listed(me)
    expect(duplicates.map(({ first, score, reasons }) => [first.amount, score, reasons])).toEqual([
      ['4.00', 0.8, ['sameAmount', 'sameDay', 'sameDescription', 'samePayee']],
      ['5.00', 0.46, ['sameAmount']],
      ['3.00', 0.4, ['sameAmount', 'sameDay', 'sameDescription', 'samePayee', 'sameSource']],
    ])
    expect((await listed(me, { limit: 1 })).count).toBe(1)
  })

  it('leaves out what cannot be one', async () => {
    const { me, account, add } = await newBooks()
    const other = await newAccount(me)
    await add()
    await add({ amount: '12.31' })
    await add({ kind: 'income' })
    await add({ status: 'void' })
    await add({ date: '2026-11-24' })
    await book(me, other)
    await add({ kind: 'adjustment', amount: '-12.30' })
    expect((await listed(me)).count).toBe(0)
    expect((await listed(me, { days: 4 })).count).toBe(1)
    expect((await listed(me, { days: 4, accountId: account.id })).count).toBe(1)
    expect((await listed(me, { days: 4, accountId: other.id })).count).toBe(0)
    expect((await listed(me, { days: 4, to: '2026-11-23' })).count).toBe(0)
    expect((await listed(await newUser(), { accountId: account.id })).count).toBe(0)
    await close(account)
    expect((await listed(me, { days: 4 })).count).toBe(0)
  })

  it('takes days from 0 to 14, and tells a token of its accounts only', async () => {
    const { me, account, add } = await newBooks()
    await add()
    await add()
    await add({ date: '2026-11-21' })
    expect((await listed(me, { days: 0 })).count).toBe(1)
    expect((await listed(me)).count).toBe(3)
    const wrong = await call(listDuplicates, { as: me, query: { days: 15 } })
    expect(refusal(wrong)).toEqual([400, 'request.invalid', 'days'])
    const years = { from: '2020-01-01', to: '2026-01-01' }
    const long = await call(listDuplicates, { as: me, query: years })
    expect(refusal(long)).toEqual([400, 'ledger.window', 'from'])
    const token = async (accountIds: string[]) => {
      const json = { name: 'T', scopes: ['transactions.read' as const], accountIds }
      return { accessToken: (await ok(createAccessToken, { as: me, json })).token }
    }
    expect((await listed(await token([account.id]))).count).toBe(3)
    expect((await listed(await token([(await newAccount(me)).id]))).count).toBe(0)
  })
})

describe('dismissing duplicates', () => {
  const dismiss = (as: Principal, ...transactionIds: string[]) =>
    call(dismissDuplicate, { as, json: { transactionIds } })

  it('ends them for good, and only for their owner', async () => {
    const { me, add } = await newBooks()
    const [one, other] = [await add(), await add()]
    const theirs = await dismiss(await newUser(), one.id, other.id)
    expect(refusal(theirs)).toEqual([400, 'transactions.unknownTransaction', 'transactionIds.0'])
    expect(refusal(await dismiss(me, one.id, one.id))).toEqual([
      409,
      'transactions.notMergeable',
      'transactionIds.1',
    ])
    for (const ids of [
      [one.id, other.id],
      [other.id, one.id],
    ]) {
      expect((await dismiss(me, ...ids)).status).toBe(200)
    }
    expect((await listed(me)).count).toBe(0)
    expect((await merge(me, one, other)).status).toBe(200)
  })
})

describe('merging duplicates', () => {
  it('gives the kept one what it lacks, in two trips', async () => {
    const { me, account, add } = await newBooks()
    const food = await newCategory(me)
    const tag = async (name: string) => (await ok(createTag, { as: me, json: { name } })).id
    const [mine, theirs] = [await tag('Mine'), await tag('Theirs')]
    const payeeId = (await ok(createPayee, { as: me, json: { name: 'Shop' } })).id
    const keep = await add({
      description: 'Cheese',
      tagIds: [mine],
      metadata: { a: 1, b: 1 },
    })
    const drop = await add({
      description: 'TESCO',
      categoryId: food.id,
      payeeId,
      payeeRaw: 'TESCO STORES',
      note: 'From the bank',
      tagIds: [theirs],
      externalId: 'b-1',
      status: 'cleared',
      reviewed: true,
      time: '10:00',
      location: { lat: 1, lon: 2, name: 'There' },
      metadata: { b: 2, c: 2 },
      originalAmount: '10',
      originalCurrency: 'GBP',
      rate: '1.23',
    })
    const answer = await merge(me, keep, drop)
    expect([answer.status, costOf(answer.headers).trips]).toEqual([200, 2])
    const { id, createdAt } = keep
    expect(answer.body).toEqual({
      ...drop,
      id,
      createdAt,
      description: 'Cheese',
      tagIds: [mine, theirs].toSorted(),
      metadata: { a: 1, b: 1, c: 2 },
      version: 2,
      updatedAt: answer.body.updatedAt,
    })
    expect(await ok(getTransaction, { as: me, id })).toEqual(answer.body)
    expect((await call(getTransaction, { as: me, id: drop.id })).status).toBe(404)
    expect(await balanceOf(me, account)).toBe('-12.30')
    const found = await ok(listTransactions, { as: me, query: { text: 'tesco stores' } })
    expect(found.transactions.map((row) => row.id)).toEqual([id])
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps what the kept one has', async () => {
    const { me, add } = await newBooks()
    const [food, fun] = [await newCategory(me), await newCategory(me)]
    const keep = await add({
      description: 'a',
      payeeRaw: 'a',
      note: 'a',
      categoryId: food.id,
      externalId: 'a',
      status: 'reconciled',
      metadata: { big: 'x'.repeat(3000) },
    })
    const drop = await add({
      description: 'b',
      payeeRaw: 'b',
      note: 'b',
      categoryId: fun.id,
      externalId: 'b',
      status: 'pending',
      metadata: { more: 'y'.repeat(3000) },
    })
    expect(refusal(await merge(me, keep, drop))).toEqual([409, 'transactions.reconciled'])
    const { body } = await merge(me, keep, drop, { force: true })
    const { updatedAt } = body
    expect(body).toEqual({ ...keep, version: 2, updatedAt })
    const [, updated] = await eventsOf(keep.id)
    expect([updated?.type, updated?.version, updated?.content]).toEqual([
      'transaction.updated',
      2,
      { forced: true },
    ])
    const [, deleted] = await eventsOf(drop.id)
    expect([deleted?.type, deleted?.version]).toEqual(['transaction.deleted', 2])
    expect(deleted?.content).toEqual({
      forced: true,
      before: {
        ...{ kind: 'expense', date: drop.date, amountMinor: -1230, status: 'pending' },
        ...{ description: 'b', payeeRaw: 'b', note: 'b', categoryId: fun.id, externalId: 'b' },
        metadata: { more: 'y'.repeat(3000) },
      },
    })
    expect(deleted?.commitId).toBe(updated?.commitId)
  })

  it('takes parts from the one that has them, with their tags', async () => {
    const { me, add } = await newBooks()
    const food = await newCategory(me)
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Part' } })
    const splits = [{ amount: '10', categoryId: food.id, tagIds: [tagId] }, { amount: '2.30' }]
    const { body } = await merge(me, await add({ categoryId: food.id }), await add({ splits }))
    expect(body.splits).toMatchObject([
      { amount: '10.00', categoryId: food.id, tagIds: [tagId] },
      { amount: '2.30', categoryId: null, tagIds: [] },
    ])
    expect(await ok(getTransaction, { as: me, id: body.id })).toEqual(body)
    const own = [{ amount: '6.30', note: 'mine' }, { amount: '6' }]
    const kept = await merge(me, await add({ splits: own }), body)
    expect(kept.body.splits).toMatchObject([{ amount: '6.30', note: 'mine' }, { amount: '6.00' }])
    expect(await differencesOf(me)).toEqual([])
  })

  it('moves what is linked to the dropped one', async () => {
    const { me, add } = await newBooks()
    const [keep, drop, other] = [await add(), await add(), await add()]
    const link = (id: string, source: string, target: string) =>
      rows(
        `INSERT INTO transaction_links (id, owner_id, kind, source_id, target_id, created_at, updated_at)
          VALUES (?1, ?2, 'custom', ?3, ?4, 0, 0)`,
        `${id} ${me.id}`,
        me.id,
        source,
        target,
      )
    await link('moved', drop.id, other.id)
    await link('between', drop.id, keep.id)
    await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
    const links = await rows<{ source: string; target: string }>(
      `SELECT source_id AS source, target_id AS target FROM transaction_links WHERE owner_id = ?
        ORDER BY id`,
      me.id,
    )
    expect(links).toEqual([
      { source: drop.id, target: keep.id },
      { source: keep.id, target: other.id },
    ])
  })

  it('refuses two that cannot be one', async () => {
    const { me, account, add } = await newBooks()
    const keep = await add()
    const refused: [string, { id: string }, unknown[]][] = [
      ['itself', keep, [409, 'transactions.notMergeable', 'dropId']],
      ['amount', await add({ amount: '1' }), [409, 'transactions.notSame', 'dropId']],
      ['direction', await add({ kind: 'income' }), [409, 'transactions.notSame', 'dropId']],
      ['account', await book(me, await newAccount(me)), [409, 'transactions.notSame', 'dropId']],
      ['void', await add({ status: 'void' }), [409, 'transactions.voidDuplicate', 'dropId']],
      [
        'adjustment',
        await add({ kind: 'adjustment', amount: '-12.30' }),
        [409, 'transactions.notMergeable', 'dropId'],
      ],
      [
        'nothing',
        { id: 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5' },
        [400, 'transactions.unknownTransaction', 'dropId'],
      ],
    ]
    for (const [name, drop, why] of refused) {
      expect(refusal(await merge(me, keep, drop)), name).toEqual(why)
    }
    const stranger = await newUser()
    const own = await book(stranger, await newAccount(stranger))
    expect(refusal(await merge(stranger, own, keep))).toEqual([
      400,
      'transactions.unknownTransaction',
      'dropId',
    ])
    const twin = await add()
    await close(account)
    expect(refusal(await merge(me, keep, twin))).toEqual([409, 'transactions.accountClosed'])
  })

  it('is refused where the kept one would stand for more imported rows than a backup may have', async () => {
    const { me, account, add } = await newBooks()
    const [keep, drop] = [await add(), await add()]
    const know = (id: string, count: number) =>
      rows(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO import_identities (account_id, identity, date, amount_minor, pending, import_id, transaction_id)
          SELECT ?2, ?3 || i, '2026-01-01', -1230, 0, 'imp_x', ?3 FROM n`,
        count,
        account.id,
        id,
      )
    await know(keep.id, 100)
    await know(drop.id, 1)
    expect(refusal(await merge(me, keep, drop))).toEqual([409, 'imports.tooManyMerged'])
    await rows('DELETE FROM import_identities WHERE identity = ?', `${keep.id}1`)
    expect((await merge(me, keep, drop)).status).toBe(200)
  })

  it('is stopped by a change of either, and happens once', async () => {
    const { me, account, add } = await newBooks()
    const [keep, drop] = [await add(), await add()]
    const json = { keepId: keep.id, dropId: drop.id }
    const interrupted = (meanwhile: () => Promise<unknown>) =>
      serviceWith({ meanwhile }).call(mergeDuplicate, { as: me, json })
    for (const { id } of [keep, drop]) {
      const changed = await interrupted(() =>
        ok(updateTransaction, { as: me, id, json: { note: 'x' } }),
      )
      expect(refusal(changed)).toEqual([409, 'request.conflict'])
    }
    const answers = await Promise.all([merge(me, keep, drop), merge(me, drop, keep)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })
})
