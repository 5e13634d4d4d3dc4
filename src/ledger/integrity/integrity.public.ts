export {
  CHECK_LEDGER,
  checkNames,
  compareLedger,
  type AreaCheck,
  type CheckStep,
  registerChecks,
} from './checks.usecases.ts'
export { ledgerChecks } from './checks.queries.ts'
export { RECALCULATE } from './recalculation.usecases.ts'
