export { currenciesInUse, currenciesOfUser } from './currencies.queries.ts'
