export { presentDifference } from './snapshots.presenters.ts'
export { presentTransaction } from './transaction-views.presenters.ts'
export {
  forceField,
  ForceQuery,
  KINDS,
  Location,
  MOST_TAGS,
  RegisterTransactionResponse,
  SOURCES,
  SplitResponse,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from './transaction-views.schemas.ts'
