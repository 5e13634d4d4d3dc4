import { describe, expect, it } from 'vitest'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  listMovements,
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { call, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

async function twoLines() {
  const me = await newUser()
  await newAccount(me, { currency: 'EUR', openingBalance: '500.00', openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  const path = { id: budget.id, period: '2026-01-01' }
  await ok(setAllocation, {
    as: me,
    path: { ...path, lineId: food.id },
    json: { assigned: '50.00' },
  })
  const move = (json: object) =>
    call(moveMoney, { as: me, path, json: { from: food.id, to: fun.id, ...json } })
  return { me, budget, food, fun, move }
}

describe('a movement', () => {
  it('takes no more than there is, and is undone once', async () => {
    const { me, budget, food, fun, move } = await twoLines()
    expect(refusal(await move({ amount: '50.01' })).slice(0, 2)).toEqual([409, 'budgets.notEnough'])
    expect(refusal(await move({ toCover: true })).slice(0, 2)).toEqual([
      409,
      'budgets.nothingToCover',
    ])
    expect(refusal(await move({ to: 'bln_none', amount: '1' }))).toEqual([
      400,
      'budgets.unknownLine',
      'to',
    ])
    const moved = (await move({ amount: '20.00', note: 'Concert' })).body
    expect(moved).toMatchObject({
      from: food.id,
      to: fun.id,
      amount: '20.00',
      kind: 'move',
      undoneBy: null,
    })
    expect((await envelopeRow(me, budget, fun, '2026-01-01')).available).toBe('20.00')
    const undo = (movementId: string) =>
      call(undoMovement, { as: me, path: { id: budget.id, movementId } })
    expect((await undo(moved.id)).body).toMatchObject({ from: fun.id, to: food.id, kind: 'undo' })
    expect(refusal(await undo(moved.id)).slice(0, 2)).toEqual([409, 'budgets.nothingToUndo'])
    expect(refusal(await undo(someId('bmv'))).slice(0, 2)).toEqual([
      404,
      'budgets.movementNotFound',
    ])
    const { movements, count } = await ok(listMovements, { as: me, id: budget.id })
    expect([count, movements.map(({ kind }) => kind)]).toEqual([3, ['undo', 'move', 'assign']])
  })

  it('is made 50 times at once without a unit made or lost', async () => {
    const { me, budget, food, fun, move } = await twoLines()
    const answers = await Promise.all(Array.from({ length: 50 }, () => move({ amount: '3.00' })))
    const made = answers.filter(({ status }) => status === 201).length
    expect(made).toBeGreaterThan(0)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409)
      expect(['budgets.notEnough', 'budgets.changedMeanwhile']).toContain(answer.error.code)
    }
    const [left, right] = [
      await envelopeRow(me, budget, food, '2026-01-01'),
      await envelopeRow(me, budget, fun, '2026-01-01'),
    ]
    expect(right.available).toBe(`${made * 3}.00`)
    expect(Number(left.available)).toBe(50 - made * 3)
    expect((await periodOf(me, budget, '2026-01-01')).envelope?.toBeBudgeted).toBe('450.00')
  })
})
