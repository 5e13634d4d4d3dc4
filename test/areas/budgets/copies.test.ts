import { describe, expect, it } from 'vitest'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { copyBudget, getBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  listBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { listMovements } from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { setLineTarget } from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { newCouple } from './household.fixtures.ts'

const PERIOD = '2026-03-01'

const linesOf = async (as: Principal, { id }: { id: string }) =>
  (await ok(listBudgetLines, { as, id })).lines

describe('a copy', () => {
  it('has the lines with their targets, policies and thresholds', async () => {
    const me = await newUser()
    const account = await newAccount(me, {
      ...{ currency: 'EUR', openingBalance: '100.00', openingDate: '2026-01-01' },
    })
    const card = await newAccount(me, { type: 'creditCard', currency: 'EUR' })
    const budget = await newBudget(me, {
      ...{ mode: 'envelope', strict: true, policy: 'both', thresholds: [90], note: 'Ours' },
      ...{ accounts: 'chosen', accountIds: [account.id, card.id] },
      cards: [{ accountId: card.id, handling: 'payment' }],
    })
    const home = await newLine(me, budget, 'Home', { order: 0, note: 'All of it' })
    const food = await newLine(me, budget, 'Food', {
      ...{ order: 1, policy: 'none', thresholds: [80], parentLineId: home.id, color: '#2e7d32' },
    })
    const [, , payment] = await linesOf(me, budget)
    for (const line of [food, { id: payment?.id ?? '' }]) {
      await ok(setLineTarget, {
        as: me,
        path: { id: budget.id, lineId: line.id },
        json: { type: 'amount', amount: '40', snoozedIn: PERIOD },
      })
    }
    const assigned = { id: budget.id, period: PERIOD, lineId: food.id }
    await ok(setAllocation, { as: me, path: assigned, json: { assigned: '30' } })

    const copy = await ok(copyBudget, {
      as: me,
      id: budget.id,
      json: { name: 'Copy', startsOn: '2026-06-15' },
    })
    expect(copy.id).not.toBe(budget.id)
    expect(copy).toEqual({
      ...(await ok(getBudget, { as: me, id: budget.id })),
      ...{ id: copy.id, name: 'Copy', startsOn: '2026-06-15', version: 1 },
      ...{ createdAt: copy.createdAt, updatedAt: copy.updatedAt },
    })
    expect(await ok(getBudget, { as: me, id: copy.id })).toEqual(copy)
    const [before, after] = [await linesOf(me, budget), await linesOf(me, copy)]
    const look = (lines: typeof before) =>
      lines.map((line) => ({
        ...line,
        ...{ id: '', version: 1, createdAt: '', updatedAt: '' },
        parentLineId: lines.find((one) => one.id === line.parentLineId)?.name ?? null,
        target: line.target && { ...line.target, snoozedIn: null },
      }))
    expect(look(after)).toEqual(look(before))
    expect(after.map((line) => line.id)).not.toEqual(before.map((line) => line.id))
    const june = await periodOf(me, copy, '2026-06-01')
    expect(june.envelope).toMatchObject({ assigned: '0.00', toBeBudgeted: '100.00' })

    const full = await ok(copyBudget, {
      as: me,
      id: budget.id,
      json: { name: 'With amounts', startsOn: '2026-06-15', amountsOf: PERIOD },
    })
    const copied = (await linesOf(me, full)).find((line) => line.name === 'Food')
    const row = await envelopeRow(me, full, { id: copied?.id ?? '' }, '2026-06-01')
    expect(row).toMatchObject({ assigned: '30.00', needed: '10.00' })
    const { movements } = await ok(listMovements, { as: me, id: full.id })
    expect(movements).toMatchObject([
      { period: '2026-06-01', from: 'pool', to: copied?.id, amount: '30.00', kind: 'assign' },
    ])
  })

  it('of limits has the limits, and those of one period where that is asked for', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const food = await newLine(me, budget, 'Food', { amount: '40', cap: '5' })
    const assigned = { id: budget.id, period: PERIOD, lineId: food.id }
    await ok(setAllocation, { as: me, path: assigned, json: { amount: '70' } })
    const copy = await ok(copyBudget, {
      as: me,
      id: budget.id,
      json: { name: 'Copy', startsOn: '2026-06-15', amountsOf: PERIOD },
    })
    const [line] = await linesOf(me, copy)
    expect(line).toMatchObject({ name: 'Food', amount: '40.00', cap: '5.00' })
    const amount = async (period: string) =>
      (await limitRow(me, copy, { id: line?.id ?? '' }, period)).amount
    expect([await amount('2026-06-01'), await amount('2026-07-01')]).toEqual(['70.00', '40.00'])
    await ok(updateBudgetLine, {
      as: me,
      path: { id: copy.id, lineId: line?.id ?? '' },
      json: { name: 'Eating' },
    })
    expect((await linesOf(me, budget)).map(({ name }) => name)).toEqual(['Food'])
  })

  it.each(['keep', 'before', 'after'] as const)(
    'takes two trips, and the amounts of the current period where that is yet to come, weekend %s',
    async (weekend) => {
      const me = await newUser()
      // It begins on a Sunday.
      const startsOn = '2034-01-01'
      const period = { unit: 'year', count: 2, anchor: startsOn, weekend } as const
      const budget = await newBudget(me, { mode: 'limit', period, startsOn: '2034-02-01' })
      const food = await newLine(me, budget, 'Food', { amount: '40' })
      const path = { id: budget.id, period: 'current', lineId: food.id }
      await ok(setAllocation, { as: me, path, json: { amount: '70' } })
      for (const amountsOf of ['current', startsOn]) {
        const json = { name: `Of ${amountsOf}`, startsOn: '2036-06-15', amountsOf }
        const copied = await call(copyBudget, { as: me, id: budget.id, json })
        expect([copied.status, tripsOf(copied)]).toEqual([201, 2])
        const [line] = await linesOf(me, copied.body)
        const row = await limitRow(me, copied.body, { id: line?.id ?? '' }, 'current')
        expect(row.amount).toBe('70.00')
      }
    },
  )

  it('names only what its owner or group may have', async () => {
    const { ada, ben, viewer, group, budget, food, essen, groceries } = await newCouple()
    const foodOf = async (as: Principal, copy: { id: string }) =>
      (await linesOf(as, copy)).find(({ name }) => name === food.name)?.scope.ids
    const mine = await ok(copyBudget, { as: ben, id: budget.id, json: { name: 'Mine' } })
    expect(mine).toMatchObject({ groupId: null, permission: 'owner' })
    const everything = [groceries.id, essen.id].toSorted()
    const own = await newBudget(ada, { mode: 'limit' })
    await newLine(ada, own, 'Own')
    expect(await foodOf(ben, mine)).toEqual([essen.id])
    const again = await ok(copyBudget, {
      as: ben,
      id: budget.id,
      json: { name: 'Ours again', groupId: group.id },
    })
    expect(again).toMatchObject({ groupId: group.id, permission: 'manage' })
    expect(await foodOf(ada, again)).toEqual(everything)
    const shared = await ok(copyBudget, {
      as: ada,
      id: own.id,
      json: { name: 'Own to share', groupId: group.id },
    })
    expect((await linesOf(ben, shared)).map(({ scope }) => scope.ids.length)).toEqual([1])

    const copied = await ok(copyBudget, { as: viewer, id: budget.id, json: { name: 'View' } })
    expect(await foodOf(viewer, copied)).toEqual([])
    const refused = await call(copyBudget, {
      as: viewer,
      id: budget.id,
      json: { name: 'View', groupId: group.id },
    })
    expect(refusal(refused)).toEqual([403, 'budgets.groupReadOnly'])
  })

  it('is refused a name that is taken, unknown groups and periods, and to others', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope', name: 'Café' })
    const copied = (json: object, as: Principal = me) =>
      call(copyBudget, { as, id: budget.id, json: { name: 'Copy', ...json } })
    expect(refusal(await copied({ name: 'CAFÉ' }))).toEqual([409, 'budgets.nameTaken', 'name'])
    expect(refusal(await copied({ groupId: 'grp_none' }))).toEqual([
      ...[400, 'budgets.unknownGroup', 'groupId'],
    ])
    for (const amountsOf of ['2026-03-02', 'soon']) {
      expect(refusal(await copied({ amountsOf }))).toEqual([
        ...[400, 'budgets.unknownPeriod', 'amountsOf'],
      ])
    }
    expect(refusal(await copied({}, await newUser()))).toEqual([404, 'budgets.notFound'])
  })

  it('is refused beyond the most budgets', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    for (let number = 2; number <= 50; number += 1) {
      await ok(copyBudget, { as: me, id: budget.id, json: { name: `Copy ${number}` } })
    }
    const refused = await call(copyBudget, { as: me, id: budget.id, json: { name: 'One more' } })
    expect(refusal(refused)).toEqual([409, 'budgets.tooMany'])
  })
})
