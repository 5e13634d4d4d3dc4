import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { createBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { ok, type Principal } from '../../support/api.ts'

type Sent<Operation extends (...args: never[]) => unknown> = Parameters<Operation>[1]

type BudgetInput = NonNullable<NonNullable<Sent<typeof ok<typeof createBudget>>>['json']>
type LineInput = NonNullable<NonNullable<Sent<typeof ok<typeof createBudgetLine>>>['json']>

/** Calendar months of 2026, from January. */
export const MONTHLY = { unit: 'month', count: 1, anchor: '2026-01-01' } as const

let serial = 0

export const newBudget = (
  as: Principal,
  wanted: Partial<BudgetInput> & Pick<BudgetInput, 'mode'>,
) =>
  ok(createBudget, {
    as,
    json: {
      name: `Budget ${++serial}`,
      currency: 'EUR',
      period: MONTHLY,
      startsOn: '2026-01-01',
      ...wanted,
    },
  })

/** An expense category with a line that counts it. */
export async function newLine(
  as: Principal,
  budget: { id: string },
  name: string,
  wanted: Partial<LineInput> = {},
): Promise<{ id: string; categoryId: string }> {
  const category = await ok(createCategory, { as, json: { name, kind: 'expense' } })
  const scope = { kind: 'category' as const, ids: [category.id] }
  const line = await ok(createBudgetLine, { as, id: budget.id, json: { name, scope, ...wanted } })
  return { id: line.id, categoryId: category.id }
}

export const periodOf = (as: Principal, budget: { id: string }, period: string) =>
  ok(getBudgetPeriod, { as, path: { id: budget.id, period } })

/** The row of a line in a period of a limit budget. */
export async function limitRow(
  as: Principal,
  budget: { id: string },
  line: { id: string },
  period: string,
) {
  const { limit } = await periodOf(as, budget, period)
  const row = limit?.lines.find(({ lineId }) => lineId === line.id)
  if (!row) {
    throw new Error(`no row of ${line.id} in ${period}`)
  }
  return row
}

/** The row of a line in a period of an envelope budget. */
export async function envelopeRow(
  as: Principal,
  budget: { id: string },
  line: { id: string },
  period: string,
) {
  const { envelope } = await periodOf(as, budget, period)
  const row = envelope?.lines.find(({ lineId }) => lineId === line.id)
  if (!row) {
    throw new Error(`no row of ${line.id} in ${period}`)
  }
  return row
}

/** Assigns an amount to a line in a period. */
export const assignTo = (
  as: Principal,
  budget: { id: string },
  line: { id: string },
  period: string,
  assigned: string,
) =>
  ok(setAllocation, {
    as,
    path: { id: budget.id, period, lineId: line.id },
    json: { assigned },
  })
