/** A whole percent of the total, or `over` for more than there is. */
export type Threshold = number | 'over'

/**
 * The whole percents of the total that are spent, rounded down, from 0 to 2^53 - 1; null where there is no total to
 * spend from.
 */
export function percentSpent(total: number, spent: number): number | null {
  if (total <= 0) {
    return null
  }
  const percent = (100n * BigInt(Math.max(0, spent))) / BigInt(total)
  return Math.min(Number(percent), Number.MAX_SAFE_INTEGER)
}

/**
 * The thresholds that a limit has reached, from the lowest, and `over` at last. A threshold is reached when exactly so
 * much is spent, but `over` takes more than the total. `spent` is all that is booked in the period, also ahead of today.
 */
export function thresholdsReached(
  percents: readonly number[],
  total: number,
  spent: number,
): Threshold[] {
  const reached = percents.filter((percent) => isReached(percent, total, spent))
  const ascending = [...new Set(reached)].toSorted((a, b) => a - b)
  return spent > total ? [...ascending, 'over'] : ascending
}

/** An envelope is over when less than nothing is available in it. */
export function envelopeThresholdsReached(available: number): Threshold[] {
  return available < 0 ? ['over'] : []
}

const isReached = (percent: number, total: number, spent: number) =>
  total > 0 && BigInt(spent) * 100n >= BigInt(percent) * BigInt(total)
