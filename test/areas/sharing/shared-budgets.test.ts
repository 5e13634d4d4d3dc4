import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  copyBudget,
  deleteBudget,
  getBudget,
  getBudgetByMember,
  getBudgetSummary,
  listBudgets,
  listLineTransactions,
  reopenBudgetPeriod,
  shareBudgetToGroup,
  suggestBudgetLines,
  unshareBudgetFromGroup,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  listBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { createBudgetTemplate } from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { createShare, deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { limitRow, newBudget, newLine, periodOf } from '../budgets/budgets.fixtures.ts'
import { join, newGroup } from '../groups/groups.ts'
import { book, change, refusal } from '../transactions/booking.ts'
import { share } from './sharing.ts'

const SEPTEMBER = '2026-09-01'
const DATE = '2026-09-15'

/** A limit on food, of which the owner spent 20.00 openly and 5.00 in private, shared with a viewer and a manager. */
async function world() {
  const [owner, viewer, manager] = [await newUser(), await newUser(), await newUser()]
  const account = await newAccount(owner, { openingDate: '2026-01-01' })
  const budget = await newBudget(owner, { mode: 'limit', policy: 'none' })
  const line = await newLine(owner, budget, 'Food', { amount: '100.00' })
  const { categoryId } = line
  await book(owner, account, { date: DATE, amount: '20.00', categoryId })
  await book(owner, account, { date: DATE, amount: '5.00', categoryId, private: true })
  const give = (friend: typeof viewer, permission: 'view' | 'manage') =>
    share(owner, budget, friend, { resourceType: 'budget', permission })
  return { owner, viewer, manager, account, budget, line, give }
}

async function shared() {
  const made = await world()
  const seen = await made.give(made.viewer, 'view')
  await made.give(made.manager, 'manage')
  return { ...made, shareId: seen.id }
}

const spentIn = async (as: Principal, budget: { id: string }, line: { id: string }) =>
  (await limitRow(as, budget, line, SEPTEMBER)).spent

const rowsOf = (as: Principal, budget: { id: string }, line: { id: string }) =>
  ok(listLineTransactions, {
    as,
    path: { id: budget.id, lineId: line.id },
    query: { period: SEPTEMBER },
  })

/** A budget whose closed January counts a private row on an account of its owner, or on one that a friend shares with them. */
async function closedOverPrivate(on: 'own' | 'theirs') {
  const [owner, friend] = [await newUser(), await newUser()]
  const own = await newAccount(owner, { openingDate: '2026-01-01' })
  const theirs = await newAccount(friend, { openingDate: '2026-01-01' })
  const { id: shareId } = await share(friend, theirs, owner, { permission: 'write' })
  const accountIds = [own.id, theirs.id]
  const limit = { mode: 'limit', policy: 'none', accounts: 'chosen', accountIds } as const
  const budget = await newBudget(owner, limit)
  const row = await book(owner, { own, theirs }[on], { date: '2026-01-31', private: true })
  await ok(closeBudgetPeriod, { as: owner, path: { id: budget.id, period: '2026-01-01' } })
  return { owner, friend, shareId, budget, row }
}

type Closed = Awaited<ReturnType<typeof closedOverPrivate>>

describe('a budget that its owner shares', () => {
  it('lists the budget for each with the permission that they have, and the same figures', async () => {
    const { owner, viewer, manager, budget, line } = await shared()
    for (const [as, permission] of [
      [owner, 'owner'],
      [viewer, 'view'],
      [manager, 'manage'],
    ] as const) {
      const { budgets, count } = await ok(listBudgets, { as })
      expect([budgets.map(({ id }) => id), count]).toEqual([[budget.id], 1])
      expect(budgets).toMatchObject([{ permission, groupId: null }])
      expect(await ok(getBudget, { as, id: budget.id })).toEqual(budgets[0])
      expect(await periodOf(as, budget, SEPTEMBER)).toEqual(
        await periodOf(owner, budget, SEPTEMBER),
      )
      expect((await ok(getBudgetSummary, { as })).budgets.map(({ id }) => id)).toEqual([budget.id])
      const path = { id: budget.id, period: SEPTEMBER }
      expect((await call(getBudgetByMember, { as, path })).status).toBe(200)
      expect((await ok(listBudgetLines, { as, id: budget.id })).lines).toMatchObject([
        { id: line.id, name: 'Food' },
      ])
    }
  })

  it('counts private transactions of the owner only as long as nobody else could see it', async () => {
    const { owner, viewer, budget, line } = await world()
    const figures = async () => {
      const { outside } = await periodOf(owner, budget, SEPTEMBER)
      return [
        await spentIn(owner, budget, line),
        outside.private,
        (await rowsOf(owner, budget, line)).count,
      ]
    }
    expect(await figures()).toEqual(['25.00', '0.00', 2])
    const json = { resourceType: 'budget', resourceId: budget.id, userId: viewer.id } as const
    const { id } = await ok(createShare, { as: owner, json })
    expect(await figures()).toEqual(['20.00', '5.00', 1])
    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', id)
    expect(await figures()).toEqual(['20.00', '5.00', 1])
    await ok(deleteShare, { as: owner, id })
    expect(await figures()).toEqual(['25.00', '0.00', 2])
  })

  it('shows transactions of the accounts alone that the receiver sees', async () => {
    const { owner, viewer, manager, account, budget, line } = await shared()
    const own = await rowsOf(owner, budget, line)
    expect([own.transactions.length, own.count]).toEqual([1, 1])
    for (const as of [viewer, manager]) {
      expect(await rowsOf(as, budget, line)).toMatchObject({ transactions: [], count: 0 })
    }
    const other = await newAccount(owner, { openingDate: '2026-01-01' })
    await book(owner, other, { date: DATE, amount: '3.00', categoryId: line.categoryId })
    await share(owner, account, viewer)
    expect(await rowsOf(viewer, budget, line)).toEqual(own)
    expect(await spentIn(viewer, budget, line)).toBe('23.00')
  })

  it('is changed by whoever manages it, and only read by whoever views it', async () => {
    const { viewer, manager, budget, line } = await shared()
    const { id } = budget
    const path = { id, lineId: line.id, period: SEPTEMBER }
    const changes = (as: Principal) => [
      () => call(updateBudget, { as, id, json: { name: 'Meals' } }),
      () => call(setAllocation, { as, path, json: { amount: '90.00' } }),
      () => call(updateBudgetLine, { as, path: { id, lineId: line.id }, json: { note: 'x' } }),
      () =>
        call(createBudgetLine, {
          as,
          id,
          json: { name: 'All', scope: { kind: 'everything' }, amount: '1.00' },
        }),
      () =>
        call(createBudgetTemplate, {
          as,
          id,
          json: { name: 'T', items: [{ lineId: line.id, amount: '1.00' }] },
        }),
      () => call(suggestBudgetLines, { as, id }),
      () => call(closeBudgetPeriod, { as, path: { id, period: '2026-01-01' } }),
      () =>
        call(reopenBudgetPeriod, {
          as,
          path: { id, period: '2026-01-01' },
          json: { reason: 'x' },
        }),
    ]
    for (const change of changes(viewer)) {
      expect(refusal(await change()).slice(0, 2)).toEqual([403, 'budgets.groupReadOnly'])
    }
    for (const change of changes(manager)) {
      const { status, text } = await change()
      expect(status, text).toBeLessThan(300)
    }
    expect(await ok(getBudget, { as: viewer, id })).toMatchObject({ name: 'Meals' })
  })

  it('is deleted, given to a group and told its accounts by the owner alone', async () => {
    const { owner, viewer, manager, account, budget } = await shared()
    const { id } = budget
    const group = await newGroup(manager)
    await join(group.id, manager, 'member', owner)
    const acts = (as: Principal) => [
      () => call(deleteBudget, { as, id }),
      () => call(shareBudgetToGroup, { as, id, json: { groupId: group.id } }),
      () => call(unshareBudgetFromGroup, { as, id }),
      () => call(updateBudget, { as, id, json: { accounts: 'onBudget' } }),
      () => call(updateBudget, { as, id, json: { accounts: 'chosen', accountIds: [account.id] } }),
    ]
    for (const act of acts(viewer)) {
      expect((await act()).status).toBe(403)
    }
    for (const act of acts(manager)) {
      expect(refusal(await act()).slice(0, 2)).toEqual([403, 'budgets.mayNotManage'])
    }
    const given = await call(shareBudgetToGroup, { as: owner, id, json: { groupId: group.id } })
    expect(refusal(given)).toEqual([409, 'budgets.stillShared'])
    await rows('DELETE FROM shares WHERE budget_id = ?', id)
    await ok(shareBudgetToGroup, { as: owner, id, json: { groupId: group.id } })
    const json = { resourceType: 'budget', resourceId: id, userId: viewer.id } as const
    expect(refusal(await call(createShare, { as: owner, json }))).toEqual([
      403,
      'sharing.ownerOnly',
    ])
  })

  it('is not changed any more by whoever loses the right meanwhile', async () => {
    const { owner, manager, budget } = await shared()
    const change = (meanwhile: () => Promise<unknown>) =>
      serviceWith({ meanwhile }).call(updateBudget, {
        as: manager,
        id: budget.id,
        json: { note: 'x' },
      })
    const sql = 'shares SET permission = ? WHERE grantee_user_id = ?'
    const lowered = await change(() => rows(`UPDATE ${sql}`, 'view', manager.id))
    expect(refusal(lowered)).toEqual([403, 'budgets.groupReadOnly'])
    await rows(`UPDATE ${sql}`, 'manage', manager.id)
    const ended = await change(() =>
      rows('DELETE FROM shares WHERE grantee_user_id = ?', manager.id),
    )
    expect(refusal(ended)).toEqual([404, 'budgets.notFound'])
    expect(await ok(getBudget, { as: owner, id: budget.id })).toMatchObject({ note: null })
  })

  it('names no category to a manager that they do not see', async () => {
    const { owner, manager, account, budget } = await shared()
    const rent = await ok(createCategory, { as: owner, json: { name: 'Rent', kind: 'expense' } })
    await book(owner, account, { date: DATE, amount: '1.00', categoryId: rent.id })
    const name = (id: string) =>
      call(createBudgetLine, {
        as: manager,
        id: budget.id,
        json: { name: 'Rent', scope: { kind: 'category', ids: [id] }, amount: '1.00' },
      })
    const unseen = refusal(await name(rent.id))
    expect(unseen).toEqual(refusal(await name(someId('cat'))))
    expect(unseen.slice(0, 2)).toEqual([400, 'budgets.unknownCategory'])
    expect((await ok(suggestBudgetLines, { as: manager, id: budget.id })).lines).toEqual([])
    await share(owner, account, manager)
    expect((await ok(suggestBudgetLines, { as: manager, id: budget.id })).lines).toMatchObject([
      { name: 'Rent' },
    ])
    expect((await name(rent.id)).status).toBe(201)
  })

  it('is copied by a receiver without what they do not see', async () => {
    const { viewer, budget } = await shared()
    const copy = await ok(copyBudget, { as: viewer, id: budget.id, json: { name: 'Mine' } })
    expect(copy).toMatchObject({ permission: 'owner', accountIds: [] })
    expect((await ok(listBudgetLines, { as: viewer, id: copy.id })).lines).toMatchObject([
      { name: 'Food', scope: { kind: 'category', ids: [] } },
    ])
  })

  it('is not shared while closed periods count private transactions', async () => {
    const { owner, viewer, account, budget, line } = await world()
    const json = { resourceType: 'budget', resourceId: budget.id, userId: viewer.id } as const
    const give = () => call(createShare, { as: owner, json })
    const close = { as: owner, path: { id: budget.id, period: '2026-01-01' } }
    const { categoryId } = line
    await book(owner, account, { date: '2026-01-31', amount: '1.00', categoryId, private: true })
    await ok(closeBudgetPeriod, close)
    expect(refusal(await give())).toEqual([409, 'sharing.closedPrivate'])
    await ok(reopenBudgetPeriod, { ...close, json: { reason: 'x' } })
    expect((await give()).status).toBe(201)
    await ok(closeBudgetPeriod, close)
    const other = await newUser()
    await share(owner, budget, other, { resourceType: 'budget' })
    expect(await ok(getBudget, { as: other, id: budget.id })).toMatchObject({ permission: 'view' })
  })

  it.each([
    [
      'was moved to a later month',
      'own',
      ({ owner, row }: Closed) => change(owner, row, { date: '2026-11-15' }),
    ],
    [
      'is in the trash',
      'own',
      ({ owner, row }: Closed) => call(deleteTransaction, { as: owner, id: row.id }),
    ],
    [
      'is on an account that is not shared any more',
      'theirs',
      ({ friend, shareId }: Closed) => call(deleteShare, { as: friend, id: shareId }),
    ],
  ] as const)(
    'goes to nobody once closed periods counted a private row that %s',
    async (_, on, hide) => {
      const made = await closedOverPrivate(on)
      const { owner, friend, budget } = made
      expect((await hide(made)).status).toBeLessThan(300)
      const json = { resourceType: 'budget', resourceId: budget.id, userId: friend.id } as const
      expect(refusal(await call(createShare, { as: owner, json }))).toEqual([
        409,
        'sharing.closedPrivate',
      ])
      const { id: groupId } = await newGroup(owner)
      const given = await call(shareBudgetToGroup, { as: owner, id: budget.id, json: { groupId } })
      expect(refusal(given)).toEqual([409, 'budgets.closedPrivate'])
    },
  )

  it('is shared before a period is closed, or after it, and not in between', async () => {
    const { owner, viewer, budget } = await world()
    // However long ago the request began that shares it.
    const json = { resourceType: 'budget', resourceId: budget.id, userId: viewer.id } as const
    const service = serviceWith({
      meanwhile: () => serviceWith({ ahead: -200 }).call(createShare, { as: owner, json }),
    })
    const path = { id: budget.id, period: '2026-01-01' }
    const closed = await service.call(closeBudgetPeriod, { as: owner, path })
    expect(refusal(closed)).toEqual([409, 'request.conflict'])
    expect((await call(closeBudgetPeriod, { as: owner, path })).status).toBe(200)
  })
})
