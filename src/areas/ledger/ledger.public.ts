export { presentTransaction } from './ledger.presenters.ts'
export {
  insertTransaction,
  type LedgerFilter,
  type LedgerRow,
  type LedgerSums,
  ledgerRowByExternalId,
  ledgerRowById,
  ledgerRows,
  ledgerRowsOf,
  ledgerSums,
  type NewHeader,
  type OtherLine,
  registerRows,
  removeTransaction,
  replaceTransaction,
  trashTransaction,
} from './ledger.queries.ts'
export {
  KINDS,
  Location,
  RegisterTransactionResponse,
  STATUSES,
  statusField,
  TransactionResponse,
} from './ledger.schemas.ts'
