export { amendmentOf, decideChange, NOTHING_NAMED, removalOf } from './changes/changes.rules.ts'
export { change as changeTransactions, changeTransaction } from './changes/changes.usecases.ts'
export { allowedIn, type BulkOutcome, locksIn, type Outcomes } from './bulk/selection.usecases.ts'
export { attempt, MOST_BULK_LINES, MOST_TRANSACTIONS, refusalIn } from './bulk/bulk.rules.ts'
export { type Creation, outcomeOf } from './bulk/creation.usecases.ts'
export {
  ChangeTransactionsResponse,
  CreatedTransactionsResponse,
  presentBulkChanges,
  presentCreation,
  presentRefusal,
  refusalFields,
} from './bulk/bulk.contract.ts'
export {
  bookingOf,
  categoriesInRequest,
  type SentTransaction,
  type TransactionChanges,
} from './transactions.rules.ts'
export { withStatusOf } from './splits/parts.rules.ts'
export { labelsInRequest } from './labels/labels.rules.ts'
export {
  countOfPairs,
  DistinctPairRequest,
  pairQuery,
  score,
  truncated,
} from './duplicates/pairs.contract.ts'
export { filterFields } from './listing/filters.contract.ts'
export { ListTransactionsQuery } from './transactions.contract.ts'
export { listedTransactions, listQuery } from './listing/listing.contract.ts'
export { type ListedTransactions, presentListed } from './listing/listing.contract.ts'
export { listTransactions } from './listing/listing.usecases.ts'
export { joinParts, type PartSides, unmatchSplit } from './matching/matching.usecases.ts'
export {
  applyRules,
  NAMES_OF_TRANSACTION,
  newFields,
  newStatus,
  undatedFields,
  UpdateTransactionRequest,
  withNames,
} from './transactions.contract.ts'
export {
  makeDrafts,
  makeTransaction,
  type MadeTransaction,
  type RecordDraft,
  type Recorded,
  rowOfMade,
} from './recording/making.usecases.ts'
export { type Concession, concessionAfter } from './recording/giving-way.rules.ts'
export { bookingErrors, transferBookingErrors } from './recording/posting-errors.rules.ts'
export { checkDrafts } from './recording/checking.usecases.ts'
export { record, recordOne } from './recording/recording.usecases.ts'
export { transactionErrors } from './transactions.errors.ts'
export { transferErrors } from './recording/transfers.errors.ts'
export {
  canBeTransfer,
  changedLeg,
  changedPlan,
  feeFieldOf,
  type TransferPlan,
  requireOneOwner,
  requireTransferCategories,
  type SentTransfer,
  transferCategoriesNamed,
  type TransferChanges,
  transferColumns,
  transferDraft,
  transferLabels,
  transferWithNew,
} from './recording/transfers.rules.ts'
export {
  transactionConflicts as bookingConflicts,
  type CreatedTransaction,
  createTransaction,
  deleteTransaction,
  type Discarded,
  findTransaction,
} from './transactions.usecases.ts'
export { createMissing, nameOf, needingOne, notBoth } from './naming/naming.contract.ts'
