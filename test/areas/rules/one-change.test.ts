import { expect, it } from 'vitest'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, getPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { getRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newCategory } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

// Each count of a change of rules is written to all accounts, so that a change of many rules or payees must be one.

/** How many changes are counted while something is done, on the accounts as for the user. */
async function changesBy(me: TestUser, run: () => Promise<unknown>): Promise<number> {
  const counted = async () => {
    const found = await rows<{ n: number }>(
      `SELECT rule_set AS n FROM users WHERE id = ?1
        UNION SELECT rule_set FROM accounts WHERE owner_id = ?1`,
      me.id,
    )
    expect(found).toHaveLength(1)
    return found[0]?.n ?? 0
  }
  const before = await counted()
  await run()
  return (await counted()) - before
}

it('payees whose usual category is merged, deleted and restored count once', async () => {
  const me = await newUser()
  await newAccount(me)
  const [food, home, other] = [
    await newCategory(me),
    await newCategory(me),
    await newCategory(me),
  ] as const
  const json = { defaultCategoryId: food.id }
  const payees = await Promise.all(
    ['A', 'B', 'C'].map((name) => ok(createPayee, { as: me, json: { name, ...json } })),
  )
  const usual = async () =>
    new Set(
      await Promise.all(
        payees.map(async ({ id }) => (await ok(getPayee, { as: me, id })).defaultCategoryId),
      ),
    )
  const merge = () => ok(mergeCategory, { as: me, id: home.id, json: { categoryId: food.id } })
  expect(await changesBy(me, merge)).toBe(1)
  expect(await usual()).toEqual(new Set([home.id]))
  const reassign = () =>
    ok(deleteCategory, { as: me, id: home.id, query: { reassignTo: other.id } })
  expect(await changesBy(me, reassign)).toBe(1)
  const path = { kind: 'category', id: home.id } as const
  expect(await changesBy(me, () => ok(restoreFromTrash, { as: me, path }))).toBe(1)
  expect(await usual()).toEqual(new Set([home.id]))
})

it('rules that name a merged tag count once, and others not at all', async () => {
  const me = await newUser()
  await newAccount(me)
  const tags = await Promise.all(
    ['A', 'B', 'C'].map((name) => ok(createTag, { as: me, json: { name } })),
  )
  const [one = '', two = '', three = ''] = tags.map(({ id }) => id)
  const made = [
    await newRule(me, { changes: { addTagIds: [one] } }),
    await newRule(me, { changes: { removeTagIds: [one] } }),
    await newRule(me),
  ]
  const merge = (id: string, tagId: string) => () => ok(mergeTag, { as: me, id, json: { tagId } })
  expect(await changesBy(me, merge(two, one))).toBe(1)
  expect(await changesBy(me, merge(two, three))).toBe(0)
  const versions = await Promise.all(
    made.map(async ({ id }) => (await ok(getRule, { as: me, id })).version),
  )
  expect(versions).toEqual([2, 2, 1])
})
