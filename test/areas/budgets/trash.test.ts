import { describe, expect, it } from 'vitest'
import { emptyTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  deleteBudget,
  getBudget,
  listBudgets,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  deleteGroup,
  deleteAnyGroup,
  transferGroupOwner,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { newHousehold } from '../groups/groups.ts'
import { refusal } from '../transactions/booking.ts'
import { bringBack, DAY, erase, idsIn, purgeNow, trashOf } from '../trash/trashing.ts'
import { shareWith } from './household.fixtures.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const codeOf = (answer: Parameters<typeof refusal>[0]) => refusal(answer).slice(0, 2)
const drop = (as: TestUser, { id }: { id: string }) => ok(deleteBudget, { as, id })

/** How many rows of all tables belong to a budget. */
async function rowsOf({ id }: { id: string }): Promise<number> {
  const tables = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%`budget_id` text%'",
  )
  expect(tables.length).toBeGreaterThan(9)
  const counts = await Promise.all(
    tables.map(({ name }) =>
      rows<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE budget_id = ?`, id),
    ),
  )
  const [own] = await rows<{ n: number }>('SELECT count(*) AS n FROM budgets WHERE id = ?', id)
  return counts.flat().reduce((total, { n }) => total + n, own?.n ?? 0)
}

describe('a deleted budget', () => {
  it('is in the trash, and comes back with all that was decided about it', async () => {
    const me = await newUser()
    await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Food')
    const path = { id: budget.id, period: '2026-01-01', lineId: line.id }
    await ok(setAllocation, { as: me, path, json: { assigned: '30' } })
    const before = await periodOf(me, budget, '2026-01-01')
    const answer = await drop(me, budget)
    expect(answer.trash).toMatchObject({
      kind: 'budget',
      id: budget.id,
      restore: `/trash/budget/${budget.id}/restore`,
    })
    expect(codeOf(await call(getBudget, { as: me, id: budget.id }))).toEqual([
      404,
      'budgets.notFound',
    ])
    expect(codeOf(await call(deleteBudget, { as: me, id: budget.id }))).toEqual([
      404,
      'budgets.notFound',
    ])
    const { items, count } = await trashOf(me, { kind: 'budget' })
    expect(count).toBe(1)
    expect(items[0]).toMatchObject({ name: budget.name, accountId: null, amount: null, version: 2 })
    expect((await bringBack(me, 'budget', budget.id)).status).toBe(200)
    expect(await idsIn(me)).toEqual([])
    expect(await ok(getBudget, { as: me, id: budget.id })).toMatchObject({ version: 3 })
    expect(await periodOf(me, budget, '2026-01-01')).toEqual(before)
    expect((await envelopeRow(me, budget, line, '2026-01-01')).assigned).toBe('30.00')
    expect(codeOf(await bringBack(me, 'budget', budget.id))).toEqual([404, 'trash.notFound'])
    const events = await rows<{ type: string }>(
      "SELECT type FROM log_entries WHERE resource_id = ? AND type IN ('budget.deleted', 'budget.restored') ORDER BY number",
      budget.id,
    )
    expect(events.map(({ type }) => type)).toEqual(['budget.deleted', 'budget.restored'])
  })

  it('does not come back while another one has its name, or there are too many', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit', name: 'Home' })
    await drop(me, budget)
    const other = await newBudget(me, { mode: 'limit', name: 'HOME' })
    expect(codeOf(await bringBack(me, 'budget', budget.id))).toEqual([409, 'trash.nameTaken'])
    await ok(updateBudget, { as: me, id: other.id, json: { name: 'Other' } })
    for (let more = 1; more < 50; more++) {
      await newBudget(me, { mode: 'limit' })
    }
    expect(codeOf(await bringBack(me, 'budget', budget.id))).toEqual([409, 'budgets.tooMany'])
    await drop(me, other)
    expect((await bringBack(me, 'budget', budget.id)).status).toBe(200)
  })

  it('is erased with all of it: by hand, by emptying the trash, and after 30 days', async () => {
    const me = await newUser()
    const others = await newBudget(me, { mode: 'limit' })
    const gone: { id: string }[] = []
    for (let at = 0; at < 13; at++) {
      const budget = await newBudget(me, { mode: 'limit' })
      await newLine(me, budget, `Line ${at}`, { amount: '5' })
      await drop(me, budget)
      gone.push(budget)
    }
    const [first, second] = gone
    expect((await erase(me, 'budget', first?.id ?? '')).status).toBe(200)
    expect(codeOf(await erase(me, 'budget', first?.id ?? ''))).toEqual([404, 'trash.notFound'])
    await purgeNow()
    expect((await idsIn(me)).length).toBe(12)
    await rows('UPDATE budgets SET deleted_at = ? WHERE id = ?', Date.now() - 31 * DAY, second?.id)
    await purgeNow()
    expect((await idsIn(me)).length).toBe(11)
    const answer = await call(emptyTrash, { as: me })
    expect(answer.status).toBe(202)
    expect(await rowsOf(second ?? others)).toBe(0)
    expect(await rowsOf(others)).toBeGreaterThan(0)
  })

  it('is hidden in the trash from tokens for other accounts', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const budget = await newBudget(me, { mode: 'limit', accounts: 'chosen', accountIds: [one.id] })
    await drop(me, budget)
    const other = await giveToken(me, ['trash.read'], [two.id])
    const own = await giveToken(me, ['trash.read'], [one.id])
    expect(await idsIn(other)).toEqual([])
    expect(await idsIn(own)).toEqual([budget.id])
  })
})

describe("a group's budget", () => {
  it('goes to the trash of the owner of the group, whoever deletes it', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    const budget = await newBudget(member, { mode: 'limit', groupId: id })
    const other = await newBudget(owner, { mode: 'limit', groupId: id })
    for (const [as, expected] of [
      [viewer, 'budgets.groupReadOnly'],
      [member, 'budgets.mayNotManage'],
    ] as const) {
      const refused = await call(deleteBudget, { as, id: other.id })
      expect(codeOf(refused)).toEqual([403, expected])
    }
    expect(codeOf(await call(deleteBudget, { as: await newUser(), id: other.id }))).toEqual([
      404,
      'budgets.notFound',
    ])
    expect((await drop(member, budget)).trash).toBeNull()
    expect((await drop(owner, other)).trash).not.toBeNull()
    for (const as of [admin, member, viewer]) {
      expect(await idsIn(as)).toEqual([])
      expect(codeOf(await bringBack(as, 'budget', budget.id))).toEqual([404, 'trash.notFound'])
    }
    expect((await idsIn(owner)).toSorted()).toEqual([budget.id, other.id].toSorted())
    await ok(transferGroupOwner, { as: owner, id, json: { userId: admin.id } })
    expect(await idsIn(owner)).toEqual([])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    expect(codeOf(await bringBack(admin, 'budget', budget.id))).toEqual([
      409,
      'budgets.groupSuspended',
    ])
    expect(codeOf(await call(deleteBudget, { as: admin, id: other.id }))[0]).toBe(404)
    await rows('UPDATE groups SET suspended_at = NULL WHERE id = ?', id)
    expect((await bringBack(admin, 'budget', budget.id)).status).toBe(200)
    expect(await ok(getBudget, { as: member, id: budget.id })).toMatchObject({
      groupId: id,
      permission: 'manage',
    })
  })

  it('is read-only while the group is suspended', async () => {
    const { id, owner } = await newHousehold()
    const budget = await newBudget(owner, { mode: 'limit', groupId: id })
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    expect(codeOf(await call(deleteBudget, { as: owner, id: budget.id }))).toEqual([
      409,
      'budgets.groupSuspended',
    ])
    expect((await ok(getBudget, { as: owner, id: budget.id })).permission).toBe('view')
  })

  it.each(['by its owner', 'by an administrator of the service'])(
    'is in the trash of its owner when the group is deleted %s',
    async (by) => {
      const { id, owner, member } = await newHousehold()
      const budget = await newBudget(member, { mode: 'limit', groupId: id, name: 'Home' })
      const deleted = await newBudget(owner, { mode: 'limit', groupId: id })
      await drop(owner, deleted)
      await newBudget(owner, { mode: 'limit', name: 'Home' })
      await (by === 'by its owner'
        ? ok(deleteGroup, { as: owner, id })
        : ok(deleteAnyGroup, { as: await newAdmin(), id }))
      expect(await idsIn(member)).toEqual([])
      expect((await idsIn(owner)).toSorted()).toEqual([budget.id, deleted.id].toSorted())
      expect(codeOf(await bringBack(owner, 'budget', budget.id))).toEqual([409, 'trash.nameTaken'])
      expect((await bringBack(owner, 'budget', deleted.id)).status).toBe(200)
      const restored = await ok(getBudget, { as: owner, id: deleted.id })
      expect(restored).toMatchObject({ groupId: null, permission: 'owner' })
    },
  )

  it('stays with the group when its owner is erased, and goes with the last member', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    await shareWith(owner, await newAccount(owner), id)
    const budget = await newBudget(owner, { mode: 'limit', groupId: id })
    await newLine(owner, budget, 'Food', { amount: '5' })
    const personal = await newBudget(owner, { mode: 'limit' })
    const eraseUser = async ({ id: userId }: TestUser) => {
      await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", userId)
      await eraseUserJob.run(contextWith(), { userId }, [])
    }
    await eraseUser(owner)
    expect(await rowsOf(personal)).toBe(0)
    expect((await ok(listBudgets, { as: admin })).budgets).toMatchObject([
      { id: budget.id, permission: 'manage' },
    ])
    await eraseUser(admin)
    await eraseUser(member)
    expect(await rowsOf(budget)).toBeGreaterThan(0)
    await eraseUser(viewer)
    expect(await rowsOf(budget)).toBe(0)
    expect(await rows('SELECT id FROM groups WHERE id = ?', id)).toEqual([])
  })
})
