import { addDays, type CalendarDate, dateInZone, daysBetween } from '../../../../domain/calendar.ts'
import { findCurrency } from '../../../../domain/currency.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { type CoveredCurrency, currenciesCovered, gapsBetweenRates } from './coverage.queries.ts'
import type { Span } from './coverage.rules.ts'

export interface RateCoverage extends CoveredCurrency {
  gaps: (Span & { days: number })[]
}

/** Returns for which days there are rates of the currencies that the caller needs. */
export async function getRateCoverage(ctx: SignedIn): Promise<RateCoverage[]> {
  // A rate is a day's, and the user's own zone is known only after the read.
  const today = dateInZone(ctx.now, 'UTC')
  const [currencies, gaps] = await read(
    ctx,
    currenciesCovered(ctx, today),
    gapsBetweenRates(ctx, today, addDays(today, 1)),
  )
  const byCurrency = Map.groupBy(gaps, ({ currency }) => currency)
  return currencies.map((one) => ({
    ...one,
    gaps: (byCurrency.get(one.currency) ?? []).flatMap((gap) => beforeEnd(one.currency, gap)),
  }))
}

/** From the day of its fixed rate on, a currency has no gaps. */
function beforeEnd(currency: string, { from, through, days }: Span & { days: number }) {
  const end: CalendarDate | undefined = findCurrency(currency)?.succeededBy?.on
  if (end === undefined || through < end) {
    return [{ from, through, days }]
  }
  return from < end ? [{ from, through: addDays(end, -1), days: daysBetween(from, end) }] : []
}
