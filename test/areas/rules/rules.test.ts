import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  createCategory,
  mergeCategory,
  updateCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  createRule,
  deleteRule,
  getRule,
  listRules,
  reorderRules,
  updateRule,
} from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import { AMZN_RAW as AMZN, newRule } from './ruling.ts'

const NOTE = { note: 'checked' }

const idsOf = async (as: Principal, query = {}) =>
  (await ok(listRules, { as, query })).rules.map(({ id }) => id)

describe('a rule', () => {
  it('is created, shown, listed and changed', async () => {
    const me = await newUser()
    const created = await call(createRule, {
      as: me,
      json: { name: ' Amazon ', condition: AMZN, changes: NOTE },
    })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({
      ...{ name: 'Amazon', condition: AMZN, changes: NOTE, order: 1, broken: [], version: 1 },
      ...{ on: ['record', 'import', 'recurring'], overwrite: false, stop: false, active: true },
    })
    const { id } = created.body
    expect(await ok(getRule, { as: me, id })).toEqual(created.body)
    const listed = await call(listRules, { as: me })
    expect(listed.body).toEqual({ rules: [created.body], count: 1, nextCursor: null })
    expect(tripsOf(listed)).toBe(1)
    const json = { changes: { reviewed: true }, active: false, on: ['import' as const] }
    const changed = await ok(updateRule, { as: me, id, json })
    expect(changed).toMatchObject({ ...json, condition: AMZN, name: 'Amazon', version: 2 })
    expect(await idsOf(me, { active: 'true' })).toEqual([])
    expect(await idsOf(me, { active: 'false' })).toEqual([id])
  })

  it('has a name of its own', async () => {
    const me = await newUser()
    await newRule(me, { name: 'Café' })
    const second = await newRule(me)
    const json = { name: 'CAFÉ', condition: AMZN, changes: NOTE }
    const taken = [409, 'rules.nameTaken', 'name']
    expect(refusal(await call(createRule, { as: me, json }))).toEqual(taken)
    const renamed = await call(updateRule, { as: me, id: second.id, json: { name: 'café' } })
    expect(refusal(renamed)).toEqual(taken)
  })

  it('of another user is not there', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await newRule(other)
    const gone = [404, 'rules.notFound']
    expect(refusal(await call(getRule, { as: me, id }))).toEqual(gone)
    expect(refusal(await call(updateRule, { as: me, id, json: { name: 'x' } }))).toEqual(gone)
    expect(refusal(await call(deleteRule, { as: me, id }))).toEqual(gone)
    expect(await idsOf(me)).toEqual([])
    const json = { name: 'x', condition: AMZN, changes: NOTE, before: id }
    const before = await call(createRule, { as: me, json })
    expect(refusal(before)).toEqual([400, 'rules.unknownRule', 'before'])
  })

  it('is not changed by a token for some accounts, which sees it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await newRule(me)
    const { token } = await ok(createAccessToken, {
      as: me,
      json: {
        ...{ name: 'Some', scopes: ['rules.read', 'rules.write'] },
        ...{ accountIds: [account.id], password: me.password },
      },
    })
    const as = { accessToken: token }
    expect(await ok(getRule, { as, id })).toMatchObject({ id })
    const refused = [403, 'rules.tokenIsRestricted']
    const rule = { name: 'x', condition: AMZN, changes: NOTE }
    expect(refusal(await call(createRule, { as, json: rule }))).toEqual(refused)
    expect(refusal(await call(updateRule, { as, id, json: { name: 'x' } }))).toEqual(refused)
    expect(refusal(await call(deleteRule, { as, id }))).toEqual(refused)
    expect(refusal(await call(reorderRules, { as, json: { ruleIds: [id] } }))).toEqual(refused)
  })

  it('goes to the trash, and comes back at the end', async () => {
    const me = await newUser()
    const [one, two] = [await newRule(me), await newRule(me)]
    const deleted = await ok(deleteRule, { as: me, id: one.id })
    expect(deleted).toMatchObject({ trash: { kind: 'rule', id: one.id } })
    expect(await idsOf(me)).toEqual([two.id])
    const { items } = await ok(listTrash, { as: me, query: { kind: 'rule' } })
    expect(items).toMatchObject([{ kind: 'rule', id: one.id, name: one.name }])
    await ok(restoreFromTrash, { as: me, path: { kind: 'rule', id: one.id } })
    expect(await idsOf(me)).toEqual([two.id, one.id])
    const restored = await ok(getRule, { as: me, id: one.id })
    expect(restored).toMatchObject({ order: 2, version: 2, condition: AMZN })
  })
})

describe('the order of rules', () => {
  it('is that of creation, or in front of another one', async () => {
    const me = await newUser()
    const [one, two] = [await newRule(me), await newRule(me)]
    const first = await newRule(me, { before: one.id })
    const third = await newRule(me, { before: two.id })
    expect(await idsOf(me)).toEqual([first.id, one.id, third.id, two.id])
    expect(third.order).toBe(3)
    const paged = await ok(listRules, { as: me, query: { limit: '3' } })
    expect(paged.rules.map(({ order }) => order)).toEqual([1, 2, 3])
    const rest = await ok(listRules, {
      as: me,
      query: { limit: '3', cursor: paged.nextCursor ?? '' },
    })
    expect(rest.rules.map(({ id }) => id)).toEqual([two.id])
  })

  it('is set for all rules at once', async () => {
    const me = await newUser()
    const ids = [await newRule(me), await newRule(me), await newRule(me)].map(({ id }) => id)
    const ruleIds = ids.toReversed()
    const ordered = await ok(reorderRules, { as: me, json: { ruleIds } })
    expect(ordered.rules.map(({ id, order }) => [id, order])).toEqual(
      ruleIds.map((id, at) => [id, at + 1]),
    )
    expect(ordered.count).toBe(3)
    expect(await idsOf(me)).toEqual(ruleIds)
    const [one = '', two = '', three = ''] = ids
    for (const wrong of [[one, two], [one, two, two], [one, two, three, three], []]) {
      const refused = await call(reorderRules, { as: me, json: { ruleIds: wrong } })
      expect(refusal(refused)).toEqual([400, 'rules.notAll', 'ruleIds'])
    }
  })
})

describe('what a rule names', () => {
  it('has to be own and in use, and is named in the error', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const create = async (json: object) =>
      refusal(
        await call(createRule, {
          as: me,
          json: { name: 'x', condition: AMZN, changes: NOTE, ...json } as never,
        }),
      )
    const account = await newAccount(other)
    const theirs = await ok(createCategory, { as: other, json: { name: 'F', kind: 'expense' } })
    const archived = await ok(createTag, { as: me, json: { name: 'Old', archived: true } })
    const is = (field: string, value: string) => ({ field, op: 'is', value })
    const none = `pay_${theirs.id.slice(4)}`
    expect(await create({ condition: { all: [AMZN, is('accountId', account.id)] } })).toEqual([
      ...[400, 'transactions.unknownAccount', 'condition.all.1.value'],
    ])
    expect(await create({ condition: { not: is('payeeId', none) } })).toEqual([
      ...[400, 'payees.notThere', 'condition.not.value'],
    ])
    expect(await create({ changes: { categoryId: theirs.id } })).toEqual([
      ...[400, 'transactions.unknownCategory', 'changes.categoryId'],
    ])
    expect(await create({ changes: { addTagIds: [archived.id] } })).toEqual([
      ...[400, 'tags.archivedTag', 'changes.addTagIds.0'],
    ])
    const parts = [{ rest: 1, payeeId: none }, { rest: 1 }]
    expect(await create({ changes: { splits: parts } })).toEqual([
      ...[400, 'payees.notThere', 'changes.splits.0.payeeId'],
    ])
    expect(await create({ changes: { transferAccountId: account.id } })).toEqual([
      ...[400, 'transactions.unknownAccount', 'changes.transferAccountId'],
    ])
  })

  it.each<[object, string, string]>([
    [{ condition: { field: 'color', op: 'is' } }, 'conditions.invalid', 'condition.field'],
    [
      { condition: { field: 'hasAttachment', op: 'is', value: true } },
      'conditions.notInRules',
      'condition',
    ],
    [
      { changes: { splits: [{ percent: '60' }, { percent: '41' }] } },
      'rules.invalidSplit',
      'changes.splits',
    ],
    [{ changes: { note: '{word}' } }, 'rules.unknownPlaceholder', 'changes.note'],
    [{ changes: {} }, 'request.invalid', 'changes'],
    [
      { changes: { categoryId: null, splits: [{ rest: 1 }, { rest: 1 }] } },
      'request.invalid',
      'changes',
    ],
    [{ condition: [] }, 'request.invalid', 'condition'],
  ])('refuses %j', async (json, code, field) => {
    const me = await newUser()
    const sent = { name: 'x', condition: AMZN, changes: NOTE, ...json } as never
    expect(refusal(await call(createRule, { as: me, json: sent }))).toEqual([400, code, field])
  })

  it('makes the rule broken when it is archived or gone, and whole when it is back', async () => {
    const me = await newUser()
    const category = await ok(createCategory, { as: me, json: { name: 'F', kind: 'expense' } })
    const tag = await ok(createTag, { as: me, json: { name: 'T' } })
    const changes = { categoryId: category.id, addTagIds: [tag.id] }
    const { id } = await newRule(me, { changes })
    const brokenOf = async () => (await ok(getRule, { as: me, id })).broken
    await ok(updateCategory, { as: me, id: category.id, json: { archived: true } })
    expect(await brokenOf()).toEqual([category.id])
    await ok(deleteTag, { as: me, id: tag.id })
    expect((await brokenOf()).toSorted()).toEqual([category.id, tag.id].toSorted())
    const renamed = await ok(updateRule, { as: me, id, json: { name: 'Still', changes } })
    expect(renamed).toMatchObject({ name: 'Still', changes })
    await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: tag.id } })
    await ok(updateCategory, { as: me, id: category.id, json: { archived: false } })
    expect(await brokenOf()).toEqual([])
  })

  it('follows a label into which it is merged', async () => {
    const me = await newUser()
    const [amazon, other] = await Promise.all(
      ['Amazon', 'AMZN'].map((name) => ok(createPayee, { as: me, json: { name } })),
    )
    const condition = { field: 'payeeId', op: 'is', value: other?.id }
    const rule = await newRule(me, { condition, changes: { payeeId: other?.id } })
    const payeeIds = [other?.id ?? '']
    await ok(mergePayees, { as: me, id: amazon?.id ?? '', json: { payeeIds } })
    const after = await ok(getRule, { as: me, id: rule.id })
    expect(after).toMatchObject({
      ...{ changes: { payeeId: amazon?.id }, broken: [], version: 2 },
      condition: { ...condition, value: amazon?.id },
    })
  })

  it('follows it in the trash, too, one after the other', async () => {
    const me = await newUser()
    const tags = await Promise.all(
      ['A', 'B', 'C'].map((name) => ok(createTag, { as: me, json: { name } })),
    )
    const [one = '', two = '', three = ''] = tags.map(({ id }) => id)
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const condition = { field: 'tagId', op: 'oneOf', value: [one, three] }
    const rule = await newRule(me, {
      condition,
      changes: { categoryId: food.id, addTagIds: [one] },
    })
    await ok(deleteRule, { as: me, id: rule.id })
    await ok(mergeTag, { as: me, id: two, json: { tagId: one } })
    await ok(mergeCategory, { as: me, id: home.id, json: { categoryId: food.id } })
    await ok(mergeTag, { as: me, id: three, json: { tagId: two } })
    await ok(restoreFromTrash, { as: me, path: { kind: 'rule', id: rule.id } })
    expect(await ok(getRule, { as: me, id: rule.id })).toMatchObject({
      changes: { categoryId: home.id, addTagIds: [three] },
      condition: { value: [three, three] },
      broken: [],
    })
  })

  it('is not restored by what was read before a label was merged', async () => {
    const me = await newUser()
    const [one, two] = await Promise.all(
      ['A', 'B'].map((name) => ok(createTag, { as: me, json: { name } })),
    )
    const rule = await newRule(me, { changes: { addTagIds: [one?.id] } })
    await ok(deleteRule, { as: me, id: rule.id })
    const [restored, merged] = await Promise.all([
      call(restoreFromTrash, { as: me, path: { kind: 'rule', id: rule.id } }),
      call(mergeTag, { as: me, id: two?.id ?? '', json: { tagId: one?.id ?? '' } }),
    ])
    expect(merged.status).toBe(200)
    if (restored.status !== 200) {
      expect(restored.status).toBe(409)
      await ok(restoreFromTrash, { as: me, path: { kind: 'rule', id: rule.id } })
    }
    expect(await ok(getRule, { as: me, id: rule.id })).toMatchObject({ broken: [] })
  })
})

it('there are at most 300 rules, and 256 KiB of them', async () => {
  const me = await newUser()
  const long = { any: Array.from({ length: 20 }, () => ({ ...AMZN, value: 'x'.repeat(200) })) }
  const note = 'x'.repeat(2000)
  let made = 0
  for (; made < 300; made += 1) {
    const json = { name: `Long ${made}`, condition: long, changes: { note } }
    const created = await call(createRule, { as: me, json })
    if (created.status !== 201) {
      expect(refusal(created)).toEqual([409, 'rules.tooMany'])
      break
    }
  }
  expect(made).toBeGreaterThan(30)
  expect(made).toBeLessThan(60)
})
