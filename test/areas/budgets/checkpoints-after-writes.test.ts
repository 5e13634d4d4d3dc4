import { expect, it } from 'vitest'
import {
  holdMoney,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  assignMoney,
  closeBudgetPeriod,
  reopenBudgetPeriod,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  listMovements,
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { updateBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import {
  applyBudgetTemplate,
  createBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { assignTo, newBudget, newLine } from './budgets.fixtures.ts'
import { makeAt, NOW } from './checkpoint.fixtures.ts'

interface Place {
  me: TestUser
  budget: { id: string }
  line: { id: string; categoryId: string }
}

const MONTH = '2026-11-01'

/** A budget since 2023. */
async function longBudget(): Promise<Place> {
  const me = await newUser()
  await newAccount(me, { openingBalance: '500.00', openingDate: '2023-01-01' })
  const budget = await newBudget(me, { mode: 'envelope', startsOn: '2023-01-01' })
  return { me, budget, line: await newLine(me, budget, 'Food') }
}

const taskOf = async ({ id }: { id: string }) =>
  rows<{ payload: string }>(
    "SELECT payload FROM tasks WHERE kind = 'budgets.checkpoint' AND payload ->> 'budgetId' = ?",
    id,
  )

const WRITES: Record<string, (place: Place) => Promise<unknown>> = {
  setAllocation: ({ me, budget, line }) => assignTo(me, budget, line, MONTH, '5.00'),
  setAllocations: ({ me, budget, line }) =>
    ok(setAllocations, {
      as: me,
      path: { id: budget.id, period: MONTH },
      json: { items: [{ lineId: line.id, assigned: '5.00' }] },
    }),
  holdMoney: ({ me, budget }) =>
    ok(holdMoney, { as: me, path: { id: budget.id, period: MONTH }, json: { amount: '5.00' } }),
  moveMoney: ({ me, budget, line }) =>
    ok(moveMoney, {
      as: me,
      path: { id: budget.id, period: MONTH },
      json: { from: 'pool', to: line.id, amount: '5.00' },
    }),
  assignMoney: ({ me, budget }) =>
    ok(assignMoney, {
      as: me,
      path: { id: budget.id, period: MONTH },
      json: { method: 'averageSpent', periods: 12 },
    }),
  updateBudgetPeriod: ({ me, budget }) =>
    ok(updateBudgetPeriod, {
      as: me,
      path: { id: budget.id, period: MONTH },
      json: { note: 'Birthday' },
    }),
}

it.each(Object.entries(WRITES))('%s leaves a task where checkpoints lack', async (_, write) => {
  const place = await longBudget()
  await write(place)
  const { id } = place.budget
  expect(await taskOf(place.budget)).toEqual([{ payload: JSON.stringify({ budgetId: id }) }])
  const other = await longBudget()
  await makeAt(other.budget)
  await write(other)
  expect(await taskOf(other.budget)).toEqual([])
})

it('undoing a movement and applying a template leave one, too, but no write two on a day', async () => {
  const place = await longBudget()
  const { me, budget, line } = place
  await WRITES['moveMoney']?.(place)
  const forget = () => rows("DELETE FROM tasks WHERE payload ->> 'budgetId' = ?", budget.id)
  await forget()
  const [movement] = (await ok(listMovements, { as: me, id: budget.id })).movements
  await ok(undoMovement, { as: me, path: { id: budget.id, movementId: movement?.id ?? '' } })
  expect(await taskOf(budget)).toHaveLength(1)
  await forget()
  const json = { name: 'Usual', items: [{ lineId: line.id, amount: '5.00' }] }
  const template = await ok(createBudgetTemplate, { as: me, id: budget.id, json })
  const path = { id: budget.id, templateId: template.id }
  await ok(applyBudgetTemplate, { as: me, path, json: { period: MONTH, dryRun: true } })
  expect(await taskOf(budget)).toEqual([])
  await ok(applyBudgetTemplate, { as: me, path, json: { period: MONTH } })
  await WRITES['setAllocation']?.(place)
  expect(await taskOf(budget)).toHaveLength(1)
})

it('the sweep that follows a booking leaves one where that has ended checkpoints', async () => {
  const { me, budget, line } = await longBudget()
  const account = await newAccount(me, { openingDate: '2023-01-01' })
  await makeAt(budget)
  const bookOn = async (date: string) => {
    await book(me, account, { amount: '5.00', categoryId: line.categoryId, date })
    await watchBudgets(contextWith({ now: NOW }))
    return taskOf(budget)
  }
  expect(await bookOn('2026-11-05')).toEqual([])
  expect(await bookOn('2023-02-05')).toEqual([{ payload: JSON.stringify({ budgetId: budget.id }) }])
})

it('closing and reopening the first period of a long budget needs none', async () => {
  const { me, budget } = await longBudget()
  const path = { id: budget.id, period: '2023-01-01' }
  await ok(closeBudgetPeriod, { as: me, path })
  await ok(reopenBudgetPeriod, { as: me, path, json: { reason: 'A receipt' } })
  expect(await taskOf(budget)).toEqual([])
})

it('amounts of periods to come need no checkpoints that cannot be there yet', async () => {
  const { me, budget, line } = await longBudget()
  await makeAt(budget)
  await assignTo(me, budget, line, '2030-11-01', '5.00')
  expect(await taskOf(budget)).toEqual([])
})
