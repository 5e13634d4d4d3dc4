import { expect, it } from 'vitest'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  deleteBudget,
  getBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { listBudgetLines } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { updateBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { contentsOf, make, rowsIn } from '../backups/archives.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'
import { bookSeptember, newCouple, takeBack } from './household.fixtures.ts'

const JANUARY = '2026-01-01'

it("a backup has the user's budgets and those of own groups, with all that was decided", async () => {
  const couple = await newCouple()
  await bookSeptember(couple)
  const { ada, ben, card, budget, food } = couple
  await newAccount(ada, { openingBalance: '500', openingDate: JANUARY })
  const own = await newBudget(ada, { mode: 'envelope' })
  const line = await newLine(ada, own, 'Rent', { policy: 'both' })
  const gone = await newBudget(ada, { mode: 'limit' })
  await ok(deleteBudget, { as: ada, id: gone.id })
  const bens = await newBudget(ben, { mode: 'limit' })
  const path = { id: own.id, period: JANUARY, lineId: line.id }
  await ok(setAllocation, { as: ada, path, json: { assigned: '12.30' } })
  const noted = { as: ada, path: { id: own.id, period: JANUARY }, json: { note: 'New year' } }
  await ok(updateBudgetPeriod, noted)
  await ok(closeBudgetPeriod, { as: ada, path: { id: own.id, period: JANUARY } })
  await rows(
    `INSERT INTO budget_templates (id, budget_id, name, name_key, items, created_at, updated_at)
      VALUES ('btp_1', ?, 'Usual', 'usual', ?, 0, 0)`,
    own.id,
    JSON.stringify([{ lineId: line.id, amountMinor: 500 }]),
  )
  await takeBack(ben, card)
  const files = await contentsOf(ada, (await make(ada)).id)
  const budgets = rowsIn(files, 'budgets')
  const shown = await Promise.all([budget, own].map(({ id }) => ok(getBudget, { as: ada, id })))
  expect(new Set(budgets)).toEqual(new Set(shown))
  const lines = rowsIn<{ budgetId: string; scope: { ids: string[] } }>(files, 'budgetLines')
  const { lines: ofGroup } = await ok(listBudgetLines, { as: ada, id: budget.id })
  expect(lines.filter(({ budgetId }) => budgetId === budget.id)).toEqual(
    ofGroup.map((one) => ({ budgetId: budget.id, ...one })),
  )
  expect(lines.flatMap(({ scope }) => scope.ids)).not.toContain(couple.essen.id)
  const of = { budgetId: own.id, currency: 'EUR', period: JANUARY }
  expect(rowsIn(files, 'budgetAmounts')).toEqual([
    { ...of, lineId: line.id, amount: '12.30', note: null },
  ])
  expect(rowsIn(files, 'budgetPeriods')).toEqual([{ ...of, held: '0.00', note: 'New year' }])
  expect(rowsIn(files, 'budgetClosings')).toMatchObject([
    { ...of, closedBy: ada.id, figures: { assigned: 1230 } },
  ])
  expect(rowsIn(files, 'budgetTemplates')).toMatchObject([
    { id: 'btp_1', items: [{ lineId: line.id, amount: '5.00' }] },
  ])
  expect(rowsIn(files, 'budgetMovements')).toMatchObject([
    {
      ...of,
      fromLineId: null,
      toLineId: line.id,
      amount: '12.30',
      kind: 'assign',
      actorId: ada.id,
    },
  ])
  const changes = rowsIn<{ budgetId: string; lineId: string | null }>(files, 'budgetLineChanges')
  expect(changes).toContainEqual({
    ...{ budgetId: budget.id, currency: 'EUR', lineId: food.id, fromPeriod: '' },
    ...{ policy: null, cap: null, amount: '400.00' },
  })
  expect(changes).toContainEqual(expect.objectContaining({ budgetId: own.id, lineId: null }))
  expect(rowsIn<{ kind: string; id: string }>(files, 'trash')).toContainEqual(
    expect.objectContaining({ kind: 'budget', id: gone.id }),
  )
  const ofBen = await contentsOf(ben, (await make(ben)).id)
  expect(rowsIn(ofBen, 'budgets').map(({ id }) => id)).toEqual([bens.id])
  expect(rowsIn(ofBen, 'budgetLines')).toEqual([])
})
