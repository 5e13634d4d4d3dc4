import { divideHalfEven } from '../money.ts'

/** How an item tells which amounts fit: the very one, one near it, or one of a span. */
export const AMOUNTS_ARE = ['exact', 'about', 'between'] as const

/** The amounts that fit an item, in minor units and without a sign. */
export interface ExpectedAmount {
  amountIs: (typeof AMOUNTS_ARE)[number]
  /** With `between`, the smallest. */
  amountMinor: number
  /** The largest; only with `between`. */
  amountMaxMinor: number | null
  /** Hundredths of a percent; only with `about`. */
  tolerance: number
}

/** Hundredths of a percent in one. */
const WHOLE = 10_000n

/** The greatest difference that is allowed is a fraction, so it is compared as `difference × 10,000` with `tolerance × amount`. */
const allowed = ({ amountMinor, tolerance }: ExpectedAmount) =>
  BigInt(tolerance) * BigInt(amountMinor)

const differenceOf = ({ amountMinor }: ExpectedAmount, minor: number) =>
  BigInt(Math.abs(minor - amountMinor))

export function amountFits(expected: ExpectedAmount, minor: number): boolean {
  const { amountIs, amountMinor, amountMaxMinor } = expected
  if (amountIs === 'between') {
    return minor >= amountMinor && minor <= (amountMaxMinor ?? amountMinor)
  }
  return amountIs === 'exact'
    ? minor === amountMinor
    : differenceOf(expected, minor) * WHOLE <= allowed(expected)
}

/** The smallest amount that fits. */
export function leastAmount(expected: ExpectedAmount): number {
  const { amountIs, amountMinor } = expected
  return amountIs === 'about'
    ? Number(BigInt(amountMinor) - allowed(expected) / WHOLE)
    : amountMinor
}

/** How near an amount that fits is to the expected one, from 20 at the edge of what is allowed to 40. */
export function amountScore(expected: ExpectedAmount, minor: number): number {
  const difference = differenceOf(expected, minor)
  return expected.amountIs !== 'about' || difference === 0n
    ? 40
    : 40 - Number((20n * difference * WHOLE) / allowed(expected))
}

/**
 * The amount of an item after what was paid for its occurrences: one that was paid twice in a row takes its place.
 * @param paid in the order of their dates
 */
export const amountAfter = (
  { amountIs, amountMinor }: ExpectedAmount,
  paid: readonly number[],
): number =>
  amountIs === 'between'
    ? amountMinor
    : (paid.findLast((minor, at) => minor === paid[at - 1]) ?? amountMinor)

/** The change of an amount in percent of what it was, such as `+10.01`. */
export function percentChange(before: number, after: number): string {
  const hundredths = divideHalfEven(BigInt(after - before) * WHOLE, BigInt(before))
  return `${hundredths > 0n ? '+' : ''}${(Number(hundredths) / 100).toFixed(2)}`
}
