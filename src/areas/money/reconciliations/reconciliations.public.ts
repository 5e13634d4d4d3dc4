export { openingConflicts, openReconciliation } from './opening/opening.usecases.ts'
export { accountsToReconcile, reconciliationById } from './reconciliations.queries.ts'
export { numbersOf, type ReconciliationView } from './reconciliations.rules.ts'
export { existing } from './reconciliations.usecases.ts'
export {
  candidatesOf,
  distinctPairsAmong,
  rowsElsewhere,
  sessionSpan,
  skippedRows,
  trashedRows,
} from './candidates/candidates.queries.ts'
export type { FoundRow, RowTexts, TrashedRow } from './candidates/candidates.rules.ts'
export { driftOf } from './drift/drift.queries.ts'
export { type Drift, driftFrom } from './drift/drift.rules.ts'
