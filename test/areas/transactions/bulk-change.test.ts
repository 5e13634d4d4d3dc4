import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  getTransaction,
  listTransactions,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer, getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  change,
  type Changes,
  close,
  expenseOn,
  newCategory,
  refusal,
  tripsOf,
} from './booking.ts'
import { adjustedOn, changeAll, createAll, times, verdicts } from './bulk.ts'

async function newBooks() {
  const me = await newUser()
  return { me, account: await newAccount(me) }
}

const found = (as: Principal, id: string) => ok(getTransaction, { as, id })

async function transferred(status: 'uncleared' | 'reconciled' = 'uncleared') {
  const { me, account } = await newBooks()
  const other = await newAccount(me)
  const json = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20' }
  const transfer = await ok(createTransfer, { as: me, json: { ...json, amount: '10', status } })
  return { me, account, other, id: transfer.id, legs: [transfer.from.id, transfer.to.id] }
}

describe('a change of many', () => {
  it('does to each what a change of it alone does, in two trips', async () => {
    const { me, account } = await newBooks()
    const [old, food] = [await newCategory(me), await newCategory(me)]
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
    const steps: Changes[] = [
      { date: '2025-02-28', note: 'n' },
      { status: 'void' },
      { status: 'cleared', reviewed: true, private: true, excludeFromReports: true },
      { categoryId: food.id, description: 'Food', payeeId: payee.id, tagIds: [tag.id] },
      { categoryId: null, note: null, payeeId: null, tagIds: [] },
      { status: 'reconciled' },
    ]
    const wanted = [expenseOn(account), expenseOn(account, { categoryId: old.id, note: 'x' })]
    const [many, single] = [await createAll(me, wanted), await createAll(me, wanted)]
    const idsIn = ({ body }: typeof many) =>
      body.results.map(({ transaction }) => transaction?.id ?? '')
    for (const changes of steps) {
      const changed = await changeAll(me, { ids: idsIn(many), changes })
      expect([changed.status, tripsOf(changed)], JSON.stringify(changes)).toEqual([200, 2])
      expect(changed.body).toMatchObject({ changed: 2, unchanged: 0, invalid: 0, dryRun: false })
      for (const [at, id] of idsIn(single).entries()) {
        const { body } = await change(me, { id }, changes)
        const { id: _id, createdAt: _created, updatedAt: _updated, ...same } = body
        expect(await found(me, idsIn(many)[at] ?? '')).toMatchObject(same)
      }
      expect(await differencesOf(me)).toEqual([])
    }
    const texts = await rows<{ text: string }>(
      'SELECT DISTINCT search_text AS text FROM transactions WHERE owner_id = ?',
      me.id,
    )
    expect(texts).toEqual([{ text: 'food\n\n' }])
  })

  it('leaves what is like that already, and says so', async () => {
    const { me, account } = await newBooks()
    const [same, other] = [await book(me, account, { note: 'n' }), await book(me, account)]
    const ids = [other.id, same.id]
    const changes = { note: 'n', status: 'uncleared' as const, reviewed: false }
    const { body } = await changeAll(me, { ids, changes })
    expect(body.results).toEqual([
      { id: other.id, status: 'changed' },
      { id: same.id, status: 'unchanged' },
    ])
    expect(await found(me, same.id)).toEqual(same)
    const again = await changeAll(me, { ids, changes })
    expect([again.body.unchanged, tripsOf(again)]).toEqual([2, 1])
  })

  it('needs no force for what is reconciled and stays as it is', async () => {
    const { me, account } = await newBooks()
    const done = await book(me, account, { status: 'reconciled', note: 'n' })
    const ids = [(await book(me, account)).id, done.id]
    const { body } = await changeAll(me, { ids, changes: { note: 'n' } })
    expect(body.results.map(({ status }) => status)).toEqual(['changed', 'unchanged'])
    expect(await found(me, done.id)).toEqual(done)
    const moved = await changeAll(me, { ids, changes: { date: '2026-01-05' } })
    expect(refusal(moved)).toEqual([409, 'transactions.reconciled', 'ids.1'])
    const words = await changeAll(me, { ids, changes: { note: 'm' } })
    expect(words.body.results.map(({ status }) => status)).toEqual(['changed', 'changed'])
  })

  it('puts tags beside those that each has, and takes others off', async () => {
    const { me, account } = await newBooks()
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((name) => ok(createTag, { as: me, json: { name } })),
    )
    const tags = (...some: ({ id: string } | undefined)[]) => some.map((one) => one?.id ?? '')
    const [one, two] = [
      await book(me, account, { tagIds: tags(a, b) }),
      await book(me, account, { tagIds: tags(c) }),
    ]
    const ids = [one.id, two.id]
    await changeAll(me, { ids, changes: { addTagIds: tags(c), removeTagIds: tags(a) } })
    expect((await found(me, one.id)).tagIds.toSorted()).toEqual(tags(b, c).toSorted())
    expect((await found(me, two.id)).tagIds).toEqual(tags(c))
    await changeAll(me, { ids, changes: { tagIds: tags(a, b), removeTagIds: tags(b) } })
    expect((await found(me, two.id)).tagIds).toEqual(tags(a))
    const foreign = await ok(createTag, { as: await newUser(), json: { name: 'x' } })
    const refused = await changeAll(me, { ids, changes: { addTagIds: [foreign.id] } })
    expect(refusal(refused)).toEqual([400, 'tags.unknownTag', 'changes.addTagIds.0'])
  })

  it('stops at 50 tags of one', async () => {
    const { me, account } = await newBooks()
    const tags = await Promise.all(
      times(51, (at) => ok(createTag, { as: me, json: { name: `${at}` } })),
    )
    const [last = '', ...most] = tags.map(({ id }) => id)
    const { id } = await book(me, account, { tagIds: most })
    const refused = await changeAll(me, { ids: [id], changes: { addTagIds: [last] } })
    expect(refusal(refused)).toEqual([400, 'transactions.tooManyTags', 'changes.addTagIds'])
  })

  it('by filter reaches all that match, and no others', async () => {
    const { me, account } = await newBooks()
    const other = await newAccount(me)
    const mine = [await book(me, account), await book(me, account, { date: '2026-10-01' })]
    const [else1] = [await book(me, other)]
    const filter = { accountId: account.id, reviewed: false }
    const dry = await changeAll(me, { filter, changes: { reviewed: true }, dryRun: true })
    expect([dry.body.changed, dry.body.dryRun, tripsOf(dry)]).toEqual([2, true, 1])
    expect((await found(me, mine[0]?.id ?? '')).reviewed).toBe(false)
    const done = await changeAll(me, { filter, changes: { reviewed: true } })
    expect(done.body.results.map(({ id }) => id)).toEqual(mine.map(({ id }) => id))
    expect((await changeAll(me, { filter, changes: { reviewed: true } })).body.results).toEqual([])
    expect(await found(me, else1.id)).toEqual(else1)
  })

  it('tells an event of each, with what differs, in one commit', async () => {
    const { me, account } = await newBooks()
    const [plain, done] = [
      await book(me, account),
      await book(me, account, { status: 'reconciled', note: 'w' }),
    ]
    const ids = [plain.id, done.id]
    const changes = { note: 'x', date: '2026-01-05' }
    expect(refusal(await changeAll(me, { ids, changes }))).toEqual([
      ...[409, 'transactions.reconciled', 'ids.1'],
    ])
    await changeAll(me, { ids, changes, force: true })
    const told = (await eventsOf(...ids)).filter(({ type }) => type === 'transaction.updated')
    expect(told.map(({ id, version, content }) => [id, version, content])).toEqual([
      [plain.id, 2, { before: { date: plain.date }, after: changes }],
      [done.id, 2, { before: { date: done.date, note: 'w' }, after: changes, forced: true }],
    ])
    expect(new Set(told.map(({ commitId }) => commitId)).size).toBe(1)
  })
})

it('is a version of each that it changed, and so are recording and removing many', async () => {
  const { me, account } = await newBooks()
  const created = await createAll(me, [expenseOn(account, { status: 'reconciled' })])
  const id = created.body.results[0]?.transaction?.id ?? ''
  await changeAll(me, { ids: [id], changes: { note: 'x' } })
  await changeAll(me, { ids: [id], changes: { status: 'void' }, force: true })
  const { versions } = await ok(listTransactionVersions, { as: me, id })
  expect(versions.map(({ action, forced }) => [action, forced])).toEqual([
    ['transaction.updated', true],
    ['transaction.updated', false],
    ['transaction.created', false],
  ])
  expect(versions[1]?.changes).toEqual([{ field: 'note', before: null, after: 'x' }])
})

it('of adjustments shows in the history of their account where it adjusts a balance', async () => {
  const { me, account } = await newBooks()
  const [one, two] = [
    await book(me, account, { kind: 'adjustment', amount: '12.30' }),
    await book(me, account, { kind: 'adjustment', amount: '-2' }),
  ]
  const ids = [one.id, two.id]
  await changeAll(me, { ids, changes: { note: 'x', date: '2026-01-01' } })
  expect(await adjustedOn(me, account)).toEqual([
    [two.id, '2026-11-20', '-2.00', '10.30'],
    [one.id, '2026-11-20', '12.30', '12.30'],
  ])
  const voided = await changeAll(me, { ids, changes: { status: 'void' } })
  expect(voided.body.changed).toBe(2)
  expect((await adjustedOn(me, account)).slice(0, 2)).toEqual([
    [two.id, '2026-01-01', '2.00', '0.00'],
    [one.id, '2026-01-01', '-12.30', '-2.00'],
  ])
  await changeAll(me, { ids: [two.id, one.id], changes: { status: 'cleared' } })
  expect((await adjustedOn(me, account)).slice(0, 2)).toEqual([
    [one.id, '2026-01-01', '12.30', '10.30'],
    [two.id, '2026-01-01', '-2.00', '-2.00'],
  ])
  expect(await differencesOf(me)).toEqual([])
})

describe('legs of transfers in a change of many', () => {
  it('have their own status each, also both at once, and share their words', async () => {
    const { me, id, legs } = await transferred()
    const [first = '', second = ''] = legs
    await changeAll(me, { ids: [second], changes: { status: 'cleared' } })
    expect([(await found(me, first)).status, (await found(me, second)).status]).toEqual([
      'uncleared',
      'cleared',
    ])
    const both = await changeAll(me, { ids: legs, changes: { status: 'pending', note: 'n' } })
    expect(verdicts(both)).toEqual(['changed', 'changed'])
    const transfer = await ok(getTransfer, { as: me, id })
    expect([transfer.from.status, transfer.to.status, transfer.note, transfer.version]).toEqual([
      'pending',
      'pending',
      'n',
      3,
    ])
    await changeAll(me, { ids: legs, changes: { status: 'reconciled' } })
    expect(
      verdicts(await changeAll(me, { ids: legs, changes: { status: 'cleared' }, dryRun: true })),
    ).toEqual(['invalid transactions.reconciled', 'invalid transactions.reconciled'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('and openings are refused what belongs to something else', async () => {
    const { me, legs } = await transferred()
    const opened = await newAccount(me, { openingBalance: '5', openingDate: '2026-01-01' })
    const { transactions } = await ok(listTransactions, { as: me, query: { kind: 'opening' } })
    expect(transactions[0]?.accountId).toBe(opened.id)
    const ids = [...legs, transactions[0]?.id ?? '']
    const wrong = [{ date: '2026-01-01' }, { categoryId: null }, { status: 'void' as const }]
    for (const changes of wrong) {
      const [field] = Object.keys(changes)
      expect(verdicts(await changeAll(me, { ids, changes, dryRun: true }))).toEqual([
        `invalid transactions.transferLeg ${field}`,
        `invalid transactions.transferLeg ${field}`,
        `invalid transactions.opening ${field}`,
      ])
      const refused = await changeAll(me, { ids, changes })
      expect(refusal(refused)).toEqual([409, 'transactions.transferLeg', `changes.${field}`])
    }
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('what is wrong with one', () => {
  it('refuses all, or is its verdict in a dry run', async () => {
    const { me, account } = await newBooks()
    const shut = await newAccount(me)
    const [salary, plain, late] = [
      await newCategory(me, 'income'),
      await book(me, account, { kind: 'income' }),
      await book(me, shut, { kind: 'income' }),
    ]
    await close(shut)
    const expense = await book(me, account)
    const adjustment = await book(me, account, { kind: 'adjustment' })
    const never = 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'
    const ids = [plain.id, late.id, expense.id, never]
    const categorise = { ids, changes: { categoryId: salary.id } }
    expect(verdicts(await changeAll(me, { ...categorise, dryRun: true }))).toEqual([
      'changed',
      'invalid transactions.accountClosed',
      'invalid transactions.categoryKind categoryId',
      'invalid transactions.unknownTransaction',
    ])
    const wrong: [string[], Changes, unknown[]][] = [
      [[plain.id, late.id], { status: 'cleared' }, [409, 'transactions.accountClosed', 'ids.1']],
      [
        [plain.id, expense.id],
        { categoryId: salary.id },
        [400, 'transactions.categoryKind', 'changes.categoryId'],
      ],
      [[plain.id, never], { note: 'x' }, [400, 'transactions.unknownTransaction', 'ids.1']],
    ]
    for (const [some, changes, expected] of wrong) {
      expect(refusal(await changeAll(me, { ids: some, changes }))).toEqual(expected)
    }
    expect(await found(me, plain.id)).toEqual(plain)
    const late2 = await changeAll(me, { ids: [late.id, adjustment.id], changes: { note: 'x' } })
    expect(late2.body.changed).toBe(2)
    const byFilter = await changeAll(me, {
      filter: { accountId: shut.id },
      changes: { status: 'cleared' },
    })
    expect(refusal(byFilter)).toEqual([409, 'transactions.accountClosed', 'filter'])
    expect(byFilter.error.error).toContain(late.id)
  })

  it('in the form of the request is refused by its field', async () => {
    const { me, account } = await newBooks()
    const { id } = await book(me, account)
    const changes = { note: 'x' }
    const wrong: [object, string | undefined][] = [
      [{ changes }, undefined],
      [{ ids: [id], filter: { kind: 'expense' }, changes }, undefined],
      [{ ids: [], changes }, 'ids'],
      [{ ids: [id, id], changes }, 'ids'],
      [{ ids: times(501, (at) => `txn_${at}`), changes }, 'ids'],
      [{ filter: {}, changes }, 'filter'],
      [{ filter: { sort: 'date' }, changes }, 'filter.sort'],
      [{ ids: [id], changes: {} }, 'changes'],
      [{ ids: [id], changes: { amount: '1' } }, 'changes.amount'],
      [{ ids: [id], changes: { status: null } }, 'changes.status'],
      [{ ids: [id], changes, force: 1 }, 'force'],
    ]
    for (const [json, field] of wrong) {
      const refused = await changeAll(me, json as Parameters<typeof changeAll>[1])
      const expected = [400, 'request.invalid', ...(field === undefined ? [] : [field])]
      expect(refusal(refused), JSON.stringify(json).slice(0, 80)).toEqual(expected)
    }
  })

  it('is told of If-Match, when one has another version', async () => {
    const { me, account } = await newBooks()
    const [one, two] = [await book(me, account), await book(me, account)]
    await change(me, two, { note: 'n' })
    const headers = { 'If-Match': '"1-x"' }
    const json = { ids: [one.id, two.id], changes: { note: 'x' } }
    expect((await changeAll(me, json, headers)).status).toBe(412)
    expect((await changeAll(me, { ...json, dryRun: true }, headers)).status).toBe(412)
    expect((await changeAll(me, { ...json, ids: [one.id] }, headers)).status).toBe(200)
    const none = { filter: { text: 'nothing like it' }, changes: { note: 'x' } }
    expect((await changeAll(me, none, headers)).status).toBe(200)
  })
})

it('takes 500 transactions, refuses more, and moves every line of them', async () => {
  const { me, account } = await newBooks()
  const food = await newCategory(me)
  await createAll(
    me,
    times(500, () => expenseOn(account, { amount: '0.01' })),
  )
  const filter = { accountId: account.id }
  const changes = { date: '2025-05-05', status: 'cleared' as const, categoryId: food.id }
  const { body } = await changeAll(me, { filter, changes })
  expect([body.changed, await balanceOf(me, account)]).toEqual([500, '-5.00'])
  await book(me, account)
  const refused = await changeAll(me, { filter, changes: { note: 'x' } })
  expect(refusal(refused)).toEqual([409, 'transactions.tooManyMatches', 'filter'])
  expect(await differencesOf(me)).toEqual([])
})

it('takes long texts and many parts, which are more than one parameter holds', async () => {
  const { me, account } = await newBooks()
  const splits = times(100, () => ({ amount: '1', note: 'x'.repeat(150) }))
  const wanted = times(20, () => expenseOn(account, { amount: '100', splits }))
  await createAll(me, wanted)
  await createAll(me, wanted)
  const filter = { accountId: account.id }
  const { body } = await changeAll(me, { filter, changes: { date: '2025-05-05' } })
  expect(body.changed).toBe(40)
  await createAll(me, wanted)
  const refused = await changeAll(me, { filter, changes: { date: '2025-05-06' } })
  expect(refusal(refused)).toEqual([400, 'transactions.tooManyLines'])
  expect(await differencesOf(me)).toEqual([])
})

describe('of changes at the same moment', () => {
  it('each of ten wins or is told that another was first, and nothing is half done', async () => {
    const { me, account } = await newBooks()
    const created = await createAll(
      me,
      times(20, (at) => expenseOn(account, { amount: `${at + 1}` })),
    )
    const ids = created.body.results.map(({ transaction }) => transaction?.id ?? '')
    const answers = await Promise.all(
      times(10, (at) =>
        changeAll(me, {
          ids,
          changes: {
            note: `${at}`,
            status: at % 2 ? 'void' : 'cleared',
            date: `2025-01-${at + 10}`,
          },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    const wins = statuses.filter((status) => status === 200).length
    expect(wins).toBeGreaterThan(0)
    const { transactions } = await ok(listTransactions, { as: me, query: { limit: 200 } })
    expect(
      new Set(transactions.map(({ note, date, status }) => `${note} ${date} ${status}`)).size,
    ).toBe(1)
    expect(new Set(transactions.map(({ version }) => version))).toEqual(new Set([wins + 1]))
    expect(await differencesOf(me)).toEqual([])
  })

  it('one that came between refuses all of a change that saw what was before', async () => {
    const { me, account } = await newBooks()
    const [one, two] = [await book(me, account), await book(me, account)]
    const json = { ids: [one.id, two.id], changes: { status: 'cleared' } }
    const { call: ask } = serviceWith({ meanwhile: () => change(me, two, { amount: '5' }) })
    expect(refusal(await ask(updateTransactions, { as: me, json }))).toEqual([
      409,
      'request.conflict',
    ])
    expect(await found(me, one.id)).toEqual(one)
    const closing = serviceWith({ meanwhile: () => close(account) })
    expect(refusal(await closing.call(updateTransactions, { as: me, json }))).toEqual([
      409,
      'transactions.accountClosed',
    ])
    expect(await differencesOf(me)).toEqual([])
  })
})

it('sees and touches only the accounts of a restricted token', async () => {
  const { me, account, other, legs } = await transferred()
  const theirs = await book(me, other)
  const { token } = await ok(createAccessToken, {
    as: me,
    json: { name: 'One', scopes: ['transactions.write'], accountIds: [account.id] },
  })
  const as = { accessToken: token }
  const mine = await book(me, account)
  const all = await call(updateTransactions, {
    as,
    json: { filter: { from: '2026-01-01' }, changes: { note: 'x' } },
  })
  expect(all.body.results.map(({ id }) => id).toSorted()).toEqual([legs[0], mine.id].toSorted())
  for (const id of [theirs.id, legs[1] ?? '']) {
    const refused = await changeAll(as, { ids: [id], changes: { note: 'y' } })
    expect(refusal(refused)).toEqual([400, 'transactions.unknownTransaction', 'ids.0'])
  }
  expect(await found(me, theirs.id)).toEqual(theirs)
})
