import { createBudget } from '../../src/areas/planning/budgets/budgets.usecases.ts'
import { setAllocations } from '../../src/areas/planning/budgets/amounts/amounts.usecases.ts'
import { closeBudgetPeriod } from '../../src/areas/planning/budgets/closing/closing.usecases.ts'
import {
  createBudgetLine,
  listBudgetLines,
} from '../../src/areas/planning/budgets/lines/lines.usecases.ts'
import { addMonths } from '../../src/domain/calendar.ts'
import { exampleId } from '../../src/domain/example-ids.ts'
import type { Settled } from './index.ts'

/** What each envelope is given in a month. */
const ENVELOPES: Record<string, string> = {
  Groceries: '420.00',
  Household: '90.00',
  Dining: '250.00',
  Housing: '420.00',
  Transport: '150.00',
  Leisure: '140.00',
  Travel: '150.00',
  Fees: '5.00',
  Saving: '200.00',
}

const MONTHLY = { unit: 'month', count: 1, anchor: '2025-01-01' } as const

/** An envelope budget of one person with every month assigned, and limits for the household. */
export async function addBudgets(
  { today, firstMonth }: { today: string; firstMonth: string },
  { as }: Settled,
): Promise<void> {
  const lineIds = Object.keys(ENVELOPES).map((_, at) => exampleId('bln', at + 1))
  const making = as('budgets.write', today, [exampleId('bud'), ...lineIds])
  const { id } = await createBudget(making, {
    name: 'Every euro',
    mode: 'envelope',
    period: MONTHLY,
    startsOn: '2025-01-01',
    lines: 'top',
    thresholds: [80, 100],
  })
  const { lines } = await listBudgetLines(as('budgets.read', today), id, false)
  for (let month = firstMonth; month <= today; month = addMonths(month, 1)) {
    const items = lines.flatMap(({ id: lineId, name }) => {
      const assigned = ENVELOPES[name]
      return assigned === undefined ? [] : [{ lineId, assigned }]
    })
    await setAllocations(as('budgets.write', today), id, month, items)
  }
  await addLimits(today, as)
}

async function addLimits(today: string, as: Settled['as']): Promise<void> {
  const making = as('budgets.write', today, [exampleId('bud', 2)])
  const { id } = await createBudget(making, {
    name: 'Our limits',
    mode: 'limit',
    period: MONTHLY,
    startsOn: '2025-01-01',
    groupId: exampleId('grp'),
  })
  const limits = [
    { name: 'Food', amount: '600.00', ids: [exampleId('cat'), exampleId('cat', 2)] },
    { name: 'Everything', amount: '2500.00', ids: [] },
  ]
  for (const { name, amount, ids } of limits) {
    const scope =
      ids.length === 0 ? { kind: 'everything' as const } : { kind: 'category' as const, ids }
    await createBudgetLine(as('budgets.write', today), id, {
      name,
      amount,
      scope,
      policy: 'surplus',
    })
  }
  await closeBudgetPeriod(as('budgets.write', today), id, '2025-01-01')
}
