import { sum } from '../money.ts'

export const POLICIES = ['none', 'surplus', 'deficit', 'both'] as const

/** A line carries its surplus into the next period, its deficit, both or nothing. */
export type CarryPolicy = (typeof POLICIES)[number]

/** Tells if a line with this policy carries the amount into the next period. */
export function carriesOver(policy: CarryPolicy, minor: number): boolean {
  return policy === 'both' || policy === (minor < 0 ? 'deficit' : 'surplus')
}

/** Sums by key, as they are stored. */
export type StoredSums = Record<string, number>

/** Adds sums key by key. */
export function addSums(
  one: StoredSums,
  other: Iterable<readonly [string, number]>,
): Map<string, number> {
  const added = new Map(Object.entries(one))
  for (const [key, minor] of other) {
    added.set(key, sum([added.get(key) ?? 0, minor]))
  }
  return added
}

/** The difference between `live` and `stored`, key by key. */
export const subtractSums = (
  live: Iterable<readonly [string, number]>,
  stored: StoredSums,
): Map<string, number> =>
  addSums(Object.fromEntries(Object.entries(stored).map(([key, minor]) => [key, 0 - minor])), live)

/** The sums that are not zero, to be stored. */
export const fromSums = (sums: Iterable<readonly [string, number]>): StoredSums =>
  Object.fromEntries([...sums].filter(([, minor]) => minor !== 0))

/**
 * The sums that a closing stores. It leaves out what is pending: that counts once it is cleared, and until then the first
 * open period names it.
 */
export const sumsToClose = (sums: Iterable<readonly [string, number]>): StoredSums =>
  fromSums([...sums].filter(([key]) => key !== 'pending'))
