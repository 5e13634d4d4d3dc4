import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type Period, periodAt } from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { firstIndexOf, requirePeriod, ruleOf } from '../budgets.rules.ts'
import { dayOf, figuresOf, readFacts } from '../figures/figures.usecases.ts'
import { existingLine } from '../lines/lines.rules.ts'
import { seenLines } from '../lines/payment-lines.usecases.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'

/** Periods that are shown if nobody says how many, and at most. */
const PERIODS = { default: 24, most: 120 }

export interface LineHistory {
  lineId: string
  periods: FoundPeriod[]
}

/** The periods of a line, from the oldest: by default the last ones up to the current one. */
export async function getLineHistory(
  ctx: SignedIn,
  budgetId: string,
  lineId: string,
  { from, to = 'current' }: { from?: CalendarDate | undefined; to?: CalendarDate | undefined },
): Promise<LineHistory> {
  const day = dayOf(ctx, to)
  const facts = await readFacts(ctx, budgetId, {
    from: from ?? day,
    to: day,
    back: from === undefined ? PERIODS.default : 0,
  })
  const { budget, lines } = facts
  existingLine(seenLines(budget, lines).find(({ id }) => id === lineId))
  const last = requirePeriod(ctx, budget, to)
  const first: Period =
    from === undefined
      ? periodAt(ruleOf(budget), Math.max(firstIndexOf(budget), last.index - PERIODS.default + 1))
      : requirePeriod(ctx, budget, from)
  const count = last.index - first.index + 1
  if (count < 1 || count > PERIODS.most) {
    throw budgetErrors.invalidSpan({ most: PERIODS.most }, { field: 'to' })
  }
  const found = { facts, figures: figuresOf(ctx, facts, last.index), from: first, to: last }
  const periods = Array.from({ length: count }, (_, at) => foundPeriod(found, first.index + at))
  return { lineId, periods }
}
