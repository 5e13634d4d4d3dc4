import { expect, it } from 'vitest'
import { deleteAccount, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteAccountHistory,
  getAccountHistory,
  getAccountHistoryRecord,
  updateAccountHistoryComment,
} from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, fetchRaw, ok, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'

it('tells what happened to an account, newest first, with the balances around it', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, {
    name: 'One',
    openingBalance: '10',
    openingDate: '2026-01-01',
  })
  await ok(updateAccount, { as: me, id, json: { note: 'x' } })
  await ok(updateAccount, { as: me, id, json: { openingBalance: '12.5' } })
  await ok(deleteAccount, { as: me, id })
  const { body, headers } = await call(getAccountHistory, { as: me })
  expect(headers.get('Server-Timing')).toContain('1 trips')
  expect(headers.get('Link')).toBeNull()
  const told = body.map((one) => [one.type, one.balanceBefore, one.balanceAfter, one.change])
  expect(told).toEqual([
    ['deleted', '12.50', '12.50', '0.00'],
    ['balanceAdjusted', '10.00', '12.50', '2.50'],
    ['updated', '10.00', '10.00', '0.00'],
    ['created', '0.00', '10.00', '10.00'],
  ])
  expect(body[3]).toMatchObject({
    accountId: id,
    accountName: 'One',
    actorId: me.id,
    source: 'user',
    date: '2026-01-01',
    comment: null,
    version: 1,
  })
})

it('tells of one record which fields of the account it changed, and how', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { name: 'One', creditLimit: '500', number: '12345678' })
  const changes = { name: 'Two', creditLimit: null, onBudget: false, number: '87654321' }
  await ok(updateAccount, { as: me, id, json: changes })
  const json = { kind: 'adjustment' as const, accountId: id, date: '2026-01-01', amount: '1' }
  await ok(createTransaction, { as: me, json })
  const records = await ok(getAccountHistory, { as: me, query: { accountId: id } })
  const found = await Promise.all(
    records.map((record) => call(getAccountHistoryRecord, { as: me, id: record.id })),
  )
  expect(found.map(({ headers }) => headers.get('Server-Timing')?.includes('1 trips'))).toEqual([
    true,
    true,
    true,
  ])
  const [adjusted, updated, created] = found.map(({ body }) => body)
  expect(adjusted?.changes).toEqual([])
  expect(updated?.changes).toEqual([
    { field: 'name', before: 'One', after: 'Two' },
    { field: 'onBudget', before: true, after: false },
    { field: 'number', before: '•••• 5678', after: '•••• 4321' },
    { field: 'creditLimit', before: '500.00', after: null },
  ])
  expect(created?.changes).toContainEqual({ field: 'name', before: null, after: 'One' })
  const fields = created?.changes.map(({ field }) => field) ?? []
  expect(fields.filter((field) => /balance|version|At$|Key|^id$/i.test(field))).toEqual([])
})

it('stands in the order of the commits, so that each balance leads to the next', async () => {
  const me = await newUser()
  const { id } = await newAccount(me)
  const json = { kind: 'adjustment' as const, accountId: id, date: '2026-01-01', amount: '1' }
  await Promise.all(Array.from({ length: 12 }, () => ok(createTransaction, { as: me, json })))
  const records = await ok(getAccountHistory, { as: me, query: { accountId: id } })
  expect(records[0]?.balanceAfter).toBe('12.00')
  records.slice(1).forEach((older, at) => {
    expect(older.balanceAfter).toBe(records[at]?.balanceBefore)
  })
})

it('pages through the Link header and filters', async () => {
  const me = await newUser()
  const first = await newAccount(me, { openingDate: '2026-01-01' })
  await newAccount(me, { openingDate: '2026-02-01' })
  await newAccount(me, { openingDate: '2026-03-01' })
  const page = await call(getAccountHistory, { as: me, query: { limit: 2 } })
  const link = /<(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? ''
  const next = await fetchRaw(link, { headers: { Authorization: `Bearer ${me.accessToken}` } })
  const rest = (await next.json()) as { date: string }[]
  expect([...page.body, ...rest].map(({ date }) => date).toSorted()).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ])
  const ofOne = await ok(getAccountHistory, { as: me, query: { accountId: first.id } })
  const byDate = await ok(getAccountHistory, {
    as: me,
    query: { from: '2026-02-01', to: '2026-02-28' },
  })
  expect([ofOne.length, byDate.length]).toEqual([1, 1])
  for (const query of [
    { limit: 0 },
    { limit: 1001 },
    { limit: 'x' },
    { from: '2026-02-30' },
    { nope: 1 },
  ]) {
    expect((await call(getAccountHistory, { as: me, query })).status).toBe(400)
  }
})

it('keeps and clears a comment', async () => {
  const me = await newUser()
  await newAccount(me)
  const [record] = await ok(getAccountHistory, { as: me })
  const id = record?.id ?? ''
  const comment = async (text: string) => {
    expect(await ok(updateAccountHistoryComment, { as: me, id, json: { comment: text } })).toEqual({
      success: true,
    })
    const [now] = await ok(getAccountHistory, { as: me })
    return [now?.comment, now?.version]
  }
  expect(await comment('Found in the old wallet')).toEqual(['Found in the old wallet', 2])
  expect(await comment('')).toEqual([null, 3])
  const long = await call(updateAccountHistoryComment, {
    as: me,
    id,
    json: { comment: 'x'.repeat(2001) },
  })
  expect(long.status).toBe(400)
  const stale = await call(updateAccountHistoryComment, {
    as: me,
    id,
    json: { comment: 'y' },
    headers: { 'If-Match': '"1-x"' },
  })
  expect(stale.status).toBe(412)
})

it('lets one of many parallel first comments through when they name the version', async () => {
  const me = await newUser()
  await newAccount(me)
  const [record] = await ok(getAccountHistory, { as: me })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      call(updateAccountHistoryComment, {
        as: me,
        id: record?.id ?? '',
        json: { comment: `${at}` },
        headers: { 'If-Match': '"1-x"' },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
})

it('hides a record without touching the balance or the others', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { openingBalance: '10' })
  await ok(updateAccount, { as: me, id, json: { openingBalance: '11' } })
  const [newest] = await ok(getAccountHistory, { as: me })
  const record = newest?.id ?? ''
  expect(await ok(deleteAccountHistory, { as: me, id: record })).toEqual({ success: true })
  const left = await ok(getAccountHistory, { as: me })
  expect(left.map(({ type }) => type)).toEqual(['created'])
  expect((await ok(updateAccount, { as: me, id, json: {} })).balance).toBe('11.00')
  expect((await call(deleteAccountHistory, { as: me, id: record })).status).toBe(404)
})

it('is nobody else’s', async () => {
  const me = await newUser()
  await newAccount(me)
  const [record] = await ok(getAccountHistory, { as: me })
  const stranger = await newUser()
  expect(await ok(getAccountHistory, { as: stranger })).toEqual([])
  for (const id of [record?.id ?? '', someId('log')]) {
    const hidden = await call(deleteAccountHistory, { as: stranger, id })
    const written = await call(updateAccountHistoryComment, {
      as: stranger,
      id,
      json: { comment: 'x' },
    })
    expect([hidden.error.code, written.error.code]).toEqual([
      'accountHistory.notFound',
      'accountHistory.notFound',
    ])
  }
  expect((await call(getAccountHistory)).status).toBe(401)
})

it('keeps a private adjustment from a receiver also when it is erased', async () => {
  const [owner, receiver] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  await share(owner, account, receiver)
  const book = (more: object) =>
    ok(createTransaction, {
      as: owner,
      json: { kind: 'adjustment', accountId: account.id, date: '2026-01-01', amount: '7', ...more },
    })
  const adjusted = async (as: Principal) =>
    (await ok(getAccountHistory, { as, query: { accountId: account.id } }))
      .map(({ transactionId }) => transactionId)
      .filter((id) => id !== null)
  const [open, hidden] = [await book({}), await book({ private: true })]
  for (const { id } of [open, hidden]) {
    await ok(deleteTransaction, { as: owner, id })
    await ok(eraseFromTrash, { as: owner, path: { kind: 'transaction', id } })
  }
  expect(await adjusted(receiver)).toEqual([open.id, open.id])
  expect(await adjusted(owner)).toEqual([hidden.id, open.id, hidden.id, open.id])
})
