import { expect, it } from 'vitest'
import '../../../src/app.ts'
import { createAccount, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getAuditLog,
  listOwnAuditLog,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { presentFieldChanges } from '../../../src/areas/insight/audit-log/audit-log.contract.ts'
import {
  createCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  createValuation,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { allOperations } from '../../../src/http/registry.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newHousehold } from '../../support/household.ts'
import { samplesOf, sendSample } from '../../support/samples.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { contentsOf, make } from '../backups/archives.ts'
import { book, change } from '../transactions/booking.ts'
import { storeCommit } from './stored-log.ts'

interface Change {
  field: string
  before: unknown
  after: unknown
  currency?: string
}

/** What the own log tells of the last time that something was done. */
async function lastOf(as: Principal, action: string): Promise<Change[]> {
  const { entries } = await ok(listOwnAuditLog, { as, query: { action, limit: 1 } })
  return (entries[0]?.changes ?? []) as Change[]
}

const fieldIn = (changes: Change[], name: string) => changes.find(({ field }) => field === name)

it('tells amounts with their currency, and nothing internal or that the entry has fields for', async () => {
  const me = await newUser()
  const json = { name: 'Card', type: 'creditCard', currency: 'JPY', creditLimit: '5000' } as const
  const { id } = await ok(createAccount, { as: me, json })
  const created = await lastOf(me, 'account.created')
  expect(fieldIn(created, 'creditLimit')).toEqual({
    ...{ field: 'creditLimit', before: null, after: '5000', currency: 'JPY' },
  })
  for (const field of ['nameKey', 'id', 'ownerId', 'version', 'createdAt', 'updatedAt']) {
    expect(fieldIn(created, field)).toBeUndefined()
  }
  await ok(updateAccount, { as: me, id, json: { creditLimit: '7000' } })
  const updated = await lastOf(me, 'account.updated')
  expect(fieldIn(updated, 'creditLimit')).toEqual({
    ...{ field: 'creditLimit', before: '5000', after: '7000', currency: 'JPY' },
  })
})

it('tells a transaction as it is told everywhere, and as its history tells it', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await book(me, account, {
    location: { lat: 1, lon: 2, name: 'x' },
    metadata: { a: 'b' },
  })
  const created = await lastOf(me, 'transaction.created')
  expect(fieldIn(created, 'amount')).toEqual({
    ...{ field: 'amount', before: null, after: '12.30', currency: 'EUR' },
  })
  expect(fieldIn(created, 'location')?.after).toEqual({ lat: 1, lon: 2, name: 'x' })
  expect(created.map(({ field }) => field).toSorted()).toEqual([
    'amount',
    'currency',
    'date',
    'kind',
    'location',
    'metadata',
    'signedAmount',
    'status',
  ])
  const splits = [{ amount: '4' }, { amount: '6', note: 'rest' }]
  await change(me, { id }, { amount: '10', splits, note: 'two' })
  const updated = await lastOf(me, 'transaction.updated')
  const { versions } = await ok(listTransactionVersions, { as: me, id })
  const told = updated.map(({ currency: _, ...one }) => one)
  const byField = (one: Change, other: Change) => (one.field < other.field ? -1 : 1)
  expect(told.toSorted(byField)).toEqual(versions[0]?.changes.toSorted(byField))
  expect(fieldIn(updated, 'signedAmount')).toMatchObject({ after: '-10.00', currency: 'EUR' })
})

it('tells a transfer between currencies by both of its amounts', async () => {
  const me = await newUser()
  const [here, there] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const { id } = await ok(createTransfer, {
    as: me,
    json: {
      ...{ fromAccountId: here.id, toAccountId: there.id, date: '2026-11-20' },
      ...{ amount: '5', toAmount: '800' },
    },
  })
  const legs = async (action: string) => {
    const { entries } = await ok(listOwnAuditLog, { as: me, query: { action, limit: 2 } })
    return entries.map(({ accountId, changes }) => [
      accountId,
      fieldIn(changes as Change[], 'signedAmount'),
    ])
  }
  const amount = { field: 'signedAmount', before: null }
  expect(await legs('transaction.created')).toEqual([
    [there.id, { ...amount, after: '800', currency: 'JPY' }],
    [here.id, { ...amount, after: '-5.00', currency: 'EUR' }],
  ])
  await ok(updateTransfer, { as: me, id, json: { toAmount: '900' } })
  expect(await legs('transaction.updated')).toEqual([
    [there.id, { ...amount, before: '800', after: '900', currency: 'JPY' }],
    [here.id, undefined],
  ])
})

it('tells a valuation, also where an event names no currency', async () => {
  const me = await newUser()
  const flat = { name: 'Flat', type: 'property', currency: 'EUR', onBudget: false } as const
  const account = await ok(createAccount, { as: me, json: flat })
  const json = { accountId: account.id, date: '2026-11-20', value: '100' }
  const { id } = await ok(createValuation, { as: me, json })
  await ok(updateValuation, { as: me, id, json: { value: '120' } })
  const value = { field: 'value', before: '100.00', after: '120.00', currency: 'EUR' }
  expect(fieldIn(await lastOf(me, 'valuation.updated'), 'value')).toEqual(value)
  const changes = { before: { valueMinor: 10000 }, after: { valueMinor: 12000 } }
  await logged(me.id, changes, { accountId: account.id })
  expect(await lastOf(me, 'old')).toEqual([value])
})

it('tells items of many things, and what a merge moved', async () => {
  const [me, admin] = [await newUser(), await newAdmin()]
  const account = await newAccount(me)
  const [from, to] = [
    await ok(createCategory, { as: me, json: { name: 'From', kind: 'expense' } }),
    await ok(createCategory, { as: me, json: { name: 'To', kind: 'expense' } }),
  ]
  const booking = {
    ...{ accountId: account.id, date: '2026-11-20', amount: '3', categoryId: from.id },
    kind: 'expense' as const,
  }
  const eventOf = async (action: string, resourceId: string) => {
    const { entries } = await ok(listOwnAuditLog, { as: me, query: { action, resourceId } })
    return ok(getAuditLog, { as: admin, id: entries[0]?.id ?? '' })
  }
  const { results } = await ok(createTransactions, { as: me, json: { transactions: [booking] } })
  const id = results[0]?.transaction?.id ?? ''
  const { changes } = await eventOf('transaction.created', id)
  expect(fieldIn(changes as Change[], 'amount')).toMatchObject({ after: '3.00' })
  await ok(mergeCategory, { as: me, id: to.id, json: { categoryId: from.id } })
  const moved = await eventOf('transaction.updated', id)
  expect(moved.changes).toEqual([{ field: 'categoryId', before: from.id, after: to.id }])
})

/** An event with any content. */
const logged = (ownerId: string, content: unknown, more: { accountId?: string } = {}) =>
  storeCommit({
    ...{ type: 'old', actorId: ownerId },
    events: [{ resourceType: 'thing', content, ...more }],
  })

it.each<[string, unknown, unknown]>([
  ['nothing', null, []],
  ['a text', 'text', []],
  ['a list', [1, 2], []],
  ['an amount of no currency', { amountMinor: [1, 2] }, []],
  [
    'an amount of a currency that nobody knows',
    { after: { amountMinor: 1, currency: 'XYZ', a: 1 } },
    [
      { field: 'currency', before: null, after: 'XYZ' },
      { field: 'a', before: null, after: 1 },
    ],
  ],
  [
    'a pair of amounts',
    { amountMinor: [100, 205], currency: 'EUR' },
    [
      { field: 'amount', before: '1.00', after: '2.05', currency: 'EUR' },
      { field: 'currency', before: null, after: 'EUR' },
    ],
  ],
  [
    'a time',
    { after: { dueAt: 1_000 }, closedAt: [null, 0] },
    [
      { field: 'dueAt', before: null, after: '1970-01-01T00:00:01.000Z' },
      { field: 'closedAt', before: null, after: '1970-01-01T00:00:00.000Z' },
    ],
  ],
  [
    'a time that no date can hold',
    { dueAt: [null, 9e15] },
    [{ field: 'dueAt', before: null, after: 9e15 }],
  ],
  [
    'a time that is text already',
    { dueAt: '2026-01-01' },
    [{ field: 'dueAt', before: null, after: '2026-01-01' }],
  ],
  [
    'JSON that is broken',
    { after: { metadata: '{' } },
    [{ field: 'metadata', before: null, after: '{' }],
  ],
  [
    'amounts in a list of objects',
    { after: { parts: [{ line: 1, amountMinor: -500, currency: 'EUR' }] } },
    [
      {
        field: 'parts',
        before: null,
        after: [{ line: 1, amount: '-5.00', currency: 'EUR' }],
      },
    ],
  ],
])('tells %s that the log may hold', async (_, changes, told) => {
  const me = await newUser()
  await logged(me.id, changes)
  expect(await lastOf(me, 'old')).toEqual(told)
})

it('tells the same in a backup', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await book(me, account)
  await ok(updateTransaction, { as: me, id, json: { amount: '20' } })
  const told = await lastOf(me, 'transaction.updated')
  const { id: backup } = await make(me)
  const files = await contentsOf(me, backup)
  const lines = new TextDecoder().decode(files['auditLog.ndjson']).trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { action: string; changes: Change[] })
  expect(entries.find(({ action }) => action === 'transaction.updated')?.changes).toEqual(told)
  expect(lines.join('\n')).not.toMatch(/Minor"|Key"/)
})

/** Internal names, milliseconds since 1970 and the like, anywhere in what is told. */
function internalIn(value: unknown, at: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => internalIn(one, at))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, one]) => [
      ...(/Key$|Minor$/.test(name) || (name === 'entries' && Array.isArray(one))
        ? [`${at}.${name}`]
        : []),
      ...internalIn(one, `${at}.${name}`),
    ])
  }
  return typeof value === 'number' && value > 1e11 ? [`${at} = ${value}`] : []
}

it('tells nothing internal of whatever is done', async () => {
  const { me, samples } = await samplesOf()
  const order = Object.keys(samples)
  const operations = allOperations()
    .filter(({ operationId, method }) => operationId in samples && method !== 'get')
    .toSorted((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId))
  for (const operation of operations) {
    await sendSample(me, operation, { ...samples[operation.operationId], as: me })
  }
  await newHousehold()
  const all = await rows<{
    action: string
    resourceType: string
    resourceId: string | null
    currency: string | null
    content: string
  }>(`SELECT l.type AS action, l.resource_type AS resourceType, l.resource_id AS resourceId, l.content,
      (SELECT a.currency FROM accounts a WHERE a.id = l.account_id) AS currency
    FROM log_entries l WHERE l.content IS NOT NULL AND l.type <> 'old'`)
  expect(new Set(all.map(({ action }) => action)).size).toBeGreaterThan(80)
  const found = all.flatMap((row) =>
    presentFieldChanges(row, false).flatMap(({ field, before, after }) => [
      ...internalIn({ [field]: before }, row.action),
      ...internalIn({ [field]: after }, row.action),
    ]),
  )
  expect([...new Set(found)]).toEqual([])
})
