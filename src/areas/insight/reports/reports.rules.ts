import type { ErrorDetail } from '../../../domain/errors.ts'
import { convertForDisplay, type ChosenRate } from '../../../domain/exchange.ts'
import { reportErrors } from './reports.errors.ts'

/** The error of a series with more points than it may have. */
export const pointErrorsOf = (most = 1000) => ({
  tooManyPoints: (detail: ErrorDetail) =>
    reportErrors.tooManyPoints(
      { most: `${most} points`, remedy: 'Choose a shorter span or a longer interval.' },
      detail,
    ),
})

export const pointErrors = pointErrorsOf()

/** Sums of minor units of one currency. */
export interface WorthTotals {
  assets: bigint
  /** Negative is owed. */
  liabilities: bigint
}

interface Worth {
  class: 'asset' | 'liability'
  minor: bigint
}

export function totalsOfWorths(worths: Worth[]): WorthTotals {
  const totalOf = (side: Worth['class']) =>
    worths.reduce((total, one) => (one.class === side ? total + one.minor : total), 0n)
  return { assets: totalOf('asset'), liabilities: totalOf('liability') }
}

/** An account's balance on a day, with what converts it. */
export interface Valued {
  class: 'asset' | 'liability'
  currency: string
  minor: bigint
  chosen: ChosenRate | undefined
}

/** True if an amount counts but cannot be converted. Zero is worth zero at any rate. */
export const isUnconverted = ({ minor, chosen }: Valued): boolean => !chosen && minor !== 0n

/** In the wanted currency, rounded by itself; undefined without a rate. */
export const convertedMinor = (
  { minor, currency, chosen }: Valued,
  wanted: string,
): bigint | undefined => chosen && convertForDisplay(minor, currency, wanted, chosen.rate)

/** Each balance is rounded, then summed; what has no rate is left out. */
export const convertedTotals = (all: Valued[], wanted: string): WorthTotals =>
  totalsOfWorths(all.map((one) => ({ class: one.class, minor: convertedMinor(one, wanted) ?? 0n })))
