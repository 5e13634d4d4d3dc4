export { ERASED_AT_ONCE, someTransactionsOf } from './erasure.queries.ts'
export {
  accountsOfTrashed,
  eraseFoundTransactions,
  eraseTransactions,
  isWhollyKept,
  trashedRowById,
} from './trash.queries.ts'
