export { presentTransfer } from './transfers.presenters.ts'
export { findTransfers } from './transfers.usecases.ts'
