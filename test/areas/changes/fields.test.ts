import { describe, expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { replaceSplits } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { newRule } from '../rules/ruling.ts'
import { book, change, type Changes, newCategory, tripsOf } from '../transactions/booking.ts'
import { lastChange, undo, undone } from './undoing.ts'

async function scene() {
  const me = await newUser()
  return { me, account: await newAccount(me), other: await newAccount(me) }
}

const show = (as: Principal, { id }: { id: string }) => ok(getTransaction, { as, id })

/** A transaction without what every commit changes. */
async function shown(as: Principal, { id }: { id: string }) {
  const { version: _version, updatedAt: _updated, ...rest } = await show(as, { id })
  return rest
}

describe('an undo of a run of rules', () => {
  it('takes each field back that still is what the run made of it', async () => {
    const { me, account } = await scene()
    const [home, food, travel] = [
      await newCategory(me),
      await newCategory(me),
      await newCategory(me),
    ]
    const tag = async (name: string) => (await ok(createTag, { as: me, json: { name } })).id
    const [x, auto, y] = [await tag('x'), await tag('auto'), await tag('y')]
    const raw = (word: string) => ({ payeeRaw: word })
    const a = await book(me, account, raw('AAA'))
    const b = await book(me, account, { ...raw('BBB'), categoryId: home.id, tagIds: [x] })
    const c = await book(me, account, raw('CCC'))
    const d = await book(me, account, { ...raw('DDD'), amount: '100' })
    const e = await book(me, account, raw('EEE'))
    const rule = (word: string, changes: object) =>
      newRule(me, { condition: { field: 'payeeRaw', op: 'contains', value: word }, changes })
    await rule('AAA', { categoryId: food.id })
    await rule('BBB', { categoryId: food.id, addTagIds: [auto] })
    await rule('CCC', { categoryId: food.id })
    await rule('DDD', { splits: [{ fixed: '85' }, { rest: 1 }] })
    await rule('EEE', { reviewed: true })
    const before = { a: await shown(me, a), d: await shown(me, d) }
    await ok(runRules, { as: me, json: { filter: { from: '2020-01-01' }, overwrite: true } })
    const run = await lastChange(me)
    expect(run).toMatchObject({ operation: 'runRules', count: 5, undo: 'possible' })
    expect((await show(me, d)).splits.map(({ amount }) => amount)).toEqual(['85.00', '15.00'])
    await change(me, b, { categoryId: travel.id, tagIds: [x, auto, y] })
    await ok(deleteTransaction, { as: me, id: c.id })
    await change(me, e, { status: 'reconciled' })

    const dry = await undo(me, run.id, { dryRun: true })
    const answer = await undo(me, run.id)
    expect([answer.status, tripsOf(answer), dry.body]).toEqual([
      200,
      2,
      { ...answer.body, dryRun: true },
    ])
    expect(new Map(answer.body.results.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [a.id, 'changed'],
        [b.id, 'changed'],
        [c.id, 'unchanged'],
        [d.id, 'changed'],
        [e.id, 'unchanged'],
      ]),
    )
    expect(
      answer.body.kept.toSorted((p, q) => (p.transactionId < q.transactionId ? -1 : 1)),
    ).toEqual(
      [
        { transactionId: b.id, field: 'categoryId', reason: 'changedSince' },
        { transactionId: c.id, field: 'all', reason: 'deletedSince' },
        { transactionId: e.id, field: 'reviewed', reason: 'reconciled' },
      ].toSorted((p, q) => (p.transactionId < q.transactionId ? -1 : 1)),
    )
    expect(await shown(me, a)).toEqual(before.a)
    expect(await shown(me, d)).toEqual(before.d)
    expect(await show(me, b)).toMatchObject({ categoryId: travel.id, tagIds: [x, y].toSorted() })
    expect((await show(me, e)).reviewed).toBe(true)
    expect(await undone(me, run.id, { force: true })).toContain('changed')
    expect((await show(me, e)).reviewed).toBe(false)
    const again = await undo(me, run.id)
    expect(again.body).toMatchObject({ changed: 0, unchanged: 5 })
    expect(again.body.kept.map(({ field, reason }) => `${field} ${reason}`).toSorted()).toEqual(
      [
        'all deletedSince',
        'amount changedSince',
        'categoryId changedSince',
        'categoryId changedSince',
        'reviewed changedSince',
        'tagIds changedSince',
      ].toSorted(),
    )
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('an undo of an edit', () => {
  it.each<[string, Changes]>([
    ['texts', { description: 'd', note: 'n', payeeRaw: 'p', time: '10:00' }],
    ['marks', { reviewed: true, private: true, excludeFromReports: true }],
    ['free fields', { metadata: { a: 1 }, location: { lat: 1, lon: 2, name: 'x' } }],
    ['the original amount', { originalAmount: '5', originalCurrency: 'USD', rate: '1.1' }],
    ['the day', { date: '2025-02-28' }],
    ['the amount', { amount: '99' }],
    ['the kind', { kind: 'income' }],
    ['the status', { status: 'void' }],
  ])('takes back %s', async (_, changes) => {
    const { me, account } = await scene()
    const one = await book(me, account, { note: 'was', categoryId: (await newCategory(me)).id })
    const before = await shown(me, one)
    await change(me, one, changes)
    const { id } = await lastChange(me)
    expect(await shown(me, one)).not.toEqual(before)
    expect(await undone(me, id)).toEqual(['changed'])
    expect(await shown(me, one)).toEqual(before)
    const back = await lastChange(me)
    expect(back).toMatchObject({ operation: 'undoChange', undo: 'possible', count: 2 })
    expect(await undone(me, back.id)).toEqual(['changed'])
    expect(await shown(me, one)).toMatchObject(changes.amount ? { amount: '99.00' } : {})
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes kind, account, amount and parts back together, or not at all', async () => {
    const { me, account, other } = await scene()
    const one = await book(me, account)
    await change(me, one, { accountId: other.id })
    const { id } = await lastChange(me)
    await change(me, one, { amount: '50' })
    expect(await undone(me, id)).toEqual(['unchanged', 'amount changedSince'])
    await change(me, one, { amount: '12.30' })
    expect(await undone(me, id)).toEqual(['changed'])
    expect((await show(me, one)).accountId).toBe(account.id)
  })

  it('brings parts back with their ids and labels', async () => {
    const { me, account, other } = await scene()
    const [food, tag] = [
      await newCategory(me),
      await ok(createTag, { as: me, json: { name: 'T' } }),
    ]
    const parts = [
      { amount: '10', categoryId: food.id, tagIds: [tag.id], note: 'first' },
      { amount: '20', transferAccountId: other.id },
      { amount: '70' },
    ]
    const one = await book(me, account, { amount: '100', splits: parts })
    const before = await shown(me, one)
    await ok(replaceSplits, {
      as: me,
      id: one.id,
      json: { splits: [{ amount: '40' }, { amount: '60' }] },
    })
    const { id } = await lastChange(me)
    expect(await undone(me, id)).toEqual(['changed'])
    expect(await shown(me, one)).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
  })
})
