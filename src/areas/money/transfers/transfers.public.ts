export { presentTransfer } from './transfers.contract.ts'
