import { addDays, type CalendarDate, isCalendarDate } from '../../../../domain/calendar.ts'
import { findCurrency } from '../../../../domain/currency.ts'
import { formatRate, parseRate, REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import { parseXml, type XmlElement } from '../../../../domain/xml.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { rateKey, type RateContent } from '../exchange-rates.rules.ts'

const VOCABULARY = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref'
/** Envelope, and three of Cube within each other. */
const DEPTH = 4

/**
 * The rates in a file of the European Central Bank's reference rates (`eurofxref-daily.xml`, and that of the last
 * 90 days), in its order. A file that is not exactly of that form is refused as a whole; only codes that are not
 * known are passed over.
 * @param today in UTC; the file may be a day ahead, and no more
 * @throws AppError `exchangeRates.malformedFile`
 */
export function readReferenceRates(bytes: Uint8Array, today: CalendarDate): RateContent[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    const rates = daysOf(parseXml(text, { maxDepth: DEPTH })).flatMap((day) =>
      ratesOf(day, addDays(today, 1)),
    )
    requireForm(rates.length > 0 && new Set(rates.map(rateKey)).size === rates.length)
    return rates.filter(({ to }) => findCurrency(to) !== undefined)
  } catch (cause) {
    throw exchangeRateErrors.malformedFile({ cause })
  }
}

function daysOf({ name, attributes, children }: XmlElement): XmlElement[] {
  requireForm(name === 'gesmes:Envelope' && attributes.get('xmlns') === VOCABULARY)
  const cubes = children.filter((child) => child.name === 'Cube')
  const [cube] = cubes
  requireForm(cube !== undefined && cubes.length === 1 && cube.children.length > 0)
  return cube.children
}

function ratesOf(day: XmlElement, latest: CalendarDate): RateContent[] {
  const date = day.attributes.get('time') ?? ''
  requireForm(
    day.name === 'Cube' && isCalendarDate(date) && date <= latest && day.children.length > 0,
  )
  return day.children.map(({ name, attributes, children }) => {
    const to = attributes.get('currency') ?? ''
    requireForm(name === 'Cube' && /^[A-Z]{3}$/.test(to) && children.length === 0)
    requireForm(to !== REFERENCE_CURRENCY)
    const rate = formatRate(parseRate(attributes.get('rate') ?? ''))
    return { from: REFERENCE_CURRENCY, to, date, rate }
  })
}

export function requireForm(holds: boolean): asserts holds {
  if (!holds) {
    throw new Error('the file is not of the form that the European Central Bank gives it')
  }
}

/** For the log: every rate once, by day and currency. */
export function byDay(rates: RateContent[]): Record<CalendarDate, Record<string, string>> {
  const days = Map.groupBy(rates, ({ date }) => date)
  return Object.fromEntries(
    [...days].map(([date, ofDay]) => [
      date,
      Object.fromEntries(ofDay.map(({ to, rate }) => [to, rate])),
    ]),
  )
}
