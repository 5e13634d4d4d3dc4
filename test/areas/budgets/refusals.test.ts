import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createBudget,
  getBudget,
  getBudgetSummary,
  listBudgets,
  previewBudgetPeriods,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  getBudgetLine,
  reorderBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  getBudgetPeriod,
  listBudgetPeriods,
  updateBudgetPeriod,
} from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { assignTo, MONTHLY, newBudget, newLine } from './budgets.fixtures.ts'

const json = { name: 'Plan', mode: 'envelope', period: MONTHLY, startsOn: '2026-01-01' } as const

describe('a budget', () => {
  it.each([
    [
      { period: { ...MONTHLY, unit: 'week', weekend: 'before' } },
      'budgets.invalidPeriod',
      'period.weekend',
    ],
    [{ accounts: 'chosen', accountIds: ['acc_none'] }, 'budgets.unknownAccount', 'accountIds.0'],
    [
      { cards: [{ accountId: 'acc_none', handling: 'cash' }] },
      'budgets.unknownAccount',
      'cards.0.accountId',
    ],
    [{ incomeInNextPeriod: ['cat_none'] }, 'budgets.unknownIncomeCategory', 'incomeInNextPeriod.0'],
    [{ groupId: 'grp_none' }, 'budgets.unknownGroup', 'groupId'],
  ] as const)('is refused with %j', async (wanted, code, field) => {
    const me = await newUser()
    const refused = await call(createBudget, { as: me, json: { ...json, ...wanted } as never })
    expect(refusal(refused)).toEqual([400, code, field])
    expect((await ok(listBudgets, { as: me })).count).toBe(0)
  })

  it.each([
    ['envelope', { countTransfers: true }, 'countTransfers'],
    ['limit', { strict: true }, 'strict'],
    ['limit', { incomeInNextPeriod: ['cat_none'] }, 'incomeInNextPeriod'],
    ['limit', { cards: [{ accountId: 'acc_none', handling: 'cash' }] }, 'cards'],
  ] as const)('of mode %s is refused with %j', async (mode, wanted, field) => {
    const me = await newUser()
    const refused = await call(createBudget, {
      as: me,
      json: { ...json, mode, ...wanted } as never,
    })
    expect(refusal(refused)).toEqual([409, 'budgets.wrongMode', field])
  })

  it('has a name of its own', async () => {
    const me = await newUser()
    const first = await newBudget(me, { mode: 'limit', name: 'Café' })
    expect(refusal(await call(createBudget, { as: me, json: { ...json, name: 'CAFÉ' } }))).toEqual([
      409,
      'budgets.nameTaken',
      'name',
    ])
    const second = await newBudget(me, { mode: 'limit', name: 'Other' })
    const renamed = await call(updateBudget, { as: me, id: second.id, json: { name: 'café' } })
    expect(refusal(renamed)).toEqual([409, 'budgets.nameTaken', 'name'])
    expect(await ok(getBudget, { as: me, id: first.id })).toEqual(first)
  })

  it('keeps its mode, and its currency and periods once an amount is set', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    await newLine(me, budget, 'Food', { amount: '100' })
    for (const [change, field] of [
      [{ mode: 'envelope' }, 'mode'],
      [{ currency: 'USD' }, 'currency'],
      [{ period: { ...MONTHLY, count: 2 } }, 'period'],
    ] as const) {
      const refused = await call(updateBudget, { as: me, id: budget.id, json: change })
      expect(refusal(refused)).toEqual([409, 'budgets.fixed', field])
    }
  })

  it('is there for its owner alone', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const budget = await newBudget(me, { mode: 'limit' })
    const line = await newLine(me, budget, 'Food', { amount: '1' })
    const path = { id: budget.id, lineId: line.id, period: 'current' }
    for (const route of [getBudget, getBudgetLine, getBudgetPeriod, listBudgetPeriods] as const) {
      const refused = await call(route as typeof getBudget, { as: other, path } as never)
      expect(refusal(refused).slice(0, 2)).toEqual([404, 'budgets.notFound'])
    }
    const update = { as: other, path, json: { note: 'x' } }
    expect(refusal(await call(updateBudgetPeriod, update)).slice(0, 2)).toEqual([
      404,
      'budgets.notFound',
    ])
    expect((await ok(listBudgets, { as: other })).budgets).toEqual([])
  })

  it('of a group is seen by its members and changed by all but viewers', async () => {
    const [owner, viewer, stranger] = [await newUser(), await newUser(), await newUser()]
    const group = await ok(createGroup, { as: owner, json: { name: 'Home', kind: 'household' } })
    await rows("INSERT INTO group_members VALUES (?, ?, 'viewer', 0, 1)", group.id, viewer.id)
    const budget = await newBudget(owner, { mode: 'limit', groupId: group.id })
    expect(budget).toMatchObject({ groupId: group.id, permission: 'manage' })
    expect(await ok(getBudget, { as: viewer, id: budget.id })).toEqual({
      ...budget,
      permission: 'view',
    })
    const change = { id: budget.id, json: { note: 'x' } }
    expect(refusal(await call(updateBudget, { as: viewer, ...change })).slice(0, 2)).toEqual([
      403,
      'budgets.groupReadOnly',
    ])
    expect(refusal(await call(getBudget, { as: stranger, id: budget.id })).slice(0, 2)).toEqual([
      404,
      'budgets.notFound',
    ])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', group.id)
    expect(refusal(await call(updateBudget, { as: owner, ...change })).slice(0, 2)).toEqual([
      409,
      'budgets.groupSuspended',
    ])
  })

  it('keeps its currency where an amount is set while it is changed', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Food')
    const { call: callMeanwhile } = serviceWith({
      meanwhile: () => assignTo(me, budget, line, '2026-01-01', '5'),
    })
    const refused = await callMeanwhile(updateBudget, {
      ...{ as: me, id: budget.id, json: { currency: 'USD' } },
    })
    expect(refusal(refused).slice(0, 2)).toEqual([409, 'budgets.changedMeanwhile'])
    const found = await ok(getBudget, { as: me, id: budget.id })
    expect([found.currency, found.version]).toEqual(['EUR', 1])
  })
})

describe('a line', () => {
  it('is refused where it cannot count what it names', async () => {
    const me = await newUser()
    const [envelopes, limits] = [
      await newBudget(me, { mode: 'envelope' }),
      await newBudget(me, { mode: 'limit' }),
    ]
    const salary = await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } })
    const scoped = (kind: string, ids: string[]) => ({ name: 'X', scope: { kind, ids } }) as never
    for (const [id, body, expected] of [
      [
        envelopes.id,
        scoped('category', [salary.id]),
        [400, 'budgets.unknownCategory', 'scope.ids.0'],
      ],
      [envelopes.id, scoped('tag', ['tag_none']), [400, 'budgets.unknownScope', 'scope.kind']],
      [limits.id, scoped('account', ['acc_none']), [400, 'budgets.unknownAccount', 'scope.ids.0']],
      [limits.id, scoped('payee', ['pay_none']), [400, 'budgets.unknownScope', 'scope.ids.0']],
      [limits.id, scoped('everything', ['cat_none']), [400, 'budgets.unknownScope', 'scope.ids']],
      [someId('bud'), scoped('everything', []), [404, 'budgets.notFound']],
    ] as const) {
      expect(refusal(await call(createBudgetLine, { as: me, id, json: body }))).toEqual(expected)
    }
  })

  it('has a name and, in an envelope budget, categories of its own', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const scope = { kind: 'category' as const, ids: [food.categoryId] }
    const create = (name: string, wanted = {}) =>
      call(createBudgetLine, { as: me, id: budget.id, json: { name, scope, ...wanted } })
    expect(refusal(await create('Other'))).toEqual([409, 'budgets.categoryTaken', 'scope.ids.0'])
    const other = await newLine(me, budget, 'Other')
    const rename = { as: me, path: { id: budget.id, lineId: other.id }, json: { name: 'FOOD' } }
    expect(refusal(await call(updateBudgetLine, rename))).toEqual([
      409,
      'budgets.lineNameTaken',
      'name',
    ])
    expect(refusal(await create('Cap', { cap: '1' }))).toEqual([409, 'budgets.wrongMode', 'cap'])
    const update = (sent: object, lineId = other.id) =>
      call(updateBudgetLine, { as: me, path: { id: budget.id, lineId }, json: sent })
    expect(refusal(await update({ parentLineId: other.id }))).toEqual([
      400,
      'budgets.unknownParent',
      'parentLineId',
    ])
    expect(refusal(await update({ note: 'x' }, someId('bln')))).toEqual([
      404,
      'budgets.lineNotFound',
    ])
    for (const from of ['2026-01-02', '2025-12-01', '2199-01-01']) {
      const refused = await update({ policy: 'both', from })
      expect(refusal(refused)).toEqual([400, 'budgets.unknownPeriod', 'from'])
    }
    const reorder = { as: me, id: budget.id, json: { lineIds: ['bln_none'] } }
    expect(refusal(await call(reorderBudgetLines, reorder))).toEqual([
      400,
      'budgets.unknownLine',
      'lineIds.0',
    ])
  })

  it('is nested five levels deep at most', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    let parent: string | null = null
    for (const name of ['1', '2', '3', '4', '5']) {
      const line: { id: string } = await newLine(me, budget, name, { parentLineId: parent })
      parent = line.id
    }
    const scope = { kind: 'everything' } as const
    const sixth = { name: '6', scope, parentLineId: parent }
    expect(refusal(await call(createBudgetLine, { as: me, id: budget.id, json: sixth }))).toEqual([
      400,
      'budgets.tooDeep',
      'parentLineId',
    ])
  })

  it('of a card is renamed, scoped and given a policy by nobody', async () => {
    const me = await newUser()
    const card = await newAccount(me, { type: 'creditCard', currency: 'EUR', name: 'Visa' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const { envelope } = await ok(getBudgetPeriod, {
      as: me,
      path: { id: budget.id, period: 'current' },
    })
    const [payment] = envelope?.lines ?? []
    expect(payment).toMatchObject({ kind: 'cardPayment', name: card.name })
    const path = { id: budget.id, lineId: payment?.lineId ?? '' }
    const renamed = await call(updateBudgetLine, { as: me, path, json: { name: 'Mine' } })
    expect(refusal(renamed)).toEqual([409, 'budgets.paymentLine', 'name'])
    expect(
      await ok(updateBudgetLine, { as: me, path, json: { note: 'Due on the 5th' } }),
    ).toMatchObject({
      note: 'Due on the 5th',
      accountId: card.id,
      version: 2,
    })
  })
})

describe('a period', () => {
  it('is named by its nominal start, from the first one on', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    for (const period of ['2026-01-02', '2025-12-01', '2200-12-01', 'next', '2026-13-01']) {
      const refused = await call(getBudgetPeriod, { as: me, path: { id: budget.id, period } })
      expect(refusal(refused).slice(0, 2)).toEqual([404, 'budgets.noSuchPeriod'])
    }
    const listed = await ok(listBudgetPeriods, {
      as: me,
      id: budget.id,
      query: { on: '2026-02-14' },
    })
    expect(listed.periods.map(({ period, end }) => [period, end])).toEqual([
      ['2026-02-01', '2026-02-28'],
    ])
  })

  it('is shown up to the 600th, or to the current one where that is later', async () => {
    const me = await newUser()
    const daily = (startsOn: string) =>
      newBudget(me, {
        ...{ mode: 'limit', startsOn },
        period: { unit: 'day', count: 1, anchor: startsOn },
      })
    const today = new Date().toISOString().slice(0, 10)
    const [coming, old] = [await daily('2030-01-01'), await daily(today)]
    // It has grown old.
    await rows(
      `UPDATE budgets SET starts_on = '2020-01-01', first_period = '2020-01-01', first_day = '2020-01-01' WHERE id = ?`,
      old.id,
    )
    const statusOf = async ({ id }: { id: string }, query: Record<string, string>) =>
      (await call(listBudgetPeriods, { as: me, id, query: { limit: '1', ...query } })).status
    // 2031-08-23 is the 600th day.
    for (const [day, status] of [
      ['2031-08-23', 200],
      ['2031-08-24', 404],
      ['2200-12-30', 404],
    ] as const) {
      const path = { id: coming.id, period: day }
      expect((await call(getBudgetPeriod, { as: me, path })).status).toBe(status)
      expect(await statusOf(coming, { on: day })).toBe(status)
      expect(await statusOf(coming, { to: day })).toBe(status)
    }
    expect(await statusOf(old, { on: today })).toBe(200)
    expect(await statusOf(old, { from: '2025-01-01' })).toBe(200)
    expect(await statusOf(old, { on: '2200-12-30' })).toBe(404)
    const path = { id: old.id, period: '2025-01-01' }
    expect((await call(getBudgetPeriod, { as: me, path })).status).toBe(200)
  })

  it('is the last one where the next would end beyond the calendar', async () => {
    const me = await newUser()
    const period = { unit: 'year', count: 10, anchor: '2020-01-01' } as const
    const budget = await newBudget(me, { mode: 'limit', period })
    const query = { to: '2190-01-01', limit: 200 }
    const { periods } = await ok(listBudgetPeriods, { as: me, id: budget.id, query })
    expect([periods.length, periods.at(-1)?.end]).toEqual([18, '2199-12-31'])
    const path = { id: budget.id, period: '2200-01-01' }
    const refused = [
      await call(getBudgetPeriod, { as: me, path }),
      await call(listBudgetPeriods, { as: me, id: budget.id, query: { on: '2200-12-31' } }),
      await call(listBudgetPeriods, { as: me, id: budget.id, query: { from: '2200-01-01' } }),
    ]
    for (const one of refused) {
      expect(refusal(one).slice(0, 2)).toEqual([404, 'budgets.noSuchPeriod'])
    }
    const { budgets } = await ok(getBudgetSummary, { as: me, query: { on: '2200-12-31' } })
    expect(budgets.map((one) => one.period.end)).toEqual(['2199-12-31'])
  })

  it('keeps notes, on itself and on its lines', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const line = await newLine(me, budget, 'Food', { amount: '1' })
    const path = { id: budget.id, period: '2026-01-01' }
    const noted = await ok(updateBudgetPeriod, {
      as: me,
      path,
      json: { note: 'Holidays', lineNotes: { [line.id]: 'Party' } },
    })
    expect(noted).toMatchObject({ note: 'Holidays', version: 2 })
    expect(noted.limit?.lines[0]?.note).toBe('Party')
    expect(await ok(getBudgetPeriod, { as: me, path })).toEqual(noted)
    const unknown = await call(updateBudgetPeriod, {
      as: me,
      path,
      json: { lineNotes: { bln_none: 'x' } },
    })
    expect(refusal(unknown)).toEqual([400, 'budgets.unknownLine', 'lineNotes.bln_none'])
  })

  it('is previewed for a rule', async () => {
    const me = await newUser()
    const rule = { unit: 'month', count: 1, anchor: '2026-10-31', weekend: 'before' } as const
    const { periods } = await ok(previewBudgetPeriods, {
      as: me,
      json: { period: rule, startsOn: '2026-12-31', count: 3 },
    })
    expect(periods.map(({ nominal, start, end, days }) => [nominal, start, end, days])).toEqual([
      ['2026-12-31', '2026-12-31', '2027-01-28', 29],
      ['2027-01-31', '2027-01-29', '2027-02-25', 28],
      ['2027-02-28', '2027-02-26', '2027-03-30', 33],
    ])
    const long = { unit: 'year', count: 50, anchor: '2026-01-01' } as const
    const preview = (startsOn: string) =>
      call(previewBudgetPeriods, { as: me, json: { period: long, startsOn } })
    const { body } = await preview('2026-01-01')
    expect(body.periods.map(({ end }) => end)).toEqual(['2075-12-31', '2125-12-31', '2175-12-31'])
    expect(refusal(await preview('2176-01-01'))).toEqual([
      ...[400, 'budgets.invalidStart', 'startsOn'],
    ])
  })
})
