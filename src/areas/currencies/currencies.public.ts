export { currenciesInUse, currenciesOfUser } from './currencies.queries.ts'
export { presentOwnCurrencies } from './currencies.presenters.ts'
export { findOwnCurrencies } from './currencies.usecases.ts'
