export { eraseInSteps } from './erasure/erasure.usecases.ts'
export { mustHaveNoWipe } from './wipe/wipe.queries.ts'
