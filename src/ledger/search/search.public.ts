export { isByPeriod, ledgerCount, ledgerSums, matchingLines, tablesFor } from './filters.queries.ts'
export { categoriesWithBelow } from './comparisons.queries.ts'
export {
  type HiddenLine,
  type HiddenSums,
  movedBetween,
  sumsOfHidden,
  isSearchable,
  type LedgerFilter,
  MOST_WORDS,
  runningBalances,
} from './search.rules.ts'
export {
  asOnePage,
  countsInPieces,
  type FirstRow,
  firstRows,
  ledgerRows,
  newestRows,
  positionOf,
  totalsInPieces,
  type Sort,
  SORTS,
} from './pages.queries.ts'
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
  accountStandings,
  sumAtEnd,
} from './periods.queries.ts'
export { registerRows, type RegisterStart, registerStart, hiddenLines } from './register.queries.ts'
export { conditionOfLine, readsNames } from './lines.usecases.ts'
export { type AliasRow, type NameRow, visibleAliases, visibleNames } from './names.queries.ts'
export { filterFrom, type SentFilter } from './sent-filters.usecases.ts'
