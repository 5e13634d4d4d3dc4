export { NetWorthHistoryQuery } from './reports.contract.ts'
export { reportErrors } from './reports.errors.ts'
