export { someTransactionsOf } from './erasure.queries.ts'
export { eraseTransactions } from './trash.queries.ts'
