export { eraseInSteps } from './erasure/erasure.usecases.ts'
