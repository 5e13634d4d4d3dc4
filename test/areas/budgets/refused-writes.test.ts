import { describe, expect, it } from 'vitest'
import {
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  createBudget,
  getBudget,
  previewBudgetPeriods,
  reopenBudgetPeriod,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  listBudgetLines,
  reorderBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { setLineTarget } from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import {
  createBudgetTemplate,
  updateBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { assignTo, limitRow, MONTHLY, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { shareWith } from './household.fixtures.ts'
import { OTHER_WRITES, WRITES_OF_AMOUNTS, type Written } from './writes.fixtures.ts'

const JANUARY = '2026-01-01'
const MOST = '90071992547409.91'

/** A budget of 500.00 with a line that was given 10.00 in January, and a template that gives it 900.00. */
async function scene(wanted: { strict?: boolean; groupId?: string } = {}, as?: TestUser) {
  const me = as ?? (await newUser())
  const account = await newAccount(me, {
    ...{ currency: 'EUR', openingBalance: '500.00', openingDate: JANUARY },
  })
  if (wanted.groupId !== undefined) {
    await shareWith(me, account, wanted.groupId)
  }
  const budget = await newBudget(me, { mode: 'envelope', ...wanted })
  const line = await newLine(me, budget, 'Food')
  const items = [{ lineId: line.id, amount: '900' }]
  const template = await ok(createBudgetTemplate, {
    as: me,
    id: budget.id,
    json: { name: 'Much', items },
  })
  const movement = await ok(moveMoney, {
    as: me,
    path: { id: budget.id, period: JANUARY },
    json: { from: 'pool', to: line.id, amount: '10', allowNegative: true },
  })
  const { id } = budget
  const written: Written = {
    ...{ id, period: JANUARY, line },
    ...{ templateId: template.id, movementId: movement.id },
  }
  return { me, budget, line, written }
}

const amounts = Object.entries(WRITES_OF_AMOUNTS)
const all = [...amounts, ...Object.entries(OTHER_WRITES)]

describe('a closed period', () => {
  it('refuses each write of amounts, and stays as it is', async () => {
    const { me, budget, line, written } = await scene()
    await ok(closeBudgetPeriod, { as: me, path: { id: budget.id, period: JANUARY } })
    const before = await periodOf(me, budget, JANUARY)
    for (const [name, write] of [
      ...amounts,
      ['undoMovement', OTHER_WRITES.undoMovement] as const,
    ]) {
      expect([name, refusal(await write(me, written))]).toEqual([
        name,
        [409, 'budgets.periodClosed'],
      ])
    }
    const path = { id: budget.id, lineId: line.id }
    const reaching = await call(updateBudgetLine, {
      ...{ as: me, path, json: { policy: 'none', from: JANUARY } },
    })
    expect(refusal(reaching)).toEqual([409, 'budgets.periodClosed', 'from'])
    expect(await periodOf(me, budget, JANUARY)).toEqual(before)
  })

  it('is reopened before those that were closed before it', async () => {
    const { me, budget } = await scene()
    const reopen = (period: string) =>
      call(reopenBudgetPeriod, {
        as: me,
        path: { id: budget.id, period },
        json: { reason: 'A receipt' },
      })
    const none = await reopen(JANUARY)
    expect([refusal(none), none.error.error]).toEqual([
      [409, 'budgets.notNewestClosed'],
      'Only the newest closed period can be reopened. This budget has none.',
    ])
    for (const period of [JANUARY, '2026-02-01']) {
      await ok(closeBudgetPeriod, { as: me, path: { id: budget.id, period } })
    }
    expect((await reopen(JANUARY)).error.error).toBe(
      'Only the newest closed period can be reopened. It is 2026-02-01.',
    )
  })
})

describe('a strict budget', () => {
  it('refuses each write that assigns more than there is', async () => {
    const { me, budget, written } = await scene({ strict: true })
    const before = await periodOf(me, budget, JANUARY)
    for (const [name, write] of amounts) {
      expect([name, refusal(await write(me, written))]).toEqual([
        name,
        [409, 'budgets.overAssigned'],
      ])
    }
    expect(await periodOf(me, budget, JANUARY)).toEqual(before)
  })

  it('refuses to undo what gave the pool money that is assigned since', async () => {
    const { me, budget, line } = await scene({ strict: true })
    const path = { id: budget.id, period: JANUARY }
    const move = (from: string, to: string, amount: string) =>
      ok(moveMoney, { as: me, path, json: { from, to, amount } })
    const { id } = await move(line.id, 'pool', '10')
    const fun = await newLine(me, budget, 'Fun')
    await move('pool', fun.id, '500')
    const undone = await call(undoMovement, { as: me, path: { id: budget.id, movementId: id } })
    expect(refusal(undone)).toEqual([409, 'budgets.overAssigned'])
  })
})

describe('a period more than ten years ahead', () => {
  it('refuses each write of amounts', async () => {
    const { me, written } = await scene()
    const period = `${new Date().getUTCFullYear() + 11}-12-01`
    for (const [name, write] of amounts) {
      expect([name, refusal(await write(me, { ...written, period }))]).toEqual([
        name,
        [409, 'budgets.tooMany'],
      ])
    }
  })
})

describe('amounts that somebody else changes again and again', () => {
  it('refuse each write that was checked against others', async () => {
    const { me, budget, written } = await scene()
    const fun = await newLine(me, budget, 'Fun')
    let changes = 0
    const busy = serviceWith({
      // A write reads, is refused when it commits, and tries both once more.
      aroundTrips: async (trip, run) => {
        if (trip % 2 === 0) {
          await assignTo(me, budget, fun, JANUARY, `${++changes}.00`)
        }
        return run()
      },
    })
    const via = busy.call as typeof call
    const writes = [...amounts, ['undoMovement', OTHER_WRITES.undoMovement] as const]
    for (const [name, write] of writes) {
      expect([name, refusal(await write(me, written, via))]).toEqual([
        name,
        [409, 'budgets.changedMeanwhile'],
      ])
    }
    expect(changes).toBe(2 * writes.length)
  })
})

describe('a period that the budget does not have', () => {
  it('is refused by each write of amounts', async () => {
    const { me, written } = await scene()
    for (const [name, write] of amounts) {
      expect([name, refusal(await write(me, { ...written, period: '2026-01-02' }))]).toEqual([
        name,
        // Of these only this one names it in its body.
        name === 'applyBudgetTemplate'
          ? [400, 'budgets.unknownPeriod', 'period']
          : [404, 'budgets.noSuchPeriod'],
      ])
    }
  })
})

describe('an amount that no sum can hold', () => {
  it('is refused by each write of amounts', async () => {
    const { me, budget, line, written } = await scene()
    const fun = await newLine(me, budget, 'Fun')
    await assignTo(me, budget, fun, JANUARY, '90071992546000')
    const { id: templateId } = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'Most', items: [{ lineId: line.id, amount: MOST }] },
    })
    for (const [name, write] of amounts) {
      const refused = await write(me, { ...written, templateId, amount: MOST })
      expect([name, refusal(refused)]).toEqual([name, [409, 'ledger.outOfRange']])
    }
  })
})

describe('a budget of a group', () => {
  it('is written by no viewer, and by nobody while the group is suspended', async () => {
    const [owner, viewer] = [await newUser(), await newUser()]
    const group = await ok(createGroup, { as: owner, json: { name: 'Home', kind: 'household' } })
    await rows("INSERT INTO group_members VALUES (?, ?, 'viewer', 0, 1)", group.id, viewer.id)
    const { budget, written } = await scene({ groupId: group.id }, owner)
    const before = [
      await periodOf(owner, budget, JANUARY),
      await ok(listBudgetLines, { as: owner, id: budget.id }),
    ]
    for (const [name, write] of all) {
      expect([name, refusal(await write(viewer, written))]).toEqual([
        name,
        [403, 'budgets.groupReadOnly'],
      ])
    }
    const json = { name: 'Plan', mode: 'limit', period: MONTHLY, groupId: group.id } as const
    expect(refusal(await call(createBudget, { as: viewer, json })).slice(0, 2)).toEqual([
      403,
      'budgets.groupReadOnly',
    ])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', group.id)
    for (const [name, write] of all) {
      expect([name, refusal(await write(owner, written))]).toEqual([
        name,
        [409, 'budgets.groupSuspended'],
      ])
    }
    expect(refusal(await call(createBudget, { as: owner, json })).slice(0, 2)).toEqual([
      409,
      'budgets.groupSuspended',
    ])
    await rows('UPDATE groups SET suspended_at = NULL WHERE id = ?', group.id)
    expect([
      await periodOf(owner, budget, JANUARY),
      await ok(listBudgetLines, { as: owner, id: budget.id }),
    ]).toEqual(before)
  })
})

describe('what belongs to the other mode', () => {
  it.each([
    ['envelope', { countTransfers: true }, '`countTransfers` is only for limit budgets.'],
    ['limit', { strict: true }, '`strict` is only for envelope budgets.'],
  ] as const)('is refused on a budget of mode %s with %j', async (mode, json, text) => {
    const me = await newUser()
    const budget = await newBudget(me, { mode })
    const refused = await call(updateBudget, { as: me, id: budget.id, json })
    expect([refusal(refused), refused.error.error]).toEqual([
      [409, 'budgets.wrongMode', Object.keys(json)[0]],
      `${text} The mode of this budget is \`${mode}\`.`,
    ])
    expect(await ok(getBudget, { as: me, id: budget.id })).toEqual(budget)
  })

  it('is refused on a line and on amounts of a period', async () => {
    const { me, line, written } = await scene()
    const path = { id: written.id, lineId: line.id }
    const capped = await call(updateBudgetLine, { as: me, path, json: { cap: '5' } })
    expect(refusal(capped)).toEqual([409, 'budgets.wrongMode', 'cap'])
    const limited = await call(setAllocation, {
      as: me,
      path: { ...path, period: JANUARY },
      json: { amount: '5' },
    })
    expect(refusal(limited)).toEqual([409, 'budgets.wrongMode', 'amount'])
    const limits = await newBudget(me, { mode: 'limit' })
    const fun = await newLine(me, limits, 'Fun', { amount: '5' })
    const other = { ...written, id: limits.id, line: fun }
    expect(refusal(await WRITES_OF_AMOUNTS.setAllocations(me, other))).toEqual([
      409,
      'budgets.wrongMode',
      'items.0.assigned',
    ])
  })
})

describe('a negative amount', () => {
  it('is no limit, moves nothing and holds nothing', async () => {
    const { me, line, written } = await scene()
    const limits = await newBudget(me, { mode: 'limit' })
    const fun = await newLine(me, limits, 'Fun', { amount: '5' })
    const path = { id: limits.id, period: JANUARY, lineId: fun.id }
    const item = { lineId: fun.id, amount: '-1' }
    const template = { name: 'Less', items: [item] }
    const answers = [
      await call(setAllocation, { as: me, path, json: { amount: '-1' } }),
      await call(setAllocations, { as: me, path, json: { items: [item] } }),
      await call(createBudgetTemplate, { as: me, id: limits.id, json: template }),
      await WRITES_OF_AMOUNTS.moveMoney(me, { ...written, line, amount: '-1' }),
      await WRITES_OF_AMOUNTS.holdMoney(me, { ...written, line, amount: '-1' }),
    ]
    expect(answers.map(refusal)).toEqual([
      [400, 'money.negative', 'amount'],
      [400, 'money.negative', 'items.0.amount'],
      [400, 'money.negative', 'items.0.amount'],
      [400, 'money.negative', 'amount'],
      [400, 'money.negative', 'amount'],
    ])
    expect((await limitRow(me, limits, fun, JANUARY)).amount).toBe('5.00')
  })
})

describe('a change of a budget', () => {
  it.each([
    [{ accountIds: ['acc_none'] }, 400, 'budgets.unknownAccount', 'accountIds.0'],
    [{ incomeInNextPeriod: ['cat_none'] }, 400, 'budgets.unknownIncomeCategory', undefined],
    [
      { period: { ...MONTHLY, unit: 'week', weekend: 'after' } },
      400,
      'budgets.invalidPeriod',
      'period.weekend',
    ],
    [{ startsOn: '1950-01-01' }, 409, 'budgets.tooMany', undefined],
    [{ startsOn: '2200-12-31' }, 400, 'budgets.invalidStart', 'startsOn'],
  ] as const)('is refused with %j', async (json, status, code, field) => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope' })
    const refused = await call(updateBudget, { as: me, id: budget.id, json: json as never })
    const expected = [status, code, ...(field === undefined ? [] : [field])]
    expect(refusal(refused).slice(0, expected.length)).toEqual(expected)
    expect(await ok(getBudget, { as: me, id: budget.id })).toEqual(budget)
  })

  it('is previewed by valid rules only', async () => {
    const me = await newUser()
    const period = { ...MONTHLY, unit: 'week', weekend: 'before' } as const
    const refused = await call(previewBudgetPeriods, { as: me, json: { period } })
    expect(refusal(refused)).toEqual([400, 'budgets.invalidPeriod', 'period.weekend'])
  })
})

describe('a line', () => {
  it('has a name and money that its budget can hold', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const food = await newLine(me, budget, 'Food', { amount: '5' })
    const scope = { kind: 'everything' } as const
    const create = (json: object) =>
      call(createBudgetLine, { as: me, id: budget.id, json: { name: 'X', scope, ...json } })
    const update = (json: object) =>
      call(updateBudgetLine, { as: me, path: { id: budget.id, lineId: food.id }, json })
    for (const write of [create, update]) {
      for (const field of ['amount', 'cap']) {
        expect(refusal(await write({ [field]: '-1' }))).toEqual([400, 'money.negative', field])
        expect(refusal(await write({ [field]: '0.001' }))).toEqual([
          400,
          'money.tooManyDigits',
          field,
        ])
        expect(refusal(await write({ [field]: '99999999999999999' }))).toEqual([
          400,
          'money.outOfRange',
          field,
        ])
      }
    }
    expect(refusal(await create({ name: 'FOOD' }))).toEqual([409, 'budgets.lineNameTaken', 'name'])
    expect((await ok(listBudgetLines, { as: me, id: budget.id })).lines).toHaveLength(1)
  })

  it('is neither below itself nor taken over by a line that counts something else', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const food = await newLine(me, budget, 'Food', { amount: '5' })
    const json = { name: 'All', amount: '5', scope: { kind: 'everything' } } as const
    const all = await ok(createBudgetLine, { as: me, id: budget.id, json })
    const parents = { [food.id]: food.id }
    const nested = await call(reorderBudgetLines, {
      as: me,
      id: budget.id,
      json: { lineIds: [food.id], parents },
    })
    expect(refusal(nested)).toEqual([400, 'budgets.unknownParent', `parents.${food.id}`])
    const path = { id: budget.id, lineId: food.id }
    const passed = await call(deleteBudgetLine, { as: me, path, query: { reassignTo: all.id } })
    expect(refusal(passed)).toEqual([400, 'budgets.unknownScope', 'reassignTo'])
    expect((await ok(listBudgetLines, { as: me, id: budget.id })).lines).toHaveLength(2)
  })

  it('is given only what it can count', async () => {
    const me = await newUser()
    const [envelopes, limits] = [
      await newBudget(me, { mode: 'envelope' }),
      await newBudget(me, { mode: 'limit' }),
    ]
    const [food, fun] = [await newLine(me, envelopes, 'Food'), await newLine(me, envelopes, 'Fun')]
    const all = await ok(createBudgetLine, {
      ...{ as: me, id: limits.id, json: { name: 'All', scope: { kind: 'everything' } } },
    })
    const scoped = (id: string, lineId: string, kind: string, ids: string[]) =>
      call(updateBudgetLine, {
        ...{ as: me, path: { id, lineId }, json: { scope: { kind, ids } } as never },
      })
    expect(refusal(await scoped(envelopes.id, food.id, 'category', [fun.categoryId]))).toEqual([
      409,
      'budgets.categoryTaken',
      'scope.ids.0',
    ])
    expect(refusal(await scoped(envelopes.id, food.id, 'category', ['cat_none']))).toEqual([
      400,
      'budgets.unknownCategory',
      'scope.ids.0',
    ])
    expect(refusal(await scoped(limits.id, all.id, 'account', ['acc_none']))).toEqual([
      400,
      'budgets.unknownAccount',
      'scope.ids.0',
    ])
  })
})

describe('a template', () => {
  it('has a name of its own, and lines of its budget', async () => {
    const { me, budget, line } = await scene()
    const create = (name: string, lineId: string, amount = '1') =>
      call(createBudgetTemplate, {
        ...{ as: me, id: budget.id, json: { name, items: [{ lineId, amount }] } },
      })
    const { body } = await create('Usual', line.id)
    const update = (json: object) =>
      call(updateBudgetTemplate, { as: me, path: { id: budget.id, templateId: body.id }, json })
    expect(refusal(await update({ name: 'MUCH' }))).toEqual([
      409,
      'budgets.templateNameTaken',
      'name',
    ])
    for (const [write, field] of [
      [(lineId: string, amount?: string) => create('Third', lineId, amount), 'items.0'],
      [(lineId: string, amount = '1') => update({ items: [{ lineId, amount }] }), 'items.0'],
    ] as const) {
      expect(refusal(await write('bln_none'))).toEqual([
        400,
        'budgets.unknownLine',
        `${field}.lineId`,
      ])
      expect(refusal(await write(line.id, '0.001'))).toEqual([
        400,
        'money.tooManyDigits',
        `${field}.amount`,
      ])
      expect(refusal(await write(line.id, '99999999999999999'))).toEqual([
        400,
        'money.outOfRange',
        `${field}.amount`,
      ])
    }
  })
})

describe('a target', () => {
  it('is averaged over 3, 6 or 12 periods, and the error lists them', async () => {
    const { me, budget, line } = await scene()
    const refused = await call(setLineTarget, {
      as: me,
      path: { id: budget.id, lineId: line.id },
      json: { type: 'average', periods: 4 } as never,
    })
    expect([refusal(refused), refused.error.error]).toEqual([
      [400, 'request.invalid', 'periods'],
      'periods must be one of 3, 6, 12.',
    ])
  })
})
