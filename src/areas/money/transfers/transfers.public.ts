export { converting, joinHalves, unmatchTransfer } from './matching/matching.usecases.ts'
export type { StatedSides } from './matching/matching.rules.ts'
export { transferConflicts } from './transfers.usecases.ts'
export { undatedTransferFields } from './transfers.contract.ts'
