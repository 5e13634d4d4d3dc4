export { changeTransaction } from './changes/changes.usecases.ts'
export {
  countOfPairs,
  DistinctPairRequest,
  pairQuery,
  score,
  truncated,
} from './duplicates/pairs.contract.ts'
export { filterFields } from './listing/filters.contract.ts'
export { listedTransactions, listQuery } from './listing/listing.contract.ts'
export { type ListedTransactions, presentListed } from './listing/listing.contract.ts'
export { listTransactions } from './listing/listing.usecases.ts'
export { joinParts, type PartSides, unmatchSplit } from './matching/matching.usecases.ts'
export type { CreatedTransaction } from './repetition/repetition.usecases.ts'
export {
  NAMES_OF_TRANSACTION,
  newFields,
  UpdateTransactionRequest,
  withNames,
} from './transactions.contract.ts'
export {
  type BookedTransaction,
  bookingErrors,
  createTransaction,
  findTransaction,
  deleteTransaction,
  makeTransaction,
  conflicts as bookingConflicts,
  type Discarded,
} from './transactions.usecases.ts'
export { ownerErrors } from './transactions.errors.ts'
export { createMissing, nameOf, needingOne, notBoth } from './naming/naming.contract.ts'
