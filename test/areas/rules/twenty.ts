import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { ok } from '../../support/api.ts'
import type { Random } from '../../support/random.ts'
import { newAccount, type TestUser } from '../../support/world.ts'
import { newCategory } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

/** The words that rows are made of, and that rules look for. */
const WORDS = ['amzn', 'garden', 'rewe', 'card', 'rent', 'refund', 'savings', 'power']

const has = (value: string, field = 'payeeRaw') => ({ field, op: 'word', value })

/** Adds twenty rules of all kinds of changes, and the labels and the account that they name. */
export async function twentyRules(me: TestUser, more: object = {}) {
  const [food, home, salary] = [
    await newCategory(me),
    await newCategory(me),
    await newCategory(me, 'income'),
  ]
  const [online, checked] = [
    await ok(createTag, { as: me, json: { name: 'online' } }),
    await ok(createTag, { as: me, json: { name: 'checked' } }),
  ]
  const amazon = await ok(createPayee, { as: me, json: { name: 'Amazon' } })
  const json = { name: 'Rewe', aliases: ['rewe'], defaultCategoryId: food.id }
  const rewe = await ok(createPayee, { as: me, json })
  const savings = await newAccount(me, { name: 'Savings' })
  const isAmazon = { field: 'payeeId', op: 'is', value: amazon.id }
  const hasTag = { field: 'tagId', op: 'is', value: online.id }
  const large = { field: 'amount', op: 'from', value: '500.00' }
  const fixed = [
    { fixed: '20.00', categoryId: food.id },
    { rest: 1, categoryId: home.id, tagIds: [checked.id], note: 'The rest' },
  ]
  const shared = [
    { percent: '33.33', categoryId: home.id },
    { percent: '66.67', payeeId: rewe.id },
  ]
  const wanted: [condition: object, changes: object, more?: object][] = [
    [has('amzn'), { payeeId: amazon.id }],
    [isAmazon, { categoryId: home.id, addTagIds: [online.id] }],
    [{ all: [isAmazon, large] }, { categoryId: food.id }, { stop: true }],
    [hasTag, { note: 'bought online: {payeeRaw}' }],
    [{ all: [hasTag, has('garden')] }, { removeTagIds: [online.id], addTagIds: [checked.id] }],
    [has('garden'), { description: '{payee} {payeeRaw}', categoryId: home.id }],
    [has('rent'), { splits: fixed }],
    [{ all: [has('power'), { not: large }] }, { splits: shared }, { overwrite: true }],
    [has('savings'), { transferAccountId: savings.id, description: 'Put aside' }],
    [has('card'), { status: 'pending', note: '{note} by card' }],
    [{ field: 'kind', op: 'is', value: 'income' }, { categoryId: salary.id }],
    [
      { all: [has('refund'), { field: 'kind', op: 'is', value: 'income' }] },
      { categoryId: food.id },
    ],
    [{ field: 'categoryId', op: 'isEmpty' }, { addTagIds: [checked.id] }],
    [{ field: 'isSplit', op: 'is', value: true }, { reviewed: true }, { stop: true }],
    [has('refund'), { payeeId: null, note: null }, { overwrite: true }],
    [has('rewe'), { categoryId: salary.id, note: 'never on an expense' }],
    [{ field: 'description', op: 'contains', value: 'o' }, { reviewed: true }],
    [{ field: 'date', op: 'from', value: '2026-06-01' }, { note: '{note} in summer' }],
    [{ field: 'status', op: 'is', value: 'pending' }, { addTagIds: [online.id] }],
    [has('garden'), { status: 'uncleared', categoryId: null }, { overwrite: true, stop: true }],
  ]
  const rules: { id: string; name: string }[] = []
  for (const [condition, changes, own] of wanted) {
    rules.push(await newRule(me, { condition, changes, ...own, ...more }))
  }
  return { rules, food, home, tags: [online, checked] as const, rewe, savings }
}

export interface SentRow {
  kind: 'expense' | 'income'
  date: string
  amount: string
  payeeRaw: string
  externalId: string
}

/** A row that says nothing that rules change. */
export const rowFrom = (random: Random, at: number): SentRow => ({
  kind: random.chance(0.75) ? 'expense' : 'income',
  date: `2026-0${random.whole(1, 9)}-${random.whole(10, 28)}`,
  amount: `${random.whole(1, random.pick([30, 999]))}.${random.whole(10, 99)}`,
  // Some are the alias of a payee.
  payeeRaw: random.chance(0.1) ? 'rewe' : `${random.pick(WORDS)} ${random.pick(WORDS)} ${at}`,
  externalId: `x-${at}`,
})
