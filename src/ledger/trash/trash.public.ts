export { someTransactionsOf, takenTransactionIds } from './erasure.queries.ts'
export { eraseTransactionsOf } from './trash.queries.ts'
