export { eraseInSteps } from './erasure/steps.usecases.ts'
export { mustHaveNoWipe } from './wipe/wipe.queries.ts'
