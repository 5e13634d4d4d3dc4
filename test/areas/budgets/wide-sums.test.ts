import { describe, expect, it } from 'vitest'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import {
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

// More of the largest amounts than 64 bits hold the sum of: 1,025 are.

const JANUARY = '2026-01-01'
const MOST = 1500

describe('undoing a movement that very many came after', () => {
  it.each([
    ['to its line', true],
    ['from its line', false],
  ])('works by their whole sum: %s', async (_, isTo) => {
    const me = await newUser()
    await newAccount(me, { currency: 'EUR', openingBalance: '500.00', openingDate: JANUARY })
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Food')
    const move = (from: string, to: string) =>
      ok(moveMoney, {
        as: me,
        path: { id: budget.id, period: JANUARY },
        json: { from, to, amount: '10.00' },
      })
    const first = await move('pool', line.id)
    // What no request makes, but an archive may hold.
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MOST})
        INSERT INTO budget_movements (id, budget_id, period, from_line_id, to_line_id, amount_minor, kind, note, actor_id, created_at)
        SELECT 'bmv_7' || substr(m.id, 6, 19) || printf('%06d', n.i), m.budget_id, m.period,
          iif(?2, NULL, m.to_line_id), iif(?2, m.to_line_id, NULL), 9007199254740991, m.kind, NULL, m.actor_id, m.created_at
        FROM n, budget_movements m WHERE m.id = ?1`,
      first.id,
      isTo ? 1 : 0,
    )
    const undo = () => call(undoMovement, { as: me, path: { id: budget.id, movementId: first.id } })
    if (!isTo) {
      // Less came since, so the line must have what is taken.
      await move(line.id, 'pool')
      expect(refusal(await undo())).toEqual([409, 'budgets.nothingToUndo'])
      return
    }
    expect((await undo()).status).toBe(201)
    expect(await envelopeRow(me, budget, line, JANUARY)).toMatchObject({ available: '0.00' })
  })
})

describe('a budget that begins after very many large flows', () => {
  it.each([
    ['of months', 'month'],
    ['of days', 'day'],
  ])('is refused by its range, and works where they cancel out: %s', async (_, grain) => {
    const me = await newUser()
    const account = await newAccount(me, { currency: 'EUR' })
    const budget = await newBudget(me, {
      mode: 'envelope',
      startsOn: '2026-01-12',
      period: { unit: 'week', count: 2, anchor: '2026-01-12' },
    })
    await newLine(me, budget, 'Food')
    const put = (sign: number, from: number) =>
      rows(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4)
          INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, pending_minor, entry_count)
          SELECT ?1, ?2, iif(?2 = 'month', printf('2025-%02d', ?4 + i), printf('2026-01-%02d', ?4 + i)), 'income', '', '',
            ?3 * 4611686018427387904, 0, 512 FROM n`,
        ...[account.id, grain, sign, from],
      )
    await put(1, 1)
    expect(
      refusal(
        await call(getBudgetPeriod, { as: me, path: { id: budget.id, period: '2026-01-12' } }),
      ),
    ).toEqual([409, 'ledger.outOfRange'])
    await put(-1, 6)
    expect(await periodOf(me, budget, '2026-01-12')).toMatchObject({
      envelope: { opening: '0.00' },
    })
  })
})
