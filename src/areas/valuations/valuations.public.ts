export { presentValuation } from './valuations.presenters.ts'
export { findValuations } from './valuations.usecases.ts'
