export {
  openingConflicts,
  openReconciliation,
  type Opened,
  type Opening,
} from './opening/opening.usecases.ts'
export { type AccountToReconcile, accountsToReconcile } from './reconciliations.queries.ts'
