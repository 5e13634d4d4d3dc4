import { createBudget } from '../../src/areas/planning/budgets/budgets.usecases.ts'
import { setAllocations } from '../../src/areas/planning/budgets/amounts/amounts.usecases.ts'
import { closeBudgetPeriod } from '../../src/areas/planning/budgets/periods/closing.usecases.ts'
import {
  createBudgetLine,
  listBudgetLines,
} from '../../src/areas/planning/budgets/lines/lines.usecases.ts'
import { setLineTarget } from '../../src/areas/planning/budgets/targets/targets.usecases.ts'
import { addMonths } from '../../src/domain/calendar.ts'
import { exampleId } from '../../src/domain/ids.ts'
import type { Settled } from './person.ts'
import { HOME_INSURANCE } from './recurring.ts'

/** The amount that each envelope gets in a month. */
const ENVELOPES: Record<string, string> = {
  Groceries: '420.00',
  Household: '90.00',
  Dining: '270.00',
  Housing: '420.00',
  Transport: '150.00',
  Leisure: '140.00',
  Travel: '150.00',
  Fees: '5.00',
  Saving: '1000.00',
}

/** The target of an envelope at the end of each year. */
const YEARLY = {
  type: 'byDate',
  amount: '1200.00',
  date: '2027-12-31',
  every: { count: 1, unit: 'year' },
} as const

/** The accounts that money is spent from: what goes to the savings leaves the budget, out of an envelope. */
const SPENT_FROM = ['everyday', 'cash', 'card', 'tokyo', 'manama']

/** The month of the example ids and periods in the description: budgets begin then, or earlier where there is something earlier. */
const EXAMPLE_MONTH = '2025-01-01'

const MONTHLY = { unit: 'month', count: 1, anchor: EXAMPLE_MONTH } as const

/** An envelope budget of one person with every month assigned, and limits for the household. */
export async function addBudgets(
  { today, firstMonth }: { today: string; firstMonth: string },
  one: Settled,
  two: Settled,
): Promise<void> {
  const { as } = one
  const lineIds = Object.keys(ENVELOPES).map((_, at) => exampleId('bln', at + 1))
  const making = as('budgets.write', today, [exampleId('bud'), ...lineIds])
  const { id } = await createBudget(making, {
    name: 'Every euro',
    mode: 'envelope',
    period: MONTHLY,
    startsOn: firstMonth < EXAMPLE_MONTH ? firstMonth : EXAMPLE_MONTH,
    accounts: 'chosen',
    accountIds: SPENT_FROM.flatMap((key) => one.accounts.get(key)?.id ?? []),
    lines: 'top',
    thresholds: [80, 100],
  })
  const { lines } = await listBudgetLines(as('budgets.read', today), id, false)
  for (let month = firstMonth; month <= today; month = addMonths(month, 1)) {
    const items = lines.flatMap(({ id: lineId, name }) => {
      const assigned = ENVELOPES[name]
      return assigned === undefined ? [] : [{ lineId, assigned }]
    })
    await setAllocations(as('budgets.write', month), id, month, items)
  }
  await setLineTarget(
    as('budgets.write', today),
    { budgetId: id, lineId: exampleId('bln') },
    YEARLY,
  )
  for (let month = firstMonth; month < EXAMPLE_MONTH; month = addMonths(month, 1)) {
    await closeBudgetPeriod(as('budgets.write', today), id, month)
  }
  await addLimits(today, one, two)
}

/** The envelope for fees needs what the home insurance costs, which is due every three months. */
export async function addScheduledTarget(today: string, { as }: Settled): Promise<void> {
  const budgetId = exampleId('bud')
  const { lines } = await listBudgetLines(as('budgets.read', today), budgetId, false)
  const lineId = lines.find(({ name }) => name === 'Fees')?.id ?? ''
  const recurringIds = [exampleId('rec', HOME_INSURANCE)]
  await setLineTarget(
    as('budgets.write', today),
    { budgetId, lineId },
    { type: 'schedule', recurringIds },
  )
}

async function addLimits(today: string, one: Settled, two: Settled): Promise<void> {
  const { as } = one
  const making = as('budgets.write', today, [exampleId('bud', 2)])
  const { id } = await createBudget(making, {
    name: 'Our limits',
    mode: 'limit',
    period: MONTHLY,
    startsOn: EXAMPLE_MONTH,
    groupId: exampleId('grp'),
  })
  const categoriesOf = (name: string) =>
    [one, two].flatMap(({ categories }) => categories.get(name) ?? [])
  const limits = [
    // Both members have a category of this name.
    { name: 'Food', amount: '850.00', ids: categoriesOf('Groceries') },
    { name: 'Household', amount: '80.00', ids: categoriesOf('Household') },
    { name: 'Everything', amount: '2300.00', ids: [] },
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
  await closeBudgetPeriod(as('budgets.write', today), id, EXAMPLE_MONTH)
}
