import { divideHalfEven } from '../money.ts'

const TENTHS_OF_PERCENT = 1000n

/** A share in percent with one decimal, half to even, such as `53.4`; null of nothing. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) {
    return null
  }
  const sign = whole < 0n ? -1n : 1n
  const tenths = divideHalfEven(part * TENTHS_OF_PERCENT * sign, whole * sign)
  const digits = String(tenths < 0n ? -tenths : tenths).padStart(2, '0')
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`
}

/** The part of what was earned that was not spent; null where nothing was earned. */
export const savingsRate = (earned: bigint, spent: bigint): string | null =>
  earned > 0n ? percentOf(earned - spent, earned) : null
