export { openingConflicts, openReconciliation } from './opening.usecases.ts'
export { accountsToReconcile, reconciliationById, driftOf } from './reconciliations.queries.ts'
export {
  numbersOf,
  type ReconciliationView,
  type Drift,
  driftFrom,
  type FoundRow,
  type RowTexts,
  type TrashedCandidate,
} from './reconciliations.rules.ts'
export { existingReconciliation } from './reconciliations.usecases.ts'
export {
  candidatesOf,
  distinctPairsAmong,
  rowsElsewhere,
  sessionSpan,
  skippedRows,
  trashedRows,
} from './candidates.queries.ts'
