import { describe, expect, it } from 'vitest'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createRule,
  deleteRule,
  getRule,
  listRules,
  reorderRules,
  runRules,
  updateRule,
} from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { limit } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { contentsOf, make } from '../backups/archives.ts'
import { forged } from '../backups/forging.fixtures.ts'
import { packed } from '../backups/packing.ts'
import { restored } from '../backups/restoring.ts'
import { eventsOf } from '../ledger/events.ts'
import { book, change, expenseOn, newCategory, refusal } from '../transactions/booking.ts'
import { AMZN_RAW, newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }
const ALL = { filter: { from: '2020-01-01' } }

it('a run tells nothing of a field that a later rule puts back', async () => {
  const me = await newUser()
  const [account, food, home] = [await newAccount(me), await newCategory(me), await newCategory(me)]
  const { id } = await book(me, account, { ...AMZN, categoryId: home.id, status: 'cleared' })
  await newRule(me, { changes: { categoryId: food.id, status: 'pending' }, overwrite: true })
  await newRule(me, { changes: { categoryId: home.id, status: 'cleared' }, overwrite: true })
  const none = { id, status: 'unchanged', version: 1, changes: [], failed: [] }
  expect(await ok(runRules, { as: me, json: ALL })).toMatchObject({ changed: 0, results: [none] })
  const last = await newRule(me, { condition: AMZN_RAW, changes: { note: 'seen' } })
  const { results } = await ok(runRules, { as: me, json: ALL })
  expect(results).toMatchObject([{ id, changes: [{ field: 'note', ruleId: last.id }] }])
  expect(results[0]?.changes).toHaveLength(1)
  expect(await ok(getTransaction, { as: me, id })).toMatchObject({ version: 2, note: 'seen' })
  expect((await eventsOf(id)).at(-1)).toMatchObject({ content: { ruleIds: [last.id] } })
})

it('a run refuses what was changed since a dry run, also where no rule asks for it any more', async () => {
  const me = await newUser()
  const [account, food] = [await newAccount(me), await newCategory(me)]
  const [one, two] = [await book(me, account, AMZN), await book(me, account, AMZN)]
  await newRule(me, { changes: { categoryId: food.id } })
  const dry = await ok(runRules, { as: me, json: { ...ALL, dryRun: true } })
  const expectedVersions = Object.fromEntries(dry.results.map(({ id, version }) => [id, version]))
  await change(me, one, { payeeRaw: 'REWE' })
  const late = await call(runRules, { as: me, json: { ...ALL, expectedVersions } })
  expect(refusal(late)).toEqual([409, 'request.conflict', 'filter'])
  expect((await ok(getTransaction, { as: me, id: two.id })).version).toBe(1)
})

it('a category that becomes one of incomes leaves its rule out, and refuses no booking', async () => {
  const me = await newUser()
  const [account, category] = [await newAccount(me), await newCategory(me)]
  await newRule(me, { changes: { categoryId: category.id, note: 'by rule' } })
  // The process knows the rules from now on.
  await book(me, account)
  await ok(updateCategory, { as: me, id: category.id, json: { kind: 'income' } })
  for (const _ of [1, 2]) {
    expect(await book(me, account, AMZN)).toMatchObject({ categoryId: null, note: null })
  }
  const income = { ...AMZN, kind: 'income' } as const
  expect(await book(me, account, income)).toMatchObject({ categoryId: category.id })
})

it('a run that makes many parts ends at as many lines as other changes of many', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const transactions = Array.from({ length: 300 }, () => expenseOn(account, AMZN))
  await ok(createTransactions, { as: me, json: { transactions } })
  await newRule(me, { changes: { splits: Array.from({ length: 20 }, () => ({ rest: 1 })) } })
  const first = await ok(runRules, { as: me, json: ALL })
  expect(first).toMatchObject({ changed: 238, nextCursor: expect.any(String) })
  const cursor = first.nextCursor ?? ''
  expect(await ok(runRules, { as: me, json: { ...ALL, cursor } })).toMatchObject({ changed: 62 })
})

it('texts of hundreds of placeholders are filled as far as they are kept', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [payeeRaw, note] = [`  ${'😀'.repeat(300)}`, 'x'.repeat(2000)]
  const changes = { note: '{note}'.repeat(333), description: ' {payeeRaw}'.repeat(40) }
  await newRule(me, {
    condition: { field: 'kind', op: 'is', value: 'expense' },
    changes,
    overwrite: true,
  })
  const made = await book(me, account, { payeeRaw, note })
  expect(made).toMatchObject({ note, description: '😀'.repeat(250) })
})

it('100 rules with such texts take no time to speak of', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const changes = { note: '{note}'.repeat(333) }
  for (let nth = 0; nth < 100; nth++) {
    const condition = { field: 'kind', op: 'is', value: 'expense' }
    await newRule(me, { condition, changes, overwrite: true })
  }
  const transactions = Array.from({ length: 100 }, () =>
    expenseOn(account, { note: 'x'.repeat(2000) }),
  )
  const start = performance.now()
  await ok(createTransactions, { as: me, json: { transactions } })
  expect(performance.now() - start).toBeLessThan(limit(500))
})

it('a fixed part is not negative', async () => {
  const me = await newUser()
  const changes = { splits: [{ fixed: '-5.00' }, { rest: 1 }] }
  const json = { name: 'x', condition: AMZN_RAW, changes }
  expect(refusal(await call(createRule, { as: me, json }))).toEqual([
    ...[400, 'rules.invalidSplit', 'changes.splits.0.fixed'],
  ])
})

it('parts have no more tags together than a request can give them, and each of them once', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const tags = await Promise.all(
    Array.from({ length: 21 }, (_, nth) => ok(createTag, { as: me, json: { name: `T${nth}` } })),
  )
  const tagIds = tags.map(({ id }) => id)
  const parts = (count: number) => Array.from({ length: count }, () => ({ rest: 1, tagIds }))
  const json = { name: 'x', condition: AMZN_RAW, changes: { splits: parts(10) } }
  expect(refusal(await call(createRule, { as: me, json }))).toEqual([
    ...[400, 'rules.invalidSplit', 'changes.splits'],
  ])
  await newRule(me, { changes: { splits: parts(9) } })
  const [first = '', second = ''] = tagIds
  await ok(mergeTag, { as: me, id: first, json: { tagId: second } })
  const { splits } = await book(me, account, AMZN)
  expect(splits.map((part) => part.tagIds.length)).toEqual(Array.from({ length: 9 }, () => 20))
})

it('the trash gives a rule back only where there is room for it, and its name', async () => {
  const me = await newUser()
  const first = await newRule(me, { name: 'Same' })
  const path = { kind: 'rule', id: first.id } as const
  await ok(deleteRule, { as: me, id: first.id })
  const again = await newRule(me, { name: 'SAME' })
  expect(refusal(await call(restoreFromTrash, { as: me, path }))).toEqual([409, 'trash.nameTaken'])
  await ok(updateRule, { as: me, id: again.id, json: { name: 'Other' } })
  for (let nth = 1; nth < 300; nth++) {
    await newRule(me)
  }
  expect(refusal(await call(restoreFromTrash, { as: me, path }))).toEqual([409, 'rules.tooMany'])
  await ok(deleteRule, { as: me, id: again.id })
  await ok(restoreFromTrash, { as: me, path })
  expect(await ok(getRule, { as: me, id: first.id })).toMatchObject({ order: 300, version: 2 })
})

describe('an archive', () => {
  const rulesOf = async (as: Principal) => (await ok(listRules, { as })).rules

  it('brings no rule whose ids are hidden from what finds those that are gone', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const [account, theirs] = [await newAccount(me), await newCategory(other)]
    const rule = await newRule(me)
    const files = await contentsOf(me, (await make(me)).id)
    const parts = { condition: AMZN_RAW, on: ['record'], overwrite: false, stop: false }
    const changed = (ids: string[]) =>
      forged(files, {
        rows: {
          rules: (found) =>
            found.map((row) => ({
              ...row,
              definition: JSON.stringify({ ...parts, changes: { categoryId: theirs.id }, ids }),
            })),
        },
      })
    await ok(deleteRule, { as: me, id: rule.id })
    const hidden = await restored(me, await packed(changed([])), { mode: 'merge' })
    expect([hidden.state, await rulesOf(me)]).toEqual(['failed', []])
    await restored(me, await packed(changed([theirs.id])), { mode: 'merge' })
    // Ids that are somebody else's get others.
    const [found] = await rulesOf(me)
    expect(found?.broken).toEqual([found?.changes.categoryId])
    expect(await book(me, account, AMZN)).toMatchObject({ categoryId: null })
  })

  it('that is merged gives rules the places of others; a new one still comes in front of the right one', async () => {
    const me = await newUser()
    const old = [await newRule(me), await newRule(me)]
    const archive = await packed(await contentsOf(me, (await make(me)).id))
    for (const { id } of old) {
      await ok(deleteRule, { as: me, id })
    }
    await newRule(me)
    await newRule(me)
    await restored(me, archive, { mode: 'merge' })
    const names = (await rulesOf(me)).map(({ name }) => name)
    expect(names).toHaveLength(4)
    const before = (await rulesOf(me))[1]?.id
    const made = await newRule(me, { name: 'Second', before })
    expect((await rulesOf(me)).map(({ name }) => name)).toEqual(names.toSpliced(1, 0, 'Second'))
    expect(made.order).toBe(2)
  })
})

it('an order that meets another change of the rules is refused as a whole', async () => {
  const me = await newUser()
  const [one, two] = [await newRule(me), await newRule(me)]
  const json = { name: 'x', condition: AMZN_RAW, changes: { note: 'x' }, before: one.id }
  const [ordered, created, deleted] = await Promise.all([
    call(reorderRules, { as: me, json: { ruleIds: [two.id, one.id] } }),
    call(createRule, { as: me, json }),
    call(deleteRule, { as: me, id: one.id }),
  ])
  expect(deleted.status).toBe(200)
  expect([200, 409]).toContain(ordered.status)
  expect([201, 409]).toContain(created.status)
  const { rules } = await ok(listRules, { as: me })
  expect(rules.map(({ order }) => order)).toEqual(rules.map((_, at) => at + 1))
  expect(rules.some(({ id }) => id === one.id)).toBe(false)
})

it('a run changes the words of a transfer by the rules of its first side, and tells no more', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '5' }
  await ok(createTransfer, { as: me, json: { ...json, applyRules: false } })
  for (const { id } of [one, two]) {
    const condition = { field: 'accountId', op: 'is', value: id }
    await newRule(me, { condition, changes: { note: `on ${id}`, status: 'cleared' } })
  }
  const { results } = await ok(runRules, { as: me, json: ALL })
  expect(results.map(({ changes }) => changes.map(({ field }) => field).toSorted())).toEqual([
    ['note', 'status'],
    ['status'],
  ])
  for (const { id, changes } of results) {
    const side = await ok(getTransaction, { as: me, id })
    expect(side).toMatchObject({ status: 'cleared', note: results[0]?.changes[0]?.after })
    expect(changes).not.toEqual([])
  }
  expect(await ok(runRules, { as: me, json: ALL })).toMatchObject({ changed: 0 })
})
