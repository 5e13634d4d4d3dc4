import type { Period } from '../../../../domain/budgets/periods.ts'
import { type ScheduledCost, scheduledNeed } from '../../../../domain/budgets/scheduled.ts'
import { lazily, memoized } from '../../../../domain/memoized.ts'
import { costsIn, unpackItem } from '../../recurring/recurring.public.ts'
import { ruleOf } from '../budgets.rules.ts'
import { type BudgetFacts, converted, ratesOn } from '../figures/figures.rules.ts'
import type { ScheduledNeeds } from './targets.rules.ts'

/** Finds the needs for what recurs in any of these periods, of the items that were read. Amounts are converted at today's rate. */
export function scheduledNeedsIn(facts: BudgetFacts, periods: readonly Period[]): ScheduledNeeds {
  const { budget, today } = facts
  const rule = ruleOf(budget)
  const rateOn = lazily(() => ratesOn(facts, [today]))
  const imagesOf = lazily(() => Map.groupBy(facts.items, ({ namedBy }) => namedBy))
  const costsOf = memoized((image: string): (ScheduledCost | undefined)[] => {
    const item = unpackItem(image, today)
    const span = [periods.at(0)?.start ?? today, periods.at(-1)?.end ?? today] as const
    return costsIn(item, span).map((cost) => {
      const at = { to: budget.currency, day: today, rateOn: rateOn() }
      const amountMinor = converted(cost.amountMinor, item.currency, at)
      return amountMinor === undefined ? undefined : { ...cost, amountMinor }
    })
  })
  return ({ recurringIds }, period, carriedIn) => {
    const chains = recurringIds.map((id) => (imagesOf().get(id) ?? []).map(({ image }) => image))
    const series = chains.filter(isWhole).map((images) => images.flatMap(costsOf))
    const isConverted = (costs: (ScheduledCost | undefined)[]): costs is ScheduledCost[] =>
      !costs.includes(undefined)
    return series.every(isConverted)
      ? scheduledNeed(series, rule, { period, today, carriedIn })
      : undefined
  }
}

/** An item and those that go on from it are one series, also where a target names several of them. */
const isWhole = (chain: readonly string[], _: number, chains: readonly (readonly string[])[]) =>
  !chains.some((other) => other.length > chain.length && chain.every((one) => other.includes(one)))
