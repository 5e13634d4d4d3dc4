export { ledgerChecks } from './checks.queries.ts'
export { CHECK_LEDGER } from './checks.rules.ts'
export { compareLedger } from './checks.usecases.ts'
export { RECALCULATE } from './recalculation.usecases.ts'
