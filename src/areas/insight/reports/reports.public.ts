export { NetWorthHistoryQuery } from './reports.contract.ts'
export { pointErrors } from './reports.rules.ts'
