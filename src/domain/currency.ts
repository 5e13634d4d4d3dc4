import currencies from './currency.json' with { type: 'json' }
import { errorTable } from './errors.ts'

type MinorDigits = 0 | 2 | 3 | 4

export interface Currency {
  /** Three capital letters of ISO 4217. */
  readonly code: string
  /** English name. */
  readonly name: string
  /** For display only: many currencies share `$`. The code itself where there is no common sign. */
  readonly symbol: string
  /** Decimal places: money in this currency counts units of 10^-minorDigits. */
  readonly minorDigits: MinorDigits
  /** False for a withdrawn code, which is known only so that old data can be read. */
  readonly active: boolean
  /** The currency that replaced it for good, at a rate that was fixed by law. */
  readonly succeededBy?: Succession
}

interface Succession {
  readonly code: string
  /** Units of the old currency for one of the new, as decimal text. */
  readonly rate: string
  /** The first day of the fixed rate. */
  readonly on: string
}

/** A currency as `currency.json` has it. */
type Row = Omit<Currency, 'active'>

// The table is our own because the platform's is no authority for money: Intl answers 2 digits for
// every code that it does not know, and 0 for some that have 2 (HUF, IDR).
const active = currencies.active as Row[]
const historic = currencies.historic as Row[]

/** Withdrawn before the historic ones. */
const ENDED = new Set(currencies.ended.flatMap((line) => line.split(' ')))

const errors = errorTable('currency', {
  unknown: ['invalid', 'This currency code is not known.'],
})

/** Every known currency, active and historic, in order of code. */
export const CURRENCIES: readonly Currency[] = [
  ...active.map((row) => ({ ...row, active: true })),
  ...historic.map((row) => ({ ...row, active: false })),
].toSorted((a, b) => (a.code < b.code ? -1 : 1))

const byCode = new Map(CURRENCIES.map((currency) => [currency.code, currency]))

/** The currency with exactly this code (capitals), active or historic. */
export function findCurrency(code: string): Currency | undefined {
  return byCode.get(code)
}

/** True if new data may use this code. */
export function isActiveCurrency(code: string): boolean {
  return byCode.get(code)?.active === true
}

/** True if a currency is no longer in use. An amount in it is a different amount in the currency that replaced it. */
export const isEndedCurrency = (code: string): boolean =>
  ENDED.has(code) || byCode.get(code)?.active === false

/** Decimal places of a currency; throws `currency.unknown`. */
export function minorDigits(code: string): number {
  const currency = byCode.get(code)
  if (currency === undefined) {
    throw errors.unknown()
  }
  return currency.minorDigits
}
