import {
  envelopeThresholdsReached,
  type Threshold,
  thresholdsReached,
} from '../../../../domain/budgets/thresholds.ts'
import { parsedList } from '../budgets.rules.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'

/** A threshold of a line that was reached in a period, with the amounts of that moment. */
export interface Alert {
  budgetId: string
  period: string
  lineId: string
  /** Whole percent; 0 for overspent. */
  threshold: number
  totalMinor: number
  spentMinor: number
  createdAt: number
}

const storedOf = (threshold: Threshold): number => (threshold === 'over' ? 0 : threshold)

/** The threshold as it is shown. */
export const thresholdOf = ({ threshold }: Pick<Alert, 'threshold'>): Threshold =>
  threshold === 0 ? 'over' : threshold

type AlertKey = Pick<Alert, 'lineId' | 'threshold'>

/** Returns the thresholds that lines of a period have reached without an alert so far. */
export function newAlerts(found: FoundPeriod, reported: readonly AlertKey[], now: number): Alert[] {
  const isReported = (lineId: string, threshold: number) =>
    reported.some((one) => one.lineId === lineId && one.threshold === threshold)
  return reachedIn(found).flatMap(({ lineId, totalMinor, spentMinor, reached }) =>
    reached
      .map(storedOf)
      .filter((threshold) => !isReported(lineId, threshold))
      .map((threshold) => ({
        budgetId: found.budget.id,
        period: found.of.period.nominal,
        ...{ lineId, threshold, totalMinor, spentMinor },
        createdAt: now,
      })),
  )
}

/** Returns the thresholds that each line has reached. Payment lines of cards have none. */
function reachedIn(found: FoundPeriod) {
  if (found.mode === 'envelope') {
    return found.of.figures.lines.map(({ lineId, carriedIn, assigned, activity, available }) => ({
      lineId,
      totalMinor: carriedIn + assigned,
      spentMinor: 0 - activity,
      reached: envelopeThresholdsReached(available),
    }))
  }
  const byLine = new Map(found.lines.map((line) => [line.id, line.thresholds]))
  return found.of.figures.lines.map(({ lineId, total, spent }) => ({
    lineId,
    totalMinor: total,
    spentMinor: spent,
    reached: thresholdsReached(
      parsedList<number>(byLine.get(lineId) ?? found.budget.thresholds),
      total,
      spent,
    ),
  }))
}
