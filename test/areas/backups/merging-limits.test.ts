import { describe, expect, it } from 'vitest'
import { createRule, listRules } from '../../../src/areas/money/rules/rules.routes.ts'
import {
  createSavedView,
  listSavedViews,
} from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { backedUp, emptied, restored, rowsOf } from './restoring.ts'

const merge = { mode: 'merge' } as const

const saveView = (as: Principal, name: string) =>
  ok(createSavedView, { as, json: { name, of: 'transactions', parameters: {} } })

async function saveViews(as: Principal, count: number, word: string) {
  for (let nth = 1; nth <= count; nth++) {
    await saveView(as, `${word} ${nth}`)
  }
}

/** Rules of about 30 KiB each. */
async function addLongRules(as: Principal, count: number, word: string) {
  const splits = Array.from({ length: 20 }, () => ({ rest: 1, note: '京'.repeat(500) }))
  const condition = { field: 'text', op: 'contains', value: 'rent' }
  for (let nth = 1; nth <= count; nth++) {
    await ok(createRule, { as, json: { name: `${word} ${nth}`, condition, changes: { splits } } })
  }
}

const countOfRules = async (as: Principal) => (await ok(listRules, { as })).count

describe('a merge', () => {
  it('is refused where it would leave more rows than there may be, and changes nothing', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await saveViews(other, 3, 'Theirs')
    const { archive } = await backedUp(other)
    await saveViews(me, 198, 'Mine')
    const before = await backedUp(me)
    const dryRun = await restored(me, archive, { ...merge, dryRun: 'true' })
    const refused = await restored(me, archive, merge)
    for (const { state, error } of [dryRun, refused]) {
      expect([state, error?.code]).toEqual(['failed', 'backups.tooManyRows'])
      expect(error?.message).toContain('more than 200 saved_views')
    }
    expect((await backedUp(me)).hash).toBe(before.hash)
    await rows("DELETE FROM saved_views WHERE owner_id = ? AND name = 'Mine 1'", me.id)
    expect(await restored(me, archive, merge)).toMatchObject({ state: 'done', error: null })
    expect((await ok(listSavedViews, { as: me })).count).toBe(200)
  })

  it('has room for rows that existing ones stand for', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await saveViews(other, 3, 'View')
    const { archive } = await backedUp(other)
    await saveViews(me, 200, 'View')
    expect(await restored(me, archive, merge)).toMatchObject({ state: 'done', error: null })
    expect((await ok(listSavedViews, { as: me })).count).toBe(200)
  })

  it('is refused where rules would be longer together than they may be', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await addLongRules(other, 5, 'Theirs')
    const { archive } = await backedUp(other)
    await addLongRules(me, 4, 'Mine')
    const before = await rowsOf(me)
    const refused = await restored(me, archive, merge)
    expect([refused.state, refused.error?.code]).toEqual(['failed', 'backups.tooManyRows'])
    expect(refused.error?.message).toContain('more than 262144 bytes of definition in rules')
    expect(await rowsOf(me)).toEqual(before)
    expect(await countOfRules(me)).toBe(4)
    await emptied(me)
    expect(await restored(me, archive, merge)).toMatchObject({ state: 'done', error: null })
    expect(await countOfRules(me)).toBe(5)
  })
})
