import { describe, expect, it } from 'vitest'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'

describe('assigning money', () => {
  it('takes it from the pool', async () => {
    const me = await newUser()
    await newAccount(me, { currency: 'EUR', openingBalance: '500.00', openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const food = await newLine(me, budget, 'Food')
    const row = await ok(setAllocation, {
      as: me,
      path: { id: budget.id, period: '2026-01-01', lineId: food.id },
      json: { assigned: '120.00' },
    })
    expect(row).toMatchObject({ assigned: '120.00', available: '120.00' })
    const { envelope, version } = await periodOf(me, budget, '2026-01-01')
    expect(envelope).toMatchObject({ assigned: '120.00', toBeBudgeted: '380.00' })
    expect(version).toBe(2)
  })
})
