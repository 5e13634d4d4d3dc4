import { type Decision, type Verdict, VERDICTS } from './verdicts.ts'

/** The rows of a file by their verdicts; each row has one. */
export type RowCounts = Record<'rows' | Verdict, number>

export const noRows = (): RowCounts => ({
  ...{ rows: 0, new: 0, duplicate: 0, matched: 0, updated: 0, transfer: 0 },
  ...{ ignored: 0, locked: 0, error: 0, skipped: 0 },
})

export function countRows(decisions: readonly Pick<Decision, 'verdict'>[]): RowCounts {
  const counts = noRows()
  for (const { verdict } of decisions) {
    counts.rows += 1
    counts[verdict] += 1
  }
  return counts
}

/** The counts after some rows have got other verdicts than those that they were counted by. */
export function recounted(
  counts: RowCounts,
  changes: readonly { before: Verdict; after: Verdict }[],
): RowCounts {
  const next = { ...counts }
  for (const { before, after } of changes) {
    next[before] -= 1
    next[after] += 1
  }
  return next
}

export const addCounts = (one: RowCounts, other: RowCounts): RowCounts => {
  const sum = noRows()
  for (const key of ['rows', ...VERDICTS] as const) {
    sum[key] = one[key] + other[key]
  }
  return sum
}

/** Tells whether every row is counted exactly once. */
export const areComplete = (counts: RowCounts): boolean =>
  counts.rows === VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0) &&
  VERDICTS.every((verdict) => counts[verdict] >= 0)
