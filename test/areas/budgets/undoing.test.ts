import { describe, expect, it } from 'vitest'
import {
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { envelopeRow, newBudget, newLine } from './budgets.fixtures.ts'

const JANUARY = '2026-01-01'

describe('undoing a movement while its money is moved on', () => {
  it('never leaves the line with less than nothing', async () => {
    const me = await newUser()
    await newAccount(me, { currency: 'EUR', openingBalance: '500.00', openingDate: JANUARY })
    const budget = await newBudget(me, { mode: 'envelope' })
    const path = { id: budget.id, period: JANUARY }
    for (let round = 0; round < 5; round += 1) {
      const line = await newLine(me, budget, `Food ${round}`)
      const move = (from: string, to: string) =>
        call(moveMoney, { as: me, path, json: { from, to, amount: '10.00' } })
      const { id } = await ok(moveMoney, {
        as: me,
        path,
        json: { from: 'pool', to: line.id, amount: '10.00' },
      })
      await Promise.all([
        call(undoMovement, { as: me, path: { id: budget.id, movementId: id } }),
        move(line.id, 'pool'),
      ])
      expect(await envelopeRow(me, budget, line, JANUARY)).toMatchObject({ available: '0.00' })
    }
  })
})
