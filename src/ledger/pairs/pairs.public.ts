export { duplicatePairs, type PairRow, pairsOf, transferPairs } from './pairs.queries.ts'
export { dismissPair, findPair, windowOf } from './pairs.usecases.ts'
