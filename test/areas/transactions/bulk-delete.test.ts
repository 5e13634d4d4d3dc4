import { expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { deleteTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOfAll } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, change, close, expenseOn, refusal, tripsOf } from './booking.ts'
import { createAll, removeAll, times, verdicts } from './bulk.ts'

async function newBooks() {
  const me = await newUser()
  return { me, account: await newAccount(me) }
}

const countOf = async (as: Principal) => (await ok(listTransactions, { as })).count

it('moves 500 to the trash in two trips and one commit of the log', async () => {
  const { me, account } = await newBooks()
  const created = await createAll(
    me,
    times(500, () => expenseOn(account)),
  )
  const ids = created.body.results.map(({ transaction }) => transaction?.id ?? '')
  const dry = await removeAll(me, { ids, dryRun: true })
  expect([dry.body.deleted, dry.body.dryRun, tripsOf(dry), await countOf(me)]).toEqual([
    500,
    true,
    1,
    500,
  ])
  const done = await removeAll(me, { ids })
  expect([done.status, done.body.deleted, tripsOf(done)]).toEqual([200, 500, 2])
  expect([await countOf(me), await balanceOf(me, account)]).toEqual([0, '0.00'])
  const events = (await eventsOfAll(me)).filter(({ type }) => type === 'transaction.deleted')
  expect(new Set(events.map(({ commitId }) => commitId)).size).toBe(1)
  const before = { kind: 'expense', date: '2026-11-20', amountMinor: -1230, status: 'uncleared' }
  expect(events.map(({ id, version, content }) => [id, version, content])).toEqual(
    ids.map((id) => [id, 2, { before }]),
  )
  expect(await differencesOf(me)).toEqual([])
})

it('takes what matches a filter, and nothing else', async () => {
  const { me, account } = await newBooks()
  await book(me, account, { description: 'Coffee' })
  const kept = await book(me, account, { description: 'Tea' })
  expect((await removeAll(me, { filter: { text: 'coffee' } })).body.deleted).toBe(1)
  expect((await removeAll(me, { filter: { text: 'coffee' } })).body.results).toEqual([])
  expect((await ok(listTransactions, { as: me })).transactions).toEqual([kept])
})

it('refuses all when one cannot go by itself, or tells its verdict', async () => {
  const { me, account } = await newBooks()
  const [other, shut] = [await newAccount(me), await newAccount(me)]
  const [plain, done, late] = [
    await book(me, account),
    await book(me, account, { status: 'reconciled' }),
    await book(me, shut),
  ]
  await close(shut)
  const adjustment = await book(me, account, { kind: 'adjustment' })
  const transfer = await ok(createTransfer, {
    as: me,
    json: { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20', amount: '1' },
  })
  await newAccount(me, { openingBalance: '5' })
  const { transactions } = await ok(listTransactions, { as: me, query: { kind: 'opening' } })
  const foreign = await newUser()
  const theirs = await book(foreign, await newAccount(foreign))
  const wrong: [string, number, string][] = [
    [done.id, 409, 'transactions.reconciled'],
    [late.id, 409, 'transactions.accountClosed'],
    [transfer.from.id, 409, 'transactions.transferLeg'],
    [transfer.to.id, 409, 'transactions.transferLeg'],
    [transactions[0]?.id ?? '', 409, 'transactions.opening'],
    [theirs.id, 400, 'transactions.unknownTransaction'],
    ['txn_01k9v3q8m5t0w2x4y6z8a1b3c5', 400, 'transactions.unknownTransaction'],
    [transfer.id, 400, 'transactions.unknownTransaction'],
  ]
  const before = await countOf(me)
  const ids = [plain.id, ...wrong.map(([id]) => id)]
  expect(verdicts(await removeAll(me, { ids, dryRun: true }))).toEqual([
    'deleted',
    ...wrong.map(([, , code]) => `invalid ${code}`),
  ])
  for (const [id, status, code] of wrong) {
    expect(refusal(await removeAll(me, { ids: [plain.id, id] }))).toEqual([status, code, 'ids.1'])
  }
  expect(await countOf(me)).toBe(before)
  const forced = await removeAll(me, { ids: [plain.id, done.id, adjustment.id], force: true })
  expect(forced.body.deleted).toBe(3)
  const told = (await eventsOfAll(me)).filter(({ type }) => type === 'transaction.deleted')
  expect(told.map(({ id, content }) => [id, content?.forced])).toEqual([
    [plain.id, undefined],
    [done.id, true],
    [adjustment.id, undefined],
  ])
  expect(await differencesOf(me)).toEqual([])
})

it('refuses when one changed meanwhile, and deletes once for a repeated request', async () => {
  const { me, account } = await newBooks()
  const [one, two] = [await book(me, account), await book(me, account)]
  const json = { ids: [one.id, two.id] }
  const { call: ask } = serviceWith({ meanwhile: () => change(me, two, { amount: '5' }) })
  // A POST knows no If-Match.
  const ifMatch = { 'If-Match': '"1-x"' }
  expect(refusal(await ask(deleteTransactions, { as: me, json, headers: ifMatch }))).toEqual([
    409,
    'request.conflict',
  ])
  expect(await countOf(me)).toBe(2)
  const headers = { 'Idempotency-Key': 'once' }
  const [first, second] = [await removeAll(me, json, headers), await removeAll(me, json, headers)]
  expect([first.body.deleted, second.text]).toEqual([2, first.text])
  const none = { filter: { accountId: account.id } }
  const empty = { 'Idempotency-Key': 'none' }
  expect((await removeAll(me, none, empty)).body.deleted).toBe(0)
  await book(me, account)
  expect((await removeAll(me, none, empty)).body.deleted).toBe(0)
  expect(await countOf(me)).toBe(1)
})

it('of ten at the same moment lets one win', async () => {
  const { me, account } = await newBooks()
  const created = await createAll(
    me,
    times(20, () => expenseOn(account)),
  )
  const ids = created.body.results.map(({ transaction }) => transaction?.id ?? '')
  const answers = await Promise.all(times(10, () => removeAll(me, { ids })))
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([])
  expect(await differencesOf(me)).toEqual([])
})

it('sees and touches only the accounts of a restricted token', async () => {
  const { me, account } = await newBooks()
  const theirs = await book(me, await newAccount(me))
  const mine = await book(me, account)
  const { token } = await ok(createAccessToken, {
    as: me,
    json: { name: 'One', scopes: ['transactions.write'], accountIds: [account.id] },
  })
  const as = { accessToken: token }
  expect(refusal(await removeAll(as, { ids: [theirs.id] }))).toEqual([
    400,
    'transactions.unknownTransaction',
    'ids.0',
  ])
  const done = await removeAll(as, { filter: { from: '2026-01-01' } })
  expect(done.body.results).toEqual([{ id: mine.id, status: 'deleted' }])
  expect((await call(getTransaction, { as: me, id: theirs.id })).status).toBe(200)
})
