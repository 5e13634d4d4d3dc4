export { ledgerChecks } from './checks.queries.ts'
export { CHECK_LEDGER, compareLedger } from './checks.usecases.ts'
export { RECALCULATE } from './recalculation.usecases.ts'
