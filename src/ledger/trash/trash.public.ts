export { someTransactionsOf } from './erasure.queries.ts'
export { eraseTransactionsOf } from './trash.queries.ts'
