import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { rateKey, type RateContent } from '../exchange-rates.rules.ts'

interface Rate extends RateContent {
  id: string
  ownerId: string | null
  version: number
  createdAt: number
  updatedAt: number
}

/** The plan for one rate that was sent. */
export interface PlannedRate {
  status: 'created' | 'replaced' | 'unchanged'
  rate: Rate
  /** The rate that it replaces. */
  before: Rate | undefined
}

/** Finds each rate its place beside those that are stored; throws `exchangeRates.taken`. */
export function place(
  fresh: Rate[],
  stored: Rate[],
  { replace }: { replace: boolean },
): PlannedRate[] {
  const byKey = new Map(stored.map((rate) => [rateKey(rate), rate]))
  return fresh.map((rate, at) => {
    const before = byKey.get(rateKey(rate))
    if (before === undefined) {
      return { status: 'created', rate, before }
    }
    if (!replace) {
      throw exchangeRateErrors.taken({ field: `rates.${at}.date` })
    }
    if (before.rate === rate.rate) {
      return { status: 'unchanged', rate: before, before }
    }
    const { updatedAt } = rate
    const after = { ...before, rate: rate.rate, version: before.version + 1, updatedAt }
    return { status: 'replaced', rate: after, before }
  })
}
