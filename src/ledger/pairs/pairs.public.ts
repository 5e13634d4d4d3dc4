export { duplicatePairs, type PairRow, transferPairs } from './pairs.queries.ts'
export { closenessOf, gapOf, pairsOf, scoreOf, textsOf, windowOf } from './pairs.rules.ts'
export { dismissPair, findPair } from './pairs.usecases.ts'
