import { expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { periodOf } from './budgets.fixtures.ts'
import { newCouple, takeBack } from './household.fixtures.ts'

it('adds amounts once, also of lines whose owner took all accounts back', async () => {
  const { ada, ben, card, budget, essen } = await newCouple()
  const kaffee = await ok(createCategory, {
    as: ben,
    json: { name: 'Kaffee', kind: 'expense', parentId: essen.id },
  })
  const scope = { kind: 'category' as const, ids: [kaffee.id] }
  const json = { name: 'Kaffee', amount: '50.00', scope }
  await ok(createBudgetLine, { as: ada, id: budget.id, json })
  const amount = async () => (await periodOf(ada, budget, '2026-09-01')).limit?.amount
  expect(await amount()).toBe('500.00')
  await takeBack(ben, card)
  expect(await amount()).toBe('500.00')
})
