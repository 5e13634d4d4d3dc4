import type { CalendarDate } from '../../../../domain/calendar.ts'
import {
  type Period,
  periodAt,
  periodIndexOf,
  periodNamed,
} from '../../../../domain/budgets/periods.ts'
import { sum } from '../../../../domain/money.ts'
import { firstIndexOf, ruleOf, paymentCards } from '../budgets.rules.ts'
import type { BudgetFigures, EnvelopePeriod } from '../figures/envelopes.rules.ts'
import { type BudgetFacts, converted, ratesOn } from '../figures/figures.rules.ts'

/** Periods that change often, and are worked out on each read. */
const RECENT = 3

/** The distance between checkpoints of older periods, in periods. */
const APART = 12

/** A read that has to work out more periods than this leaves a task for whoever writes next. */
const MANY = 24

/**
 * The periods that should have a checkpoint: the one three before the current one, and one in twelve before it. These are
 * counted from the first period, so that they stay as time goes on.
 */
export function checkpointPeriods(
  budget: Parameters<typeof firstIndexOf>[0],
  today: CalendarDate,
): Period[] {
  const rule = ruleOf(budget)
  const first = firstIndexOf(budget)
  const last = periodIndexOf(rule, today) - RECENT
  const older = Array.from(
    { length: Math.max(0, Math.floor((last - first) / APART)) },
    (_, at) => first + (at + 1) * APART - 1,
  )
  return [...older, ...(last < first ? [] : [last])].map((index) => periodAt(rule, index))
}

/** Returns the state of a period for a checkpoint; undefined if the period was not calculated. */
export function checkpointImage(figures: BudgetFigures, index: number): string | undefined {
  if (figures.mode === 'limit') {
    const found = figures.periods.find(({ period }) => period.index === index)
    return found && JSON.stringify({ after: found.after })
  }
  const found = figures.periods.find(({ period }) => period.index === index)
  return found && JSON.stringify({ after: found.after, balances: found.balances })
}

/** Tells whether checkpoints are missing, because too many periods had to be calculated. */
export const lacksCheckpoints = ({ periods }: BudgetFigures, fromIndex: number): boolean =>
  fromIndex - (periods[0]?.period.index ?? fromIndex) > MANY

/** The accounts that a checkpoint is made from, as `ACCOUNTS_OF_CHECKPOINT` writes them. */
export const madeFrom = ({ accounts }: Pick<BudgetFacts, 'accounts'>): string =>
  accounts
    .map(({ id, currency, type }) => `${id} ${currency} ${Number(type === 'creditCard')}`)
    .join(',')

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
      const right = named && checkpointImage(figures, named.index)
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
