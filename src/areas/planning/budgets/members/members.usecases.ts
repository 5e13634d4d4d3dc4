import type { InsideAccount } from '../../../../domain/budgets/flows.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { budgetById } from '../budgets.queries.ts'
import {
  existingBudget,
  paymentCards,
  requirePeriod,
  ruleOf,
  type BudgetRow,
} from '../budgets.rules.ts'
import {
  accountsOf,
  askedOf,
  categoriesOf,
  ratesFor,
  scopesOf,
} from '../figures/figures.queries.ts'
import { coverages, linesIn, ratesOn } from '../figures/figures.rules.ts'
import { dayOf, withinRange } from '../figures/figures.usecases.ts'
import { linesOf, unpackLine } from '../lines/lines.queries.ts'
import { recordedFlows } from './members.queries.ts'
import { countRecorded, type MemberSpending, spendingOf } from './members.rules.ts'

/** The spending that each user recorded on the lines of a period. */
export interface SpendingByMember {
  budget: BudgetRow
  period: Period
  members: MemberSpending[]
}

export async function getBudgetByMember(
  ctx: SignedIn,
  id: string,
  named: string,
): Promise<SpendingByMember> {
  const day = dayOf(ctx, named)
  const asked = askedOf(ctx, id, { from: day, to: day })
  const [[found], stored, scopes, categories, accounts, rates, flows] = await read(
    ctx,
    budgetById(ctx, id),
    linesOf(asked),
    scopesOf(asked),
    categoriesOf(asked),
    accountsOf(asked),
    ratesFor(asked),
    recordedFlows(asked),
  )
  const budget = existingBudget(found)
  const period = requirePeriod(ctx, budget, named)
  const rule = ruleOf(budget)
  const lines = stored.map(unpackLine)
  const cards = new Set(paymentCards(budget, accounts).map((card) => card.id))
  const rules = {
    accounts: new Map<string, InsideAccount>(
      accounts.map((one) => [one.id, { ...one, isCard: cards.has(one.id) }]),
    ),
    coverageIn: coverages({ lines, scopes, categories }, (index) => periodAt(rule, index).nominal),
    periodOf: (date: string) => periodIndexOf(rule, date),
    countPending: budget.countPending,
  }
  const lineIds = linesIn(lines, period.nominal)
    .filter(({ scopeKind }) => scopeKind === 'category')
    .map((line) => line.id)
  const names = new Map(flows.map(({ createdBy, name }) => [createdBy, name]))
  return withinRange(() => {
    const recorded = countRecorded(flows, { budget, period: period.index, rules }).filter(
      ({ key }) => lineIds.some((lineId) => key.includes(lineId)),
    )
    const rateOn = ratesOn(
      { budget, rates },
      recorded.map((one) => one.day),
    )
    return { budget, period, members: spendingOf(recorded, names, { lineIds, budget, rateOn }) }
  })
}
