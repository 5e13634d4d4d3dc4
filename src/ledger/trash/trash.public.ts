export { someTransactionsOf, takenIds } from './erasure.queries.ts'
export { eraseTransactionsOf } from './trash.queries.ts'
