export { accountErrors } from './accounts.errors.ts'
export { inHistory } from './accounts.events.ts'
export {
  accountBookedOn,
  accountById,
  accountsForBooking,
  accountsToBookOn,
  type AccountView,
  type BookableAccount,
  type FoundAccount,
  isOwn,
  lockedForNew,
  rememberBooking,
  updateAccountRow,
  visibleAccounts,
} from './accounts.queries.ts'
export {
  accountMeant,
  type AccountType,
  type AccountWanted,
  classOf,
  isIban,
  openingIdOf,
  balancesAt,
  requirePoints,
  type BalanceSpan,
} from './accounts.rules.ts'
export {
  accountFields,
  accountInputs,
  AccountListResponse,
  AccountResponseDTO,
  unconvertedAccount,
} from './accounts.contract.ts'
export { interval } from './balances.contract.ts'
export { presentAccount, presentAccounts } from './accounts.contract.ts'
export { presentAccountSums } from './home-page.contract.ts'
export { sums } from './home-page.contract.ts'
export { converterInto, rollUpAccounts, type RollUp } from './home-page.usecases.ts'
export { updateAccount } from './accounts.usecases.ts'
export { deleteUnusedAccount, openAccount } from './creation.usecases.ts'
