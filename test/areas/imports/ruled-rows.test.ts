import { expect, it } from 'vitest'
import {
  getImportReport,
  getImportReportAsCsv,
  listImportRows,
  setImportMapping,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { TABLE_COLUMNS } from '../../../src/areas/money/transaction-views/tables.contract.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { eventsOf } from '../ledger/events.ts'
import { newRule } from '../rules/ruling.ts'
import { rowFrom, twentyRules } from '../rules/twenty.ts'
import { share } from '../sharing/sharing.ts'
import { newCategory, tripsOf } from '../transactions/booking.ts'
import { committed, csv, uploaded } from './importing.ts'

const AMZN = csv(['2026-11-20,AMZN Mktp DE,-24.99', '2026-11-21,REWE,-12.00'])

const rowsOf = async (as: Principal, id: string, query: Record<string, string | number> = {}) =>
  (await ok(listImportRows, { as, id, query })).rows

/** A rule for the category, one whose parts are more than the amount, and one that finds nothing to change. */
async function threeRules(me: TestUser) {
  const category = await newCategory(me)
  const rules = [
    await newRule(me, { changes: { categoryId: category.id, reviewed: true } }),
    await newRule(me, { changes: { splits: [{ fixed: '60.00' }, { rest: 1 }] } }),
    await newRule(me, { changes: { reviewed: true } }),
  ]
  const [filling, splitting, idle] = rules.map(({ id, name }) => ({ id, name, code: null }))
  return { category, filling, idle, splitting: { ...splitting, code: 'rules.splitTooMuch' } }
}

it('rows say which rules match and what they change, and later which have changed them', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { category, filling, splitting, idle } = await threeRules(me)
  const { id } = await uploaded(me, AMZN, { accountId: account.id })
  const ruleId = filling?.id
  const seen = await rowsOf(me, id)
  expect(seen.map(({ rules }) => rules)).toEqual([[filling, splitting, idle], []])
  expect(seen.map(({ changes }) => changes)).toEqual([
    [
      { field: 'reviewed', before: false, after: true, ruleId },
      { field: 'categoryId', before: null, after: category.id, ruleId },
    ],
    [],
  ])
  for (const row of await rowsOf(me, id, { applyRules: 'false' })) {
    expect(row).toMatchObject({ rules: [], changes: [] })
  }
  const path = { id, rowId: seen[0]?.id ?? '' }
  const decided = await ok(updateImportRow, { as: me, path, json: { categoryId: null } })
  expect(decided).toMatchObject({ rules: null, changes: null })
  // A rule replaces also what a person said in the place of the file.
  expect((await rowsOf(me, id))[0]?.changes).toHaveLength(2)
  await committed(me, id)
  expect((await rowsOf(me, id)).map(({ rules, changes }) => [rules, changes])).toEqual([
    [[filling], []],
    [[], []],
  ])
  const told = { id: filling?.id, name: filling?.name, rows: 1 }
  expect((await ok(getImportReport, { as: me, id })).rules).toEqual([told])
  const { text } = await call(getImportReportAsCsv, { as: me, id })
  expect(text).toContain(`\r\nrule,,,${told.id},${told.name},1,`)
  await ok(deleteRule, { as: me, id: filling?.id ?? '' })
  expect((await rowsOf(me, id))[0]?.rules).toEqual([])
})

it('the usual category of a payee is told as a change without a rule', async () => {
  const me = await newUser()
  const [account, category] = [await newAccount(me), await newCategory(me)]
  const json = { name: 'Rewe', defaultCategoryId: category.id }
  await ok(createPayee, { as: me, json })
  const { id } = await uploaded(me, AMZN, { accountId: account.id })
  const [, row] = await rowsOf(me, id)
  const change = { field: 'categoryId', before: null, after: category.id, ruleId: null }
  expect([row?.rules, row?.changes]).toEqual([[], [change]])
})

it('takes one round trip more than without rules, and none more once it is booked', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await newRule(me)
  const { id } = await uploaded(me, AMZN, { accountId: account.id })
  const trips = async (query: Record<string, string | number> = {}) =>
    tripsOf(await call(listImportRows, { as: me, id, query }))
  expect([await trips({ applyRules: 'false' }), await trips()]).toEqual([1, 2])
  await committed(me, id)
  expect(await trips()).toBe(2)
})

it('tells nobody of the rules of others, but their effect', async () => {
  const [owner, me] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  await share(owner, account, me, { permission: 'write' })
  const { category, filling } = await threeRules(owner)
  const own = await newRule(me, { changes: { note: 'not here' } })
  const { id } = await uploaded(me, AMZN, { accountId: account.id })
  const shown: string[] = []
  const [row] = await rowsOf(me, id)
  expect([row?.rules, row?.changes]).toEqual([
    [],
    [
      { field: 'reviewed', before: false, after: true, ruleId: null },
      { field: 'categoryId', before: null, after: category.id, ruleId: null },
    ],
  ])
  shown.push(JSON.stringify(row))
  await committed(me, id)
  shown.push(JSON.stringify(await rowsOf(me, id)))
  shown.push(JSON.stringify(await ok(getImportReport, { as: me, id })))
  expect((await rowsOf(me, id))[0]?.rules).toEqual([])
  for (const text of shown) {
    expect(text).not.toMatch(new RegExp(`rul_|${filling?.name}|${own.name}`))
  }
})

it('tells a token that may not read rules only their effect', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await newRule(me)
  const { id } = await uploaded(me, AMZN, { accountId: account.id })
  const token = await giveToken(me, ['imports.read'])
  const [row] = await rowsOf(token, id)
  expect(row?.rules).toEqual([])
  expect(row?.changes).toEqual([{ field: 'note', before: null, after: 'checked', ruleId: null }])
  const reader = await giveToken(me, ['imports.read', 'rules.read'])
  expect((await rowsOf(reader, id))[0]?.rules).toHaveLength(1)
})

it('knows nothing of rules on an account that the commit creates', async () => {
  const me = await newUser()
  await newRule(me)
  const { id } = await uploaded(me, AMZN)
  await ok(setImportMapping, { as: me, id, json: { accountId: 'create', currency: 'EUR' } })
  for (const row of await rowsOf(me, id)) {
    expect(row).toMatchObject({ verdict: 'new', rules: null, changes: null })
  }
})

/** Rows of two accounts as the table of the service, with words and labels that rules may replace. */
function tableFrom(seed: number, accounts: { name: string }[], category: string, tag: string) {
  const random = randomFrom(seed)
  const lines = Array.from({ length: rounds(120, 200) }, (_, at) => {
    const { kind, amount, ...row } = rowFrom(random, at)
    const cells: Record<string, string> = {
      ...{ id: `txn_${at}`, kind, account: random.pick(accounts).name, currency: 'EUR' },
      amount: kind === 'expense' ? `-${amount}` : amount,
      ...row,
      description: random.pick(['', `Words ${at}`]),
      note: random.pick(['', `Note ${at}`]),
      category: random.pick(['', category, 'New one']),
      tags: random.pick(['', tag]),
      status: random.pick(['cleared', 'uncleared', 'pending']),
    }
    return TABLE_COLUMNS.map((column) => cells[column] ?? '').join(',')
  })
  return csv(lines, TABLE_COLUMNS.join(','))
}

it('the commit does what the preview says, for random rows', async () => {
  const me = await newUser()
  const accounts = [
    await newAccount(me, { name: 'Everyday' }),
    await newAccount(me, { name: 'Card' }),
  ]
  const { home, tags, rewe } = await twentyRules(me)
  const file = tableFrom(SEED, accounts, home.name, tags[0].name)
  const { id } = await uploaded(me, file, { fileName: 'transactions.csv' })
  await ok(setImportMapping, { as: me, id, json: { categoryMap: { '*': 'create' } } })
  const seen = await rowsOf(me, id, { limit: 200 })
  const replaced = seen.flatMap(({ changes }) => changes?.map(({ before }) => before) ?? [])
  expect(replaced).toContain('create')
  await committed(me, id)
  const booked = await rowsOf(me, id, { limit: 200 })
  expect(booked).toHaveLength(seen.length)
  const counts = new Map<string, number>()
  for (const [at, { rules, changes }] of seen.entries()) {
    const { parsed, transactionId: bookedAs = '', rules: applying } = booked[at] ?? {}
    const leg = parsed?.amount?.startsWith('-') ? 1 : 2
    const transactionId = bookedAs?.replace(/^trf_(.*)$/, `txn_$1-${leg}`) ?? ''
    const transaction = await ok(getTransaction, { as: me, id: transactionId })
    const now = { ...transaction, transferAccountId: transaction.counterAccountId ?? undefined }
    for (const { field, after } of changes ?? []) {
      expect([field, valueOf(now, field)]).toEqual([field, valueOf({ [field]: after }, field)])
    }
    // What no rule changes is as the file has it.
    const changed = new Set(changes?.map(({ field }) => field))
    const plain = {
      description: parsed?.description ?? '',
      note: parsed?.note ?? null,
      tagIds: parsed?.tags.length === 0 ? [] : [tags[0].id],
      reviewed: false,
      payeeId: parsed?.payeeRaw === 'rewe' ? rewe.id : null,
    }
    for (const [field, value] of Object.entries(plain)) {
      if (!changed.has(field)) {
        expect([at, field, transaction[field as keyof typeof plain]]).toEqual([at, field, value])
      }
    }
    const logged = (await eventsOf(transactionId))[0]?.content as { ruleIds?: string[] }
    const applied = applying?.map((rule) => rule.id)
    expect(applied).toEqual(logged.ruleIds ?? [])
    expect(rules?.map((rule) => rule.id)).toEqual(expect.arrayContaining(applied ?? []))
    const settingIds = changes?.flatMap(({ ruleId }) => ruleId ?? [])
    expect(applied).toEqual(expect.arrayContaining(settingIds ?? []))
    for (const one of applied ?? []) {
      counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  }
  const report = await ok(getImportReport, { as: me, id })
  expect(report.rules.map((rule) => [rule.id, rule.rows]).toSorted()).toEqual(
    [...counts].toSorted(),
  )
})

/** The order of tags, and what a part does not say, do not matter. */
function valueOf(fields: object, field: string): unknown {
  const value = (fields as Record<string, unknown>)[field]
  if (field === 'tagIds') {
    return (value as string[]).toSorted()
  }
  return field === 'splits'
    ? (value as Record<string, unknown>[]).map(({ amount, categoryId, payeeId, tagIds, note }) => [
        ...[amount, categoryId, payeeId, tagIds, note],
      ])
    : value
}
