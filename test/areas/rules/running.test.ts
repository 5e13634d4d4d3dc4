import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { runRules, updateRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  change,
  expenseOn,
  newCategory,
  refusal,
} from '../transactions/booking.ts'
import { AMZN_RAW, newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }
const ALL = { filter: { from: '2020-01-01' } }

type Body = NonNullable<NonNullable<Parameters<typeof ok<typeof runRules>>[1]>['json']>

const run = (as: Principal, json: Partial<Body> = {}) =>
  ok(runRules, { as, json: json.ids ? json : { ...ALL, ...json } })

async function scene() {
  const me = await newUser()
  const [account, food] = [await newAccount(me), await newCategory(me)]
  return { me, account, food }
}

describe('a run', () => {
  it('changes what is stored as far as it is empty, and tags, reviewed and status', async () => {
    const { me, account, food } = await scene()
    const home = await newCategory(me)
    const tag = await ok(createTag, { as: me, json: { name: 'T' } })
    const empty = await book(me, account, AMZN)
    const full = await book(me, account, { ...AMZN, categoryId: home.id, note: 'mine' })
    const other = await book(me, account, { payeeRaw: 'REWE' })
    const changes = { categoryId: food.id, note: '{note} checked', addTagIds: [tag.id] }
    const rule = await newRule(me, { changes: { ...changes, status: 'cleared' } })
    const before = await balanceOf(me, account)
    const result = await run(me)
    expect(result).toMatchObject({ changed: 2, unchanged: 0, looked: 3, nextCursor: null })
    const changed = { ruleId: rule.id }
    expect(result.results.find(({ id }) => id === full.id)).toMatchObject({
      ...{ status: 'changed', version: 1, failed: [] },
      changes: [
        { field: 'tagIds', before: [], after: [tag.id], ...changed },
        { field: 'status', before: 'uncleared', after: 'cleared', ...changed },
      ],
    })
    const show = (id: string) => ok(getTransaction, { as: me, id })
    const tagged = { tagIds: [tag.id], status: 'cleared', version: 2 }
    expect(await show(empty.id)).toMatchObject({ ...tagged, categoryId: food.id, note: 'checked' })
    expect(await show(full.id)).toMatchObject({ ...tagged, categoryId: home.id, note: 'mine' })
    expect(await show(other.id)).toMatchObject({ version: 1 })
    expect((await eventsOf(empty.id)).at(-1)).toMatchObject({ content: { ruleIds: [rule.id] } })
    expect(await balanceOf(me, account)).toBe(before)
    const again = await run(me, { overwrite: true })
    expect(again.results.find(({ id }) => id === full.id)?.changes).toMatchObject([
      { field: 'note', before: 'mine', after: 'mine checked' },
      { field: 'categoryId', before: home.id, after: food.id },
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('stores nothing when dry, and refuses other versions than those of a dry run', async () => {
    const { me, account, food } = await scene()
    const { id } = await book(me, account, AMZN)
    await newRule(me, { changes: { categoryId: food.id } })
    const dry = await run(me, { dryRun: true })
    expect(dry).toMatchObject({ changed: 1, dryRun: true })
    expect(await ok(getTransaction, { as: me, id })).toMatchObject({ version: 1, categoryId: null })
    await change(me, { id }, { description: 'x' })
    const expectedVersions = { [id]: dry.results[0]?.version ?? 0 }
    const late = await call(runRules, { as: me, json: { ...ALL, expectedVersions } })
    expect(refusal(late)).toEqual([409, 'request.conflict', 'filter'])
    expect(await run(me, { dryRun: true, expectedVersions })).toMatchObject({
      ...{ invalid: 1, results: [{ id, code: 'request.conflict' }] },
    })
    expect(await run(me, { expectedVersions: { [id]: 2 } })).toMatchObject({ changed: 1 })
  })

  it('tries a rule that is not saved, when dry', async () => {
    const { me, account, food } = await scene()
    const { id } = await book(me, account, AMZN)
    const rule = { condition: AMZN_RAW, changes: { categoryId: food.id } }
    const dry = await run(me, { rule, dryRun: true })
    expect(dry.results).toMatchObject([
      { id, changes: [{ field: 'categoryId', after: food.id, ruleId: '' }] },
    ])
    const refused = async (json: Partial<Body>) =>
      refusal(await call(runRules, { as: me, json: { ...ALL, ...json } }))
    expect(await refused({ rule })).toEqual([400, 'rules.saveFirst', 'rule'])
    const wrong = { ...rule, changes: { note: '{x}' } }
    expect(await refused({ rule: wrong, dryRun: true })).toEqual([
      ...[400, 'rules.unknownPlaceholder', 'rule.changes.note'],
    ])
    const stranger = await newCategory(await newUser())
    const foreign = { ...rule, changes: { categoryId: stranger.id } }
    expect(await refused({ rule: foreign, dryRun: true })).toEqual([
      ...[400, 'transactions.unknownCategory', 'rule.changes.categoryId'],
    ])
  })

  it('fills names of payees into unsaved texts only for tokens that read them', async () => {
    const { me, account } = await scene()
    const payee = await ok(createPayee, { as: me, json: { name: 'Secret' } })
    const { id } = await book(me, account, { ...AMZN, payeeId: payee.id })
    const rule = { condition: AMZN_RAW, changes: { note: 'by {payee}' } }
    const noteFor = async (...scopes: Permission[]) => {
      const { token } = await ok(createAccessToken, {
        as: me,
        json: { name: 'x', scopes: ['transactions.write', ...scopes], password: me.password },
      })
      const json = { ids: [id], rule, dryRun: true }
      const { results } = await ok(runRules, { as: { accessToken: token }, json })
      return results[0]?.changes[0]?.after
    }
    expect(await noteFor()).toBe('by')
    expect(await noteFor('payees.read')).toBe('by Secret')
    expect(await noteFor('transactions.read')).toBe('by Secret')
  })

  it('goes by the rules that are named, inactive ones too, and by ids', async () => {
    const { me, account } = await scene()
    const [one, two] = [await book(me, account, AMZN), await book(me, account, AMZN)]
    const first = await newRule(me, { changes: { note: 'first' }, active: false })
    await newRule(me, { changes: { description: 'second' } })
    const ids = [one.id]
    const named = await run(me, { ids, ruleIds: [first.id] })
    expect(named.results).toMatchObject([{ id: one.id, changes: [{ field: 'note' }] }])
    const active = await run(me, { ids: [two.id] })
    expect(active.results).toMatchObject([{ id: two.id, changes: [{ field: 'description' }] }])
    const theirs = await newRule(await newUser())
    const unknown = await call(runRules, { as: me, json: { ids, ruleIds: [theirs.id] } })
    expect(refusal(unknown)).toEqual([400, 'rules.unknownRule', 'ruleIds.0'])
  })

  it('leaves reviewed transactions out unless they are asked for', async () => {
    const { me, account } = await scene()
    await book(me, account, { ...AMZN, reviewed: true })
    await newRule(me)
    expect(await run(me)).toMatchObject({ results: [], changed: 0 })
    expect(await run(me, { withReviewed: true })).toMatchObject({ changed: 1 })
  })

  it('splits, and says which rules could not be applied', async () => {
    const { me, account, food } = await scene()
    const small = await book(me, account, { ...AMZN, amount: '4.00' })
    const large = await book(me, account, { ...AMZN, amount: '12.00' })
    const splits = [{ fixed: '5.00', categoryId: food.id }, { rest: 1 }]
    const rule = await newRule(me, { changes: { splits } })
    const result = await run(me)
    expect(result.results.find(({ id }) => id === small.id)).toMatchObject({
      ...{ status: 'unchanged', failed: [{ ruleId: rule.id, code: 'rules.splitTooMuch' }] },
    })
    expect((await ok(getTransaction, { as: me, id: large.id })).splits).toMatchObject([
      { amount: '5.00', categoryId: food.id },
      { amount: '7.00', categoryId: null },
    ])
    expect(await run(me, { overwrite: true })).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await differencesOf(me)).toEqual([])
  })

  it('changes nothing reconciled or locked without force', async () => {
    const { me, account } = await scene()
    const held = await book(me, account, { ...AMZN, status: 'reconciled' })
    await newRule(me, { changes: { status: 'cleared' } })
    const refused = await call(runRules, { as: me, json: ALL })
    expect(refusal(refused).slice(0, 2)).toEqual([409, 'transactions.reconciled'])
    expect(await run(me, { dryRun: true })).toMatchObject({ invalid: 1 })
    expect(await run(me, { force: true })).toMatchObject({ changed: 1 })
    expect((await ok(getTransaction, { as: me, id: held.id })).status).toBe('cleared')
    const lock = {
      accountId: account.id,
      through: '2026-11-20',
      kind: 'soft',
      reason: 'x',
    } as const
    await ok(createPeriodLock, { as: me, json: lock })
    const rule = await newRule(me, { changes: { categoryId: (await newCategory(me)).id } })
    const locked = await call(runRules, { as: me, json: { ...ALL, ruleIds: [rule.id] } })
    expect(refusal(locked).slice(0, 2)).toEqual([409, 'locks.periodLocked'])
  })

  it('changes both sides of a transfer, each in one new version', async () => {
    const { me, account } = await scene()
    const two = await newAccount(me)
    const move = { fromAccountId: account.id, toAccountId: two.id, date: '2026-11-20', amount: '5' }
    const made = await ok(createTransfer, { as: me, json: { ...move, description: 'Savings' } })
    await newRule(me, {
      condition: { field: 'kind', op: 'is', value: 'transfer' },
      changes: { note: 'moved', status: 'cleared' },
    })
    expect(await run(me)).toMatchObject({ changed: 2 })
    const side = await ok(getTransaction, { as: me, id: made.to.id })
    expect(side).toMatchObject({ note: 'moved', status: 'cleared', version: 2 })
  })

  it('works on own accounts alone', async () => {
    const { me, account } = await scene()
    const { id } = await book(me, account, AMZN)
    const other = await newUser()
    await newRule(other)
    expect(await run(other)).toMatchObject({ results: [], looked: 0 })
    expect(await run(other, { ids: [id] })).toMatchObject({ results: [], looked: 0 })
  })

  it('changes at most 500 in one commit, and goes on where it ended', async () => {
    const { me, account } = await scene()
    const transactions = Array.from({ length: 300 }, () => expenseOn(account, AMZN))
    await ok(createTransactions, { as: me, json: { transactions } })
    await ok(createTransactions, { as: me, json: { transactions } })
    const rule = await newRule(me)
    const first = await run(me)
    expect(first).toMatchObject({ changed: 500, looked: 500, nextCursor: expect.any(String) })
    const cursor = first.nextCursor ?? ''
    expect(await run(me, { cursor })).toMatchObject({ changed: 100, nextCursor: null })
    const json = { filter: { from: '2021-01-01' }, cursor }
    const borrowed = await call(runRules, { as: me, json })
    expect(refusal(borrowed)).toEqual([400, 'request.invalidCursor', 'cursor'])
    await ok(updateRule, { as: me, id: rule.id, json: { active: false } })
    expect(await run(me)).toMatchObject({ changed: 0, looked: 600 })
  })
})
