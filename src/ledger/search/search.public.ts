export {
  isByPeriod,
  ledgerCount,
  type LedgerDay,
  ledgerDays,
  type LedgerTotals,
  ledgerTotals,
  linesInPieces,
} from './filters.queries.ts'
export { EXCLUDED_LINES, isExcludedLine } from './excluded.queries.ts'
export { categoriesWithBelow } from './comparisons.queries.ts'
export {
  type HiddenLine,
  sumsOfHidden,
  isSearchable,
  type LedgerFilter,
  MOST_WORDS,
  type MovedSums,
  runningBalances,
} from './search.rules.ts'
export {
  ledgerPage,
  ledgerRows,
  longPage,
  newestRows,
  positionOf,
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
  accountStandings,
  sumAtEnd,
} from './periods.queries.ts'
export { registerRows, hiddenLines } from './register.queries.ts'
export { type AliasRow, type NameRow, visibleAliases, visibleNames } from './names.queries.ts'
export {
  conditionOfLine,
  filterFrom,
  readsNames,
  type SentFilter,
} from './sent-filters.usecases.ts'
