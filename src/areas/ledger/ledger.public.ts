export { ledgerChecks } from './checks/checks.queries.ts'
export { CHECK_LEDGER } from './checks/checks.rules.ts'
export { compareLedger } from './checks/checks.usecases.ts'
export { presentTransaction } from './ledger.presenters.ts'
export { requireUnreconciled } from './ledger.rules.ts'
export {
  type Header,
  type LedgerRow,
  ledgerRowByExternalId,
  ledgerRowById,
  ledgerRowsIn,
  legsOf,
  newHeader,
} from './ledger.queries.ts'
export { ledgerRowsByExternalIds, ledgerRowsByIds } from './bulk/bulk.queries.ts'
export { moveAttachments, withAttachmentsOf } from './files/files.queries.ts'
export { filterFields } from './filters/filters.schemas.ts'
export {
  isByPeriod,
  ledgerCount,
  type LedgerFilter,
  ledgerSums,
  ledgerTotals,
} from './filters/filters.queries.ts'
export {
  firstRows,
  ledgerRows,
  newestRows,
  positionOf,
  type Sort,
  SORTS,
} from './filters/pages.queries.ts'
export {
  balanceAtEnd,
  balancesBefore,
  balanceUpTo,
  movements,
  movementsByAccount,
  mustBalanceUpTo,
  type PeriodTotals as LedgerTotals,
} from './periods/periods.queries.ts'
export {
  entriesOf,
  headerOf,
  type Image,
  othersOf,
  rowOf,
  rowOfImage,
} from './images/images.queries.ts'
export { matchedRows, type Part, type Whole } from './matched/matched.queries.ts'
export { duplicatePairs, type PairRow, transferPairs } from './pairs/pairs.queries.ts'
export { closenessOf, gapOf, pairsOf, scoreOf, textsOf, windowOf } from './pairs/pairs.rules.ts'
export { countOfPairs, DistinctPairRequest, pairQuery, score } from './pairs/pairs.schemas.ts'
export { dismissPair, findPair } from './pairs/pairs.usecases.ts'
export { hiddenLines } from './hidden/hidden.queries.ts'
export {
  type HiddenLine,
  type HiddenSums,
  movedBetween,
  sumsOfHidden,
} from './hidden/hidden.rules.ts'
export { linkedFrom, linkedTo, moveLinks, mustCoverLinked } from './links/links.queries.ts'
export { runningBalances } from './register/register.rules.ts'
export { registerRows, type RegisterStart, registerStart } from './register/register.queries.ts'
export {
  forceField,
  ForceQuery,
  KINDS,
  Location,
  MOST_TAGS,
  RegisterTransactionResponse,
  SplitResponse,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from './ledger.schemas.ts'
export {
  type CategoryLines,
  countOfLines,
  isBookedOn,
  linesOfCategory,
  MOST_LINES_MOVED,
} from './reassignment/reassignment.queries.ts'
export { ERASED_AT_ONCE, someTransactionsOf } from './trash/erasure.queries.ts'
export {
  type Hung,
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  putInTrash,
  takeFromTrash,
} from './trash/rows.queries.ts'
export {
  accountsOfTrashed,
  eraseFoundTransactions,
  eraseTransactions,
  isWhollyKept,
  restoreTransactions,
  trashedRowById,
  trashTransactions,
} from './trash/trash.queries.ts'
export {
  lastUseOf,
  type Label,
  labelsTo,
  MOST_LABELS_MOVED,
  transactionsWith,
} from './labels/labels.queries.ts'
export {
  type Bookable,
  isSameLabels,
  labelsAt,
  type LabelledLine,
  type Labels,
  labelsFrom,
  labelsOf,
  type Moved,
  type Named,
  NO_LABELS,
  ownedBy,
  requireKnown,
  WHOLE,
} from './labels/labels.rules.ts'
export {
  categoriseLines,
  moveLabels,
  payLines,
  reassignLines,
  releaseLines,
  tagLines,
} from './journal/relabelling.usecases.ts'
export { RECALCULATE } from './recalculation/recalculation.usecases.ts'
export { historyFacts } from './journal/history.queries.ts'
export {
  amend,
  type Amendment,
  book,
  discard,
  eraseFromTrash,
  eraseWithAccount,
  type Forced,
  inOrder,
  type JournalChange,
  match,
  restore,
  takeBack,
  unmatch,
} from './journal/journal.usecases.ts'
export { presentDifference } from './journal/snapshots.presenters.ts'
export type { Snapshot } from './journal/snapshots.rules.ts'
