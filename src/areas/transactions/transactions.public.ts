export { countOfPairs, DistinctPairRequest, pairQuery, score } from './duplicates/pairs.schemas.ts'
export { listed, listQuery } from './listing/listing.schemas.ts'
export { type Listed, presentListed } from './listing/listing.presenters.ts'
export { findTransactions } from './listing/listing.usecases.ts'
export type { Created } from './repetition/repetition.usecases.ts'
export { CreateTransactionRequest, UpdateTransactionRequest } from './transactions.schemas.ts'
export {
  bookTransaction,
  changeTransaction,
  findTransaction,
  removeTransaction,
} from './transactions.usecases.ts'
