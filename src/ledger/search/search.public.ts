export {
  isByPeriod,
  ledgerCount,
  ledgerSums,
  ledgerTotals,
  matchingLines,
} from './filters.queries.ts'
export { categoriesWithBelow } from './comparisons.queries.ts'
export { isSearchable, type LedgerFilter, MOST_WORDS } from './filters.rules.ts'
export { hiddenLines } from './hidden.queries.ts'
export { type HiddenLine, type HiddenSums, movedBetween, sumsOfHidden } from './hidden.rules.ts'
export { firstRows, ledgerRows, newestRows, positionOf, type Sort, SORTS } from './pages.queries.ts'
export {
  balanceAtEnd,
  balancesBefore,
  balanceUpTo,
  type Basis,
  comparableSumAtEnd,
  movements,
  movementsByAccount,
  mustBalanceUpTo,
  type PeriodTotals as LedgerTotals,
  standingsOf,
  sumAtEnd,
} from './periods.queries.ts'
export { registerRows, type RegisterStart, registerStart } from './register.queries.ts'
export { runningBalances } from './register.rules.ts'
