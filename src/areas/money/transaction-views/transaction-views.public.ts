export { Condition, conditionInQuery, lineInput } from './conditions.contract.ts'
export {
  accountName,
  type Names,
  nameIn,
  NUMBER_COLUMNS,
  partLines,
  categoryPath,
  type ExportedRow,
  TABLE_COLUMNS,
  tableHeader,
  type TableLine,
  tableLineAsCsv,
  tableLines,
  tagNames,
} from './tables.contract.ts'
export { presentDifference } from './snapshots.contract.ts'
export { presentTransaction } from './transaction-views.contract.ts'
export {
  TRANSACTION_KINDS,
  Location,
  RegisterTransactionResponse,
  SOURCES,
  SplitResponse,
  STATUSES,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from './transaction-views.contract.ts'
