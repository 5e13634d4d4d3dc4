import { periodNamed } from '../../../../domain/budgets/periods.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { sum } from '../../../../domain/money.ts'
import { paymentCards, ruleOf } from '../budgets.rules.ts'
import { imageOf, madeFrom } from '../checkpoints/checkpoints.rules.ts'
import type { BudgetFigures, EnvelopePeriod } from '../figures/envelopes.rules.ts'
import { type BudgetFacts, converted, ratesOn } from '../figures/figures.rules.ts'

/** The checkpoints that reads use and that say something else than all periods since the beginning. */
export function wrongCheckpoints<
  Stored extends { period: string; accounts: string; image: string },
>(facts: BudgetFacts, figures: BudgetFigures, stored: readonly Stored[]): Stored[] {
  const lines = new Set(facts.lines.map(({ id }) => id))
  const isGone = (key: string) =>
    facts.budget.mode === 'limit' && key.startsWith('bln_') && !lines.has(key)
  const rule = ruleOf(facts.budget)
  return stored
    .filter(({ accounts }) => accounts === madeFrom(facts))
    .filter(({ period, image }) => {
      const named = periodNamed(rule, period)
      const right = named && imageOf(figures, named.index)
      return right === undefined || meaningOf(image, isGone) !== meaningOf(right, isGone)
    })
}

/** An image as text, whatever the order of its keys. What is zero means nothing, nor does a limit that was erased since. */
function meaningOf(image: string, isGone: (key: string) => boolean): string {
  const isMeant = ([key, value]: [string, unknown]) =>
    value !== 0 && JSON.stringify(value) !== '{}' && !isGone(key)
  return JSON.stringify(JSON.parse(image), (_, value: unknown) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(isMeant)
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  )
}

/** Returns the money in cash accounts according to lines, pool and cards. */
const moneyIn = ({ figures }: EnvelopePeriod): number =>
  sum([
    figures.toBeBudgeted,
    figures.held,
    figures.deferred,
    ...[...figures.lines, ...figures.payments].flatMap((row) => [
      row.available,
      row.creditOverspent,
    ]),
  ])

/**
 * Describes how an envelope budget differs from its cash accounts, if it does: its money must equal theirs, and without
 * other currencies there is no exchange difference.
 * @param held what the accounts hold at the end of the period, as the ledger knows it
 */
export function brokenIdentity(
  facts: BudgetFacts,
  period: EnvelopePeriod,
  held: ReadonlyMap<string, number>,
): string[] {
  const { budget, accounts } = facts
  const cards = new Set(paymentCards(budget, accounts).map(({ id }) => id))
  const day: CalendarDate = period.period.end < facts.today ? period.period.end : facts.today
  const rateOn = ratesOn(facts, [day])
  const worth = sum(
    accounts
      .filter(({ id }) => !cards.has(id))
      .map(
        ({ id, currency }) =>
          converted(held.get(id) ?? 0, currency, { to: budget.currency, day, rateOn }) ?? 0,
      ),
  )
  const money = moneyIn(period)
  return worth === money
    ? []
    : [
        `budget ${budget.id} in ${period.period.nominal}: lines and pool give ${money}, its accounts hold ${worth}`,
      ]
}

/**
 * Exchange differences of a budget without other currencies, in words. Where periods are closed, accounts that left since, or are
 * handled otherwise, may have left some.
 */
export function strangeDifferences(
  { budget, accounts, closings }: BudgetFacts,
  periods: readonly EnvelopePeriod[],
): string[] {
  const mustBeNone =
    closings.length === 0 && accounts.every(({ currency }) => currency === budget.currency)
  return periods
    .filter(({ figures }) => mustBeNone && figures.exchangeDifference !== 0)
    .map(
      ({ period, figures }) =>
        `budget ${budget.id} in ${period.nominal}: an exchange difference of ${figures.exchangeDifference} in one currency`,
    )
}
