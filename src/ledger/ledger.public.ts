export {
  entriesOf,
  headerOf,
  othersOf,
  ownCategoryOf,
  partOfRow,
  rowOf,
} from './rows/images.queries.ts'
export {
  attachmentCountOf,
  withAttachmentsOf,
  netMinorOf,
  withRefundsOf,
} from './rows/attached.queries.ts'
export {
  type Header,
  type LedgerRow,
  ledgerRowById,
  ledgerRowsAmong,
  ledgerRowsIn,
  ledgerRowsInOrder,
  legsOf,
  moveRecurringLinks,
  releaseRecurring,
  newHeader,
  openBalance,
  openBalances,
  type OtherLine,
  historyFacts,
} from './rows/rows.queries.ts'
export { lineOrWhole } from './rows/stored-rows.rules.ts'
export { hidesAccount, requireAsReconciled, requireUnreconciled } from './rows/rows.rules.ts'
export {
  firstSidesOf,
  ledgerRowsByExternalIds,
  ledgerRowsByIds,
  ledgerSidesOf,
  mustBeFreeExternalIds,
  takenOnceRescoped,
  wholeRowsAmong,
} from './books/books.queries.ts'
export {
  type MatchedPart,
  matchedRows,
  type MatchedRow,
  type NewWhole,
  type Part,
  type Whole,
} from './books/matched.queries.ts'
export { againIfCreatedMeanwhile, namedLabels } from './hooks/names.usecases.ts'
export { type DraftPart, type NamedPlace, namesIn, namingConflicts } from './hooks/names.rules.ts'
export { prepareEdits } from './hooks/edits.usecases.ts'
export {
  type HookAdditions,
  type Draft,
  type Edit,
  editPreparation,
  type LedgerHook,
  ofLabels,
  ofTransactions,
  type PlacedDraft,
  preparation,
  type Prepared,
  registerHooks,
  type TransactionMovement,
  type TransferAccount,
} from './hooks/hooks.usecases.ts'
export { prepare } from './hooks/preparing.usecases.ts'
export {
  type AccountLocks,
  daysChanged,
  lockRefusal,
  requireUnlocked,
} from './locks/locks.rules.ts'
export { namingLocks } from './locks/locks.usecases.ts'
export { eraseWithAccount, remaindersOf } from './journal/erasing.usecases.ts'
export {
  amend,
  type Amendment,
  book,
  discard,
  match,
  type MatchedRows,
  post,
  type Posting,
  restore,
  takeBack,
  takeBackAll,
  unmatch,
  wholeOf,
} from './journal/journal.usecases.ts'
export { accountsOfTrashed, trashedRowById, trashedRowsAmong } from './trash/trash.queries.ts'
export { INVERSES } from './ledger.events.ts'
export type { OwnedTransaction } from './books/lines.queries.ts'
export { carryMatched, matchPart, unmatchPart } from './journal/parts.usecases.ts'
export type { Forced } from './journal/journal-events.usecases.ts'
export { type PartSnapshot, sidesOf, type Snapshot } from './journal/snapshots.rules.ts'

export { duplicatePairs, type PairRow, foundPairs, transferPairs } from './pairs/pairs.queries.ts'
export { dismissPair, findPair, windowOf } from './pairs/pairs.usecases.ts'

export { eraseKept, keptOf } from './trash/owned.queries.ts'
export { someTransactionsOf, takenTransactionIds } from './trash/erasure.queries.ts'
export { eraseTransactionsOf } from './trash/trash.queries.ts'
export {
  areRulesOutdated,
  asOneChange,
  noteChangedRules,
  noteReadRules,
} from './hooks/outdated.queries.ts'
