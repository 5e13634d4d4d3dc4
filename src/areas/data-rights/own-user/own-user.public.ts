export { eraseInSteps } from './erasure/steps.usecases.ts'
export { mustHaveNoWipe } from './erasure/erasure.queries.ts'
