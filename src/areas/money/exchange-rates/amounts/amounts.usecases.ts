import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { type PackedRate, ratesOnDays } from '../series/series.rules.ts'
import { BASE, type DatedAmount } from './amounts.rules.ts'

/** The currency that amounts are converted into, and the one that connects two rates; known once something was read. */
export function targetOf(ctx: SignedIn, convert: string): { target: string; base: string } {
  const base = profileOf(ctx).baseCurrency
  return { target: convert === BASE ? base : convert, base }
}

/** Decides on the rate of each row that was read `withRates`, each by its own day. */
export function exchanged<Row extends DatedAmount>(
  ctx: SignedIn,
  rows: Row[],
  convert: string | undefined,
): Row[] {
  if (convert === undefined) {
    return rows
  }
  const currencies = targetOf(ctx, convert)
  return (rows as (Row & { rates: string })[]).map((row) => {
    const found = (JSON.parse(row.rates) as PackedRate[]).filter(({ packed }) => packed !== '')
    const [rateOf] = ratesOnDays(found, [row.date], currencies)
    return { ...row, exchange: { to: currencies.target, chosen: rateOf?.(row.currency) } }
  })
}
