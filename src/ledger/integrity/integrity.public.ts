export { type AreaCheck, type CheckStep, registerChecks } from './area-checks.usecases.ts'
export { CHECK_LEDGER, checkNames, compareLedger } from './checks.usecases.ts'
export { ledgerChecks } from './checks.queries.ts'
export { RECALCULATE } from './recalculation.usecases.ts'
