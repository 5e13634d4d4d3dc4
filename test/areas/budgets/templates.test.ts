import { describe, expect, it } from 'vitest'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { updateBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { deleteBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  applyBudgetTemplate,
  createBudgetTemplate,
  deleteBudgetTemplate,
  listBudgetTemplates,
  updateBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const PERIOD = '2026-01-01'

async function plan(mode: 'envelope' | 'limit' = 'envelope') {
  const me = await newUser()
  await newAccount(me, {
    ...{ currency: 'EUR', openingBalance: '100.00', openingDate: '2026-01-01' },
  })
  const budget = await newBudget(me, { mode })
  const food = await newLine(me, budget, 'Food', { order: 0 })
  const fun = await newLine(me, budget, 'Fun', {
    ...(mode === 'limit' ? { order: 1, amount: '5' } : { order: 1 }),
  })
  return { me, budget, food, fun }
}

describe('a template', () => {
  it('is made of items, changed and deleted', async () => {
    const { me, budget, food, fun } = await plan()
    const json = {
      name: 'Usual',
      items: [
        { lineId: food.id, amount: '40' },
        { lineId: fun.id, amount: '-1.50' },
      ],
    }
    const made = await ok(createBudgetTemplate, { as: me, id: budget.id, json })
    expect(made).toMatchObject({
      ...{ name: 'Usual', version: 1 },
      items: [
        { lineId: food.id, amount: '40.00' },
        { lineId: fun.id, amount: '-1.50' },
      ],
    })
    const path = { id: budget.id, templateId: made.id }
    const renamed = await ok(updateBudgetTemplate, { as: me, path, json: { name: 'Other' } })
    expect(renamed).toMatchObject({ name: 'Other', items: made.items, version: 2 })
    const items = [{ lineId: fun.id, amount: '2' }]
    const changed = await ok(updateBudgetTemplate, { as: me, path, json: { items } })
    expect(changed).toMatchObject({
      name: 'Other',
      items: [{ lineId: fun.id, amount: '2.00' }],
    })
    const listed = await ok(listBudgetTemplates, { as: me, id: budget.id })
    expect(listed).toMatchObject({ templates: [changed], count: 1, nextCursor: null })
    const stale = await call(deleteBudgetTemplate, {
      as: me,
      path,
      headers: { 'If-Match': '"v1"' },
    })
    expect(stale.status).toBe(412)
    await ok(deleteBudgetTemplate, { as: me, path })
    expect((await ok(listBudgetTemplates, { as: me, id: budget.id })).count).toBe(0)
    const gone = [404, 'budgets.templateNotFound']
    expect(refusal(await call(deleteBudgetTemplate, { as: me, path }))).toEqual(gone)
    const update = { as: me, path, json: { name: 'x' } }
    expect(refusal(await call(updateBudgetTemplate, update))).toEqual(gone)
    const apply = { as: me, path, json: { period: PERIOD } }
    expect(refusal(await call(applyBudgetTemplate, apply))).toEqual(gone)
  })

  it('is made of a period, and sets or adds its amounts in another one', async () => {
    const { me, budget, food, fun } = await plan()
    const assigned = { id: budget.id, period: PERIOD, lineId: food.id }
    await ok(setAllocation, { as: me, path: assigned, json: { assigned: '30' } })
    const made = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'January', period: PERIOD },
    })
    expect(made.items).toEqual([{ lineId: food.id, amount: '30.00' }])
    const path = { id: budget.id, templateId: made.id }
    const apply = (json: { mode?: 'set' | 'add'; dryRun?: boolean }) =>
      ok(applyBudgetTemplate, { as: me, path, json: { period: '2026-02-01', ...json } })
    const items = [{ lineId: food.id, before: '0.00', after: '30.00' }]
    expect(await apply({ dryRun: true })).toEqual({ items, toBeBudgeted: '40.00' })
    expect(await envelopeRow(me, budget, food, '2026-02-01')).toMatchObject({ assigned: '0.00' })
    expect(await apply({})).toEqual({ items, toBeBudgeted: '40.00' })
    expect(await apply({})).toEqual({ items: [], toBeBudgeted: '40.00' })
    expect(await apply({ mode: 'add' })).toEqual({
      items: [{ lineId: food.id, before: '30.00', after: '60.00' }],
      toBeBudgeted: '10.00',
    })
    expect(await envelopeRow(me, budget, fun, '2026-02-01')).toMatchObject({ assigned: '0.00' })
    await ok(deleteBudgetLine, { as: me, path: { id: budget.id, lineId: food.id } })
    expect(await ok(applyBudgetTemplate, { as: me, path, json: { period: 'current' } })).toEqual(
      expect.objectContaining({ items: [] }),
    )
  })

  it('sets the limits of a period', async () => {
    const { me, budget, food, fun } = await plan('limit')
    const ofPeriod = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'Limits', period: PERIOD },
    })
    expect(ofPeriod.items).toEqual([{ lineId: fun.id, amount: '5.00' }])
    const path = { id: budget.id, templateId: ofPeriod.id }
    const items = [
      { lineId: food.id, amount: '7' },
      { lineId: fun.id, amount: '2' },
    ]
    await ok(updateBudgetTemplate, { as: me, path, json: { items } })
    const added = await ok(applyBudgetTemplate, {
      as: me,
      path,
      json: { period: PERIOD, mode: 'add' },
    })
    expect(added).toEqual({
      items: [
        { lineId: food.id, before: '0.00', after: '7.00' },
        { lineId: fun.id, before: '5.00', after: '7.00' },
      ],
      toBeBudgeted: null,
    })
    expect(await limitRow(me, budget, fun, PERIOD)).toMatchObject({ amount: '7.00' })
    expect(await limitRow(me, budget, fun, '2026-02-01')).toMatchObject({ amount: '5.00' })
    await ok(applyBudgetTemplate, { as: me, path, json: { period: PERIOD } })
    expect((await periodOf(me, budget, PERIOD)).limit).toMatchObject({ amount: '9.00' })
    const negative = [{ lineId: food.id, amount: '-1' }]
    const refused = await call(updateBudgetTemplate, { as: me, path, json: { items: negative } })
    expect(refusal(refused)).toEqual([400, 'money.negative', 'items.0.amount'])
  })

  it('has a name of its own, lines of its budget, and keeps the currency', async () => {
    const { me, budget, food } = await plan()
    const items = [{ lineId: food.id, amount: '1' }]
    const make = (json: { name: string; items?: typeof items; period?: string }) =>
      call(createBudgetTemplate, { as: me, id: budget.id, json })
    await make({ name: 'Café', items })
    expect(refusal(await make({ name: 'CAFÉ', items }))).toEqual([
      ...[409, 'budgets.templateNameTaken', 'name'],
    ])
    const unknown = [{ lineId: 'bln_none', amount: '1' }]
    expect(refusal(await make({ name: 'x', items: unknown }))).toEqual([
      ...[400, 'budgets.unknownLine', 'items.0.lineId'],
    ])
    expect(refusal(await make({ name: 'x', period: '2026-01-02' }))).toEqual([
      ...[400, 'budgets.unknownPeriod', 'period'],
    ])
    expect((await make({ name: 'x' })).status).toBe(400)
    expect((await make({ name: 'x', items, period: PERIOD })).status).toBe(400)
    const yen = await call(updateBudget, { as: me, id: budget.id, json: { currency: 'JPY' } })
    expect(refusal(yen)).toEqual([409, 'budgets.fixed', 'currency'])
  })

  it('is one of 50 at most, listed by name', async () => {
    const { me, budget, food } = await plan()
    const items = [{ lineId: food.id, amount: '1' }]
    const make = (name: string) =>
      call(createBudgetTemplate, { as: me, id: budget.id, json: { name, items } })
    for (let number = 59; number >= 10; number -= 1) {
      expect((await make(`No. ${number}`)).status).toBe(201)
    }
    expect(refusal(await make('One more'))).toEqual([409, 'budgets.tooMany'])
    const first = await ok(listBudgetTemplates, { as: me, id: budget.id, query: { limit: 2 } })
    expect(first.templates.map(({ name }) => name)).toEqual(['No. 10', 'No. 11'])
    const next = await ok(listBudgetTemplates, {
      as: me,
      id: budget.id,
      query: { limit: 2, cursor: first.nextCursor ?? '' },
    })
    expect(next.templates.map(({ name }) => name)).toEqual(['No. 12', 'No. 13'])
    expect(next.count).toBe(50)
  })

  it('is not seen by others', async () => {
    const { me, budget, food } = await plan()
    const items = [{ lineId: food.id, amount: '1' }]
    const made = await ok(createBudgetTemplate, {
      as: me,
      id: budget.id,
      json: { name: 'Mine', items },
    })
    const as = await newUser()
    const path = { id: budget.id, templateId: made.id }
    for (const refused of [
      await call(listBudgetTemplates, { as, id: budget.id }),
      await call(createBudgetTemplate, { as, id: budget.id, json: { name: 'x', items } }),
      await call(updateBudgetTemplate, { as, path, json: { name: 'x' } }),
      await call(applyBudgetTemplate, { as, path, json: { period: PERIOD } }),
      await call(deleteBudgetTemplate, { as, path }),
    ]) {
      expect(refusal(refused)).toEqual([404, 'budgets.notFound'])
    }
    const mine = await newBudget(as, { mode: 'envelope' })
    const crossed = await call(updateBudgetTemplate, {
      ...{ as, path: { id: mine.id, templateId: made.id }, json: { name: 'x' } },
    })
    expect(refusal(crossed)).toEqual([404, 'budgets.templateNotFound'])
  })
})
