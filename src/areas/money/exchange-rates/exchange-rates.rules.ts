import type { CalendarDate } from '../../../domain/calendar.ts'
import {
  type ChosenRate,
  formatRate,
  parseRate,
  REFERENCE_CURRENCY,
  type StoredRate,
  withFixedRates,
} from '../../../domain/exchange.ts'
import { exchangeRateErrors } from './exchange-rates.errors.ts'

export interface RateContent {
  from: string
  to: string
  date: CalendarDate
  /** The rate as it was sent; see `parseRate`. */
  rate: string
}

/**
 * The rate in its shortest form.
 * @param prefix of the fields that an error names
 */
export function checkedRate(sent: RateContent, prefix = ''): RateContent {
  const { from, to, date, rate } = sent
  if (from === to) {
    throw exchangeRateErrors.samePair({ field: `${prefix}to` })
  }
  return { from, to, date, rate: formatRate(parseRate(rate, `${prefix}rate`)) }
}

/** The key that makes a rate unique among those of one owner. */
export const rateKey = ({ from, to, date }: Omit<RateContent, 'rate'>): string =>
  `${from} ${to} ${date}`

/** `checkedRate` of many at once, no two of which may be of one pair and date. */
export function checkedRates(sent: RateContent[]): RateContent[] {
  const seen = new Set<string>()
  return sent.map((rate, at) => {
    const checked = checkedRate(rate, `rates.${at}.`)
    if (seen.size === seen.add(rateKey(checked)).size) {
      throw exchangeRateErrors.repeated({ field: `rates.${at}.date` })
    }
    return checked
  })
}

/** The newest rates of one currency, each `date own rate`: nothing where none is stored or needed. */
export interface PackedRates {
  currency: string
  base: string
  target: string
  toTarget: string
  fromTarget: string
  toBase: string | null
  fromBase: string | null
  toReference: string | null
  fromReference: string | null
}

/** The rates of all rows on a day, each pair once, with the fixed ones of currencies that ended. */
export function storedRates(rows: PackedRates[], day: CalendarDate): StoredRate[] {
  const rates = rows.flatMap(({ currency, base, target, ...packed }) => [
    ...unpack(currency, target, packed.toTarget),
    ...unpack(target, currency, packed.fromTarget),
    ...unpack(currency, base, packed.toBase),
    ...unpack(base, currency, packed.fromBase),
    ...unpack(currency, REFERENCE_CURRENCY, packed.toReference),
    ...unpack(REFERENCE_CURRENCY, currency, packed.fromReference),
  ])
  const byPair = new Map(rates.map((rate) => [`${rate.from} ${rate.to}`, rate]))
  const codes = rows.flatMap(({ currency, base, target }) => [currency, base, target])
  return withFixedRates([...byPair.values()], codes, day)
}

function unpack(from: string, to: string, packed: string | null): StoredRate[] {
  const [date, , rate] = packed?.split(' ') ?? []
  return date !== undefined && rate !== undefined ? [{ from, to, date, rate }] : []
}

/** The currency that two rates meet in; null for one rate. */
export const viaOf = ({ path }: ChosenRate, base: string): string | null =>
  path === 'viaBase' ? base : path === 'viaReference' ? REFERENCE_CURRENCY : null
