import { type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import { chooseRate, type ChosenRate, convertForDisplay } from '../../../../domain/exchange.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { currenciesOfUser } from '../../currencies/currencies.public.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { ratesAsOf } from '../exchange-rates.queries.ts'
import { storedRates } from '../exchange-rates.rules.ts'
import { codesIn, only } from './conversion.queries.ts'

interface ConvertAmountInput {
  /** The amount as it was sent. */
  amount: string
  from: string
  to: string
  date?: CalendarDate | undefined
}

export interface AmountConversion {
  minor: number
  from: string
  /** For display; may be beyond the range of amounts. */
  convertedMinor: bigint
  to: string
  date: CalendarDate
  base: string
  chosen: ChosenRate
}

/** Converts by the newest rates on or before a day; throws `exchangeRates.noRate` rather than guess. */
export async function convertAmount(
  ctx: SignedIn,
  { amount, from, to, date = todayOf(ctx) }: ConvertAmountInput,
): Promise<AmountConversion> {
  const minor = parseMoney(amount, from, { signed: true, field: 'amount' })
  const [found] = await read(ctx, ratesAsOf(ctx, date, only(from), to))
  const base = profileOf(ctx).baseCurrency
  const chosen = chooseRate(storedRates(found, date), from, to, base)
  if (!chosen) {
    throw exchangeRateErrors.noRate()
  }
  const convertedMinor = convertForDisplay(minor, from, to, chosen.rate)
  return { minor, from, convertedMinor, to, date, base, chosen }
}

export interface LatestRates {
  base: string
  today: CalendarDate
  rates: { currency: string; chosen: ChosenRate; date: CalendarDate }[]
  missing: string[]
}

/** The newest rate to the base currency of every other one that the caller works with. */
export async function getLatestExchangeRates(ctx: SignedIn): Promise<LatestRates> {
  const today = todayOf(ctx)
  const used = currenciesOfUser(ctx)
  const [codes, found] = await read(ctx, codesIn(used), ratesAsOf(ctx, today, used, null))
  const base = profileOf(ctx).baseCurrency
  const stored = storedRates(found, today)
  const others = codes.filter(({ currency }) => currency !== base)
  const rates = others.flatMap(({ currency }) => {
    const chosen = chooseRate(stored, currency, base, base)
    return chosen?.date === undefined ? [] : [{ currency, chosen, date: chosen.date }]
  })
  const known = new Set(rates.map(({ currency }) => currency))
  const missing = others.map(({ currency }) => currency).filter((code) => !known.has(code))
  return { base, today, rates, missing }
}

// The user's own zone is known only after the read; a rate is a day's, so the day in UTC serves.
const todayOf = (ctx: SignedIn) => dateInZone(ctx.now, 'UTC')
