export { accountErrors } from './accounts.errors.ts'
export { inHistory } from './accounts.events.ts'
export {
  accountBookedOn,
  accountById,
  accountsForBooking,
  type AccountView,
  type BookableAccount,
  isOwn,
  rememberBooking,
  updateAccount,
  visibleAccounts,
} from './accounts.queries.ts'
export { classOf } from './accounts.rules.ts'
export { balancesAt, type Interval, requirePoints, type Span } from './balances/balances.rules.ts'
export {
  accountFields,
  AccountListResponse,
  AccountResponseDTO,
  unconvertedAccount,
} from './accounts.schemas.ts'
export { interval } from './balances/balances.schemas.ts'
export { presentAccount, presentAccounts } from './accounts.presenters.ts'
export { presentSums } from './home-page/home-page.presenters.ts'
export { sums } from './home-page/home-page.schemas.ts'
export { converterInto, rollUp, type RollUp } from './home-page/home-page.usecases.ts'
