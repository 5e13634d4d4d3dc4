import { describe, expect, it } from 'vitest'
import {
  createBudgetLine,
  listBudgetLines,
  reorderBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { updateBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const MANY = 60

const below = (
  as: Principal,
  budget: { id: string },
  line: { id: string },
  parentLineId: string | null,
) =>
  call(updateBudgetLine, { as, path: { id: budget.id, lineId: line.id }, json: { parentLineId } })

const parentsIn = async (budget: { id: string }) =>
  Object.fromEntries(
    (
      await rows<{ id: string; parentId: string | null }>(
        'SELECT id, parent_line_id AS parentId FROM budget_lines WHERE budget_id = ?',
        budget.id,
      )
    ).map(({ id, parentId }) => [id, parentId]),
  )

describe('lines below others', () => {
  it('are never below themselves, whoever moves them at the same time', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'envelope' })
    const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
    for (let round = 0; round < 8; round++) {
      const moved = await Promise.all([
        below(me, budget, food, fun.id),
        below(me, budget, fun, food.id),
      ])
      expect(moved.filter(({ status }) => status === 200)).toHaveLength(1)
      const parents = await parentsIn(budget)
      expect([parents[food.id], parents[fun.id]].filter((id) => id === null)).toHaveLength(1)
      await periodOf(me, budget, '2026-01-01')
      await below(me, budget, food, null)
      await below(me, budget, fun, null)
    }
  })

  it('stay within five levels, whoever moves them at the same time', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const lines: Line[] = []
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) {
      lines.push(await newLine(me, budget, name))
    }
    const [a, b, c, d, e, f] = lines as [Line, Line, Line, Line, Line, Line]
    await below(me, budget, b, a.id)
    await below(me, budget, c, b.id)
    await below(me, budget, e, d.id)
    await below(me, budget, f, e.id)
    const moved = await Promise.all([below(me, budget, d, c.id), below(me, budget, f, null)])
    const again = await below(me, budget, d, c.id)
    // Six levels until F is a line at the top.
    expect(moved[1].status).toBe(200)
    expect([moved[0].status, again.status].filter((status) => status === 200)).not.toHaveLength(0)
    const deep = await below(me, budget, f, e.id)
    expect(refusal(deep)).toEqual([400, 'budgets.tooDeep', 'parentLineId'])
  })

  it('can all be moved in one request', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const lines: Line[] = []
    for (let at = 0; at < MANY; at++) {
      const json = { name: `Line ${at}`, scope: { kind: 'everything' } } as const
      lines.push(await ok(createBudgetLine, { as: me, id: budget.id, json }))
    }
    const [top, ...others] = lines as [Line, ...Line[]]
    const sent = await call(reorderBudgetLines, {
      as: me,
      id: budget.id,
      json: {
        lineIds: lines.map(({ id }) => id),
        parents: Object.fromEntries(others.map(({ id }) => [id, top.id])),
      },
    })
    expect(sent.status).toBe(200)
    const listed = await ok(listBudgetLines, { as: me, id: budget.id })
    expect(
      listed.lines.map(({ id, parentLineId, version }) => [id, parentLineId, version]),
    ).toEqual(lines.map(({ id }) => (id === top.id ? [id, null, 1] : [id, top.id, 2])))
  })

  it('can be renamed while the payment line that they are below is gone', async () => {
    const me = await newUser()
    const card = await newAccount(me, { type: 'creditCard', creditLimit: '100.00' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
    const payment = lines.find(({ kind }) => kind === 'cardPayment') as Line
    expect((await below(me, budget, food, payment.id)).status).toBe(200)
    expect(refusal(await below(me, budget, payment, food.id))).toEqual([
      400,
      'budgets.unknownParent',
      'parentLineId',
    ])
    expect(refusal(await below(me, budget, payment, 'bln_none'))).toEqual([
      400,
      'budgets.unknownParent',
      'parentLineId',
    ])
    await ok(updateBudget, {
      as: me,
      id: budget.id,
      json: { cards: [{ accountId: card.id, handling: 'cash' }] },
    })
    const renamed = await call(updateBudgetLine, {
      as: me,
      path: { id: budget.id, lineId: food.id },
      json: { name: 'Groceries' },
    })
    expect(renamed.status).toBe(200)
  })
})

interface Line {
  id: string
}
