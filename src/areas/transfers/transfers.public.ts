export { presentTransfer } from './transfers.presenters.ts'
