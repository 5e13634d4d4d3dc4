export { presentDifference } from './snapshots.contract.ts'
export { presentTransaction } from './transaction-views.contract.ts'
export {
  forceField,
  ForceQuery,
  TRANSACTION_KINDS,
  Location,
  MOST_TAGS,
  RegisterTransactionResponse,
  SOURCES,
  SplitResponse,
  STATUSES,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from './transaction-views.contract.ts'
