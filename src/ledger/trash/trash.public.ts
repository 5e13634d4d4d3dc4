export { eraseKept, keptOf } from './projections.queries.ts'
export { someTransactionsOf, takenTransactionIds } from './erasure.queries.ts'
export { eraseTransactionsOf } from './trash.queries.ts'
