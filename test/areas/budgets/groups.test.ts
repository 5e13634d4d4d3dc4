import { describe, expect, it } from 'vitest'
import {
  closeBudgetPeriod,
  createBudget,
  getBudget,
  getBudgetByMember,
  listBudgets,
  reopenBudgetPeriod,
  shareBudgetToGroup,
  suggestBudgetLines,
  unshareBudgetFromGroup,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  getBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  listMovements,
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { leaveGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { join, newGroup } from '../groups/groups.ts'
import { book, refusal } from '../transactions/booking.ts'
import { limitRow, MONTHLY, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { bookSeptember, categoryOf, newCouple, shareWith, takeBack } from './household.fixtures.ts'

const SEPTEMBER = '2026-09-01'
type Refused = Parameters<typeof refusal>[0]

const codeOf = (answer: Refused) => refusal(answer).slice(0, 2)

describe('a budget of two members', () => {
  it('has the numbers of the worked table for all of them', async () => {
    const couple = await newCouple()
    await bookSeptember(couple)
    const { ada, ben, viewer, budget, food, household, overall } = couple
    const period = await periodOf(ada, budget, SEPTEMBER)
    const shown = [food, household, overall].map(({ id }) => {
      const row = period.limit?.lines.find(({ lineId }) => lineId === id)
      return [row?.amount, row?.spent, row?.remaining]
    })
    expect(shown).toEqual([
      ['400.00', '109.50', '290.50'],
      ['100.00', '49.99', '50.01'],
      ['600.00', '251.99', '348.01'],
    ])
    expect(period.limit).toMatchObject({ amount: '500.00', spent: '159.49', remaining: '340.51' })
    expect(period.outside).toMatchObject({ uncategorised: '12.50', private: '80.00' })
    for (const as of [ben, viewer]) {
      const other = await call(getBudgetPeriod, {
        as,
        path: { id: budget.id, period: SEPTEMBER },
      })
      expect(JSON.stringify(other.body)).toBe(JSON.stringify(period))
    }
  })

  it('tells what each of them recorded', async () => {
    const couple = await newCouple()
    await bookSeptember(couple)
    const { ada, ben, viewer, budget, food, household } = couple
    for (const as of [ada, ben, viewer]) {
      const told = await ok(getBudgetByMember, {
        as,
        path: { id: budget.id, period: SEPTEMBER },
      })
      const byName = Object.fromEntries(
        told.members.map(({ name, spent, lines }) => [name, [spent, ...lines]]),
      )
      expect(byName).toEqual({
        Ada: ['84.50', ...linesOf('84.50', '0.00')],
        Ben: ['74.99', ...linesOf('25.00', '49.99')],
      })
    }
    await ok(leaveGroup, { as: ben, id: couple.group.id })
    const left = await ok(getBudgetByMember, {
      as: ada,
      path: { id: budget.id, period: SEPTEMBER },
    })
    expect(left.members.map(({ name }) => name).toSorted()).toEqual(['Ada', null])

    function linesOf(ofFood: string, ofHome: string) {
      return [
        { lineId: food.id, spent: ofFood },
        { lineId: household.id, spent: ofHome },
      ]
    }
  })

  it('goes on without the card that Ben takes back, and with it when it returns', async () => {
    const couple = await newCouple()
    await bookSeptember(couple)
    const { ada, ben, card, budget, food, household, group, groceries, essen } = couple
    const before = JSON.stringify(await periodOf(ada, budget, SEPTEMBER))
    await takeBack(ben, card)
    const period = await periodOf(ada, budget, SEPTEMBER)
    const spent = period.limit?.lines.map((row) => [row.lineId, row.spent])
    expect(spent).toContainEqual([food.id, '84.50'])
    expect(spent).toContainEqual([household.id, '49.99'])
    expect(period.outside).toMatchObject({ uncategorised: '0.00', private: '80.00' })
    const shown = await ok(getBudgetLine, { as: ada, path: { id: budget.id, lineId: food.id } })
    expect(shown.scope.ids).toEqual([groceries.id])
    const path = { id: budget.id, lineId: food.id }
    const scope = { kind: 'category' as const, ids: [groceries.id] }
    await ok(updateBudgetLine, { as: ada, path, json: { scope, note: 'x' } })
    await shareWith(ben, card, group.id)
    expect((await ok(getBudgetLine, { as: ada, path })).scope.ids).toEqual(
      [groceries.id, essen.id].toSorted(),
    )
    expect(JSON.stringify(await periodOf(ada, budget, SEPTEMBER))).toBe(before)
  })

  it('counts what is private apart, also for who booked it', async () => {
    const { ada, ben, card, budget, food, essen, overall } = await newCouple()
    await book(ben, card, { date: '2026-09-02', amount: '10', categoryId: essen.id, private: true })
    for (const as of [ada, ben]) {
      expect((await limitRow(as, budget, food, SEPTEMBER)).spent).toBe('0.00')
      expect((await limitRow(as, budget, overall, SEPTEMBER)).spent).toBe('10.00')
      const { members } = await ok(getBudgetByMember, {
        as,
        path: { id: budget.id, period: SEPTEMBER },
      })
      expect(members).toEqual([])
    }
  })

  it('names no account and category that it cannot have any more', async () => {
    const { ada, ben, card, joint, group, essen } = await newCouple()
    const ids = [card.id, joint.id].toSorted()
    const budget = await newBudget(ada, {
      ...{ mode: 'envelope', groupId: group.id, accounts: 'chosen', accountIds: ids },
      cards: [{ accountId: card.id, handling: 'cash' }],
    })
    expect(budget).toMatchObject({
      accountIds: ids,
      cards: [{ accountId: card.id, handling: 'cash' }],
    })
    await takeBack(ben, card)
    const shown = await ok(getBudget, { as: ada, id: budget.id })
    expect(shown).toMatchObject({ accountIds: [joint.id], cards: [] })
    await ok(updateBudget, { as: ada, id: budget.id, json: { note: 'without the card' } })
    const named = { name: 'Food', scope: { kind: 'category' as const, ids: [essen.id] } }
    expect(refusal(await call(createBudgetLine, { as: ada, id: budget.id, json: named }))).toEqual([
      400,
      'budgets.unknownCategory',
      'scope.ids.0',
    ])
    await shareWith(ben, card, group.id)
    expect(await ok(getBudget, { as: ada, id: budget.id })).toMatchObject({ accountIds: ids })
  })

  it('suggests a line for each name of categories that no line has', async () => {
    const { ada, ben, viewer, joint, card, budget, gifts } = await newCouple()
    const theirs = await categoryOf(ben, 'GIFTS ')
    const hidden = await categoryOf(ben, 'Secret')
    const unused = await categoryOf(ben, 'Unused')
    await book(ben, card, { date: '2026-09-02', categoryId: theirs.id })
    await book(ben, card, { date: '2026-09-02', categoryId: hidden.id, private: true })
    await book(ada, joint, { date: '2026-09-02', categoryId: gifts.id })
    const suggested = async (as: typeof ada) =>
      (await ok(suggestBudgetLines, { as, id: budget.id })).lines
    expect(await suggested(ada)).toEqual([{ name: 'Gifts', categoryIds: [gifts.id, theirs.id] }])
    expect(await suggested(ben)).toEqual([
      { name: 'GIFTS', categoryIds: [theirs.id, gifts.id] },
      { name: 'Secret', categoryIds: [hidden.id] },
      { name: 'Unused', categoryIds: [unused.id] },
    ])
    expect(codeOf(await call(suggestBudgetLines, { as: viewer, id: budget.id }))).toEqual([
      403,
      'budgets.groupReadOnly',
    ])
  })
})

describe('a stranger', () => {
  it('finds nothing to move, undo or delete', async () => {
    const { ada, viewer, budget, food, household } = await newCouple()
    const { id } = budget
    const json = { from: food.id, to: household.id, amount: '1' }
    const asked = (as: TestUser) => [
      call(listMovements, { as, id }),
      call(undoMovement, { as, path: { id, movementId: someId('bmv') } }),
      call(moveMoney, { as, path: { id, period: SEPTEMBER }, json }),
      call(deleteBudgetLine, { as, path: { id, lineId: food.id } }),
    ]
    for (const answer of await Promise.all<Refused>(asked(await newUser()))) {
      expect(codeOf(answer)).toEqual([404, 'budgets.notFound'])
    }
    for (const answer of await Promise.all<Refused>(asked(viewer).slice(2))) {
      expect(codeOf(answer)).toEqual([403, 'budgets.groupReadOnly'])
    }
    expect((await ok(listMovements, { as: ada, id })).movements).toEqual([])
  })
})

describe('a budget that changes hands', () => {
  it('goes to a group and back, and its private rows with it', async () => {
    const { ada, ben, viewer, joint, group } = await newCouple()
    const budget = await newBudget(ada, { mode: 'limit' })
    const line = await newLine(ada, budget, 'Presents', { amount: '50' })
    const { categoryId } = line
    await book(ada, joint, { date: '2026-09-02', amount: '5', categoryId, private: true })
    expect((await limitRow(ada, budget, line, SEPTEMBER)).spent).toBe('5.00')
    const given = await ok(shareBudgetToGroup, {
      as: ada,
      id: budget.id,
      json: { groupId: group.id },
    })
    expect(given).toMatchObject({ groupId: group.id, permission: 'manage', version: 2 })
    expect((await limitRow(ben, budget, line, SEPTEMBER)).spent).toBe('0.00')
    expect((await periodOf(viewer, budget, SEPTEMBER)).outside.private).toBe('5.00')
    const again = { as: ada, id: budget.id, json: { groupId: group.id } }
    expect((await ok(shareBudgetToGroup, again)).version).toBe(2)
    const taken = await ok(unshareBudgetFromGroup, { as: ada, id: budget.id })
    expect(taken).toMatchObject({ groupId: null, permission: 'owner', version: 3 })
    expect(codeOf(await call(getBudget, { as: ben, id: budget.id }))).toEqual([
      404,
      'budgets.notFound',
    ])
    expect((await limitRow(ada, budget, line, SEPTEMBER)).spent).toBe('5.00')
    const events = await rows<{ type: string; group_id: string | null }>(
      "SELECT type, group_id FROM log_entries WHERE resource_id = ? AND type GLOB 'budget.*hared*'",
      budget.id,
    )
    expect(events).toEqual([
      { type: 'budget.sharedWithGroup', group_id: group.id },
      { type: 'budget.unsharedFromGroup', group_id: group.id },
    ])
  })

  it('stays where it is while a closed period may count private rows', async () => {
    const { ada, joint, group } = await newCouple()
    const budget = await newBudget(ada, { mode: 'limit', startsOn: SEPTEMBER })
    const { categoryId } = await newLine(ada, budget, 'Presents', { amount: '50' })
    const bookPrivately = (date: string) =>
      book(ada, joint, { date, amount: '5', categoryId, private: true })
    const path = { id: budget.id, period: SEPTEMBER }
    await ok(closeBudgetPeriod, { as: ada, path })
    const share = () =>
      call(shareBudgetToGroup, { as: ada, id: budget.id, json: { groupId: group.id } })
    const take = () => ok(unshareBudgetFromGroup, { as: ada, id: budget.id })
    expect((await share()).status).toBe(200)
    await take()
    await bookPrivately('2026-10-01')
    expect(codeOf(await share())).toEqual([409, 'budgets.closedPrivate'])
    expect((await ok(getBudget, { as: ada, id: budget.id })).groupId).toBeNull()
    await ok(reopenBudgetPeriod, { as: ada, path, json: { reason: 'To share it' } })
    expect((await share()).status).toBe(200)
  })

  it('moves from one group to another, which tells both', async () => {
    const { ada, ben, group, budget } = await newCouple()
    const other = await newGroup(ada, 'Other')
    const moved = await ok(shareBudgetToGroup, {
      as: ada,
      id: budget.id,
      json: { groupId: other.id },
    })
    expect(moved.groupId).toBe(other.id)
    expect((await ok(listBudgets, { as: ben })).budgets).toEqual([])
    const told = await rows<{ type: string; group_id: string }>(
      "SELECT type, group_id FROM log_entries WHERE resource_id = ? AND type GLOB 'budget.*hared*' ORDER BY number",
      budget.id,
    )
    expect(told.map(({ group_id }) => group_id)).toEqual([group.id, other.id])
  })

  it('is refused to who may not manage it, and where it cannot go', async () => {
    const { ada, ben, viewer, group, budget } = await newCouple()
    const id = budget.id
    const share = (as: typeof ada, groupId: string, of = id) =>
      call(shareBudgetToGroup, { as, id: of, json: { groupId } })
    const mine = await newBudget(ben, { mode: 'limit', name: budget.name })
    const stranger = await newUser()
    expect(codeOf(await share(stranger, group.id))).toEqual([404, 'budgets.notFound'])
    expect(codeOf(await share(ben, group.id))).toEqual([403, 'budgets.mayNotManage'])
    expect(codeOf(await share(viewer, group.id))).toEqual([403, 'budgets.groupReadOnly'])
    expect(refusal(await share(ben, 'grp_none', mine.id))).toEqual([
      400,
      'budgets.unknownGroup',
      'groupId',
    ])
    expect(codeOf(await share(ben, group.id, mine.id))).toEqual([409, 'budgets.nameTaken'])
    expect(codeOf(await call(unshareBudgetFromGroup, { as: ben, id }))).toEqual([
      403,
      'budgets.mayNotManage',
    ])
    expect(codeOf(await call(unshareBudgetFromGroup, { as: ben, id: mine.id }))).toEqual([
      409,
      'budgets.notInGroup',
    ])
    const theirs = await newBudget(viewer, { mode: 'limit' })
    expect(codeOf(await share(viewer, group.id, theirs.id))).toEqual([403, 'budgets.groupReadOnly'])
    const stale = { as: ada, id, headers: { 'If-Match': '"0"' } }
    expect((await call(unshareBudgetFromGroup, stale)).status).toBe(412)
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', group.id)
    expect(codeOf(await share(ben, group.id, mine.id))).toEqual([409, 'budgets.groupSuspended'])
    expect(codeOf(await call(unshareBudgetFromGroup, { as: ada, id }))).toEqual([
      409,
      'budgets.groupSuspended',
    ])
    expect((await ok(getBudget, { as: ada, id })).permission).toBe('view')
  })

  it('is refused when there are as many as there may be', async () => {
    const { ada, group } = await newCouple()
    const budget = await newBudget(ada, { mode: 'limit' })
    for (let more = 0; more < 19; more++) {
      await newBudget(ada, { mode: 'limit', groupId: group.id })
    }
    const json = { groupId: group.id }
    expect(codeOf(await call(shareBudgetToGroup, { as: ada, id: budget.id, json }))).toEqual([
      409,
      'budgets.tooMany',
    ])
  })

  it('is lost with the group, and unseen by tokens for some accounts', async () => {
    const { ada, ben, joint, group, budget } = await newCouple()
    const personal = await newBudget(ada, { mode: 'limit' })
    const tokenFor = (accountIds: string[]) => giveToken(ada, ['budgets.read'], accountIds)
    const seen = async (as: Principal) =>
      (await ok(listBudgets, { as })).budgets.map(({ id }) => id)
    const forJoint = await tokenFor([joint.id])
    expect(await seen(forJoint)).toEqual([personal.id])
    const second = await newAccount(ada)
    expect(await seen(forJoint)).toEqual([])
    expect(await seen(await tokenFor([joint.id, second.id]))).toEqual([personal.id])
    await ok(leaveGroup, { as: ben, id: group.id })
    expect(await seen(ben)).toEqual([])
    expect(codeOf(await call(getBudget, { as: ben, id: budget.id }))).toEqual([
      404,
      'budgets.notFound',
    ])
    const late = await join(group.id, ada)
    expect(await seen(late)).toEqual([budget.id])
    const json = { name: 'X', mode: 'limit' as const, period: MONTHLY, groupId: group.id }
    expect(codeOf(await call(createBudget, { as: ben, json }))).toEqual([
      400,
      'budgets.unknownGroup',
    ])
  })
})
